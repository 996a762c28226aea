"""Tables that the pages of a project have, found before anything is marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from rowen.labels.marks import marks_of
from rowen.model import Page, Span
from rowen.records import Record
from rowen.structure.discover import Column, Table, discover
from rowen.studio.actions import STUDIO_FIELDS
from rowen.studio.material import wrapper_of
from rowen.studio.table import Table as Chosen
from rowen.wrappers.base import Wrapper
from rowen.wrappers.ownership import regions_of
from rowen.wrappers.region.tree import Tree
from rowen.wrappers.region.trees import TREES
from rowen.wrappers.region.wrapper import Region

SUGGESTED_TABLES = 6
"""Limit: how many tables the studio suggests; a person looks at the first two or three."""

DISCOVERY_PAGES = 10
"""Limit: how many pages are searched for tables. More hardly change what is found."""

COMPARED = 200
"""Limit: in how many records columns are compared: records of a table are alike."""

FILLED = 0.3
"""A suggested table has the columns that this share of its records has."""

DISCOVERY_BYTES = 4_000_000
"""Limit: how much of them is searched, so that somebody who opens large pages needn't wait."""


def suggest_tables(pages: Mapping[str, Page]) -> dict[str, Any]:
    """The best tables of some pages, each with its wrapper."""
    return {"tables": [_described(table) for table in discover(pages.values())[:SUGGESTED_TABLES]]}


def place(definitions: Sequence[str], page: Page) -> dict[str, Any]:
    """Where the records and the regions of each table are on a page."""
    tree = TREES.of(page.text)
    wrappers = (wrapper_of(definition) for definition in definitions)
    return {
        "tables": [
            {
                "records": [marks_of(record) for record in wrapper.extract(page)],
                "regions": _regions(wrapper, page, tree),
            }
            for wrapper in wrappers
        ]
    }


def extract(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """The records that a wrapper finds on pages, and where it fails."""
    wrapper = wrapper_of(definition)
    return {"pages": {name: _extracted(wrapper.extract(page)) for name, page in pages.items()}}


def _regions(wrapper: Wrapper, page: Page, tree: Tree) -> list[tuple[int, int]]:
    """The parts of a page that hold one record each."""
    if not isinstance(wrapper, Region):
        extents = (record.extent for record in wrapper.extract(page))
        own = [(extent.start, extent.end) for extent in extents if extent is not None]
        return regions_of(wrapper, page) or own
    regions = wrapper.record.find(tree)
    starts = [*tree.starts.tolist(), len(tree.text)]
    return [
        (starts[head], starts[end]) for head, end in zip(regions.heads, regions.ends, strict=True)
    ]


def _extracted(records: Any) -> dict[str, Any]:
    return {"records": [marks_of(record) for record in records], "failure": records.failure}


def _described(table: Table) -> dict[str, Any]:
    """A table with the columns that are of use, and the wrapper that finds them."""
    names = tuple(_useful(table))
    definition = table.wrapper().to_definition().to_dict()
    chosen = Chosen(definition).with_fields(names, {})
    described = table.to_dict()
    columns = {column["name"]: column for column in described["columns"]}
    return {
        **described,
        "columns": [columns[name] for name in names],
        "wrapper": definition if chosen is None else chosen.definition,
    }


def _useful(table: Table) -> list[str]:
    """The columns that many records have; of those with the same text on the page the best."""
    useful = [column for column in table.columns if column.filled >= FILLED] or table.columns
    # A value of a type says more than the text around it; else the longer text has all of it.
    ranked = sorted(useful, key=lambda column: (column.type == "text", -_length(column)))
    kept: list[str] = []
    for column in ranked:
        if not any(_overlap(table, column.name, other) for other in kept):
            kept.append(column.name)
    return [column.name for column in table.columns if column.name in kept][:STUDIO_FIELDS]


def _length(column: Column) -> int:
    return sum(map(len, column.samples))


def _overlap(table: Table, name: str, other: str) -> bool:
    """Whether two columns have parts of the same text, in most records that have both."""
    both = [
        (left, right)
        for record in table.records[:COMPARED]
        if (left := _spans(record, name)) and (right := _spans(record, other))
    ]
    shared = sum(
        any(a.start < b.end and b.start < a.end for a in left for b in right)
        for left, right in both
    )
    return 2 * shared > len(both) > 0


def _spans(record: Record, name: str) -> tuple[Span, ...]:
    return dict(record.items()).get(name, ())

"""Tables that the pages of a project have, found before anything is marked."""

from collections.abc import Mapping, Sequence
from typing import Any

from rowen.labels.marks import marks_of
from rowen.model import Page
from rowen.structure.discover import Table, discover
from rowen.studio.definitions import wrapper_of
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.tree import Tree
from rowen.wrappers.region.wrapper import Region

SUGGESTED_TABLES = 6
"""Limit: how many tables the studio suggests; a person looks at the first two or three."""

DISCOVERY_PAGES = 10
"""Limit: how many pages are searched for tables. More hardly change what is found."""

DISCOVERY_BYTES = 4_000_000
"""Limit: how much of them is searched, so that somebody who opens large pages needn't wait."""


def suggest(pages: Mapping[str, Page]) -> dict[str, Any]:
    """The best tables of some pages, each with its wrapper."""
    return {"tables": [_described(table) for table in discover(pages.values())[:SUGGESTED_TABLES]]}


def place(definitions: Sequence[str], page: Page) -> dict[str, Any]:
    """Where the records and the regions of each table are on a page."""
    tree = Tree(page.text)
    wrappers = (wrapper_of(definition) for definition in definitions)
    return {
        "tables": [
            {
                "records": [marks_of(record) for record in wrapper.extract(page)],
                "regions": _regions(wrapper, tree),
            }
            for wrapper in wrappers
        ]
    }


def extract(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """The records that a wrapper finds on pages, and where it fails."""
    wrapper = wrapper_of(definition)
    return {"pages": {name: _extracted(wrapper.extract(page)) for name, page in pages.items()}}


def _regions(wrapper: Wrapper, tree: Tree) -> list[tuple[int, int]]:
    """The parts of a page that hold one record each."""
    if not isinstance(wrapper, Region):
        return []
    heads, ends, _ = wrapper.record.find(tree)
    starts = [*tree.starts.tolist(), len(tree.text)]
    return [(starts[head], starts[end]) for head, end in zip(heads, ends, strict=True)]


def _extracted(records: Any) -> dict[str, Any]:
    return {"records": [marks_of(record) for record in records], "failure": records.failure}


def _described(table: Table) -> dict[str, Any]:
    return {**table.to_dict(), "wrapper": table.wrapper().to_definition().to_dict()}

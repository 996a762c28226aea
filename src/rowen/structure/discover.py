"""`discover`: the tables of a site without any mark, best first.

Each group of regions with columns that vary is a table: rows, cards, list items. The pages of a
site are one, too: what varies between them at the same place, or after the same label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rowen.model import InputError, Page
from rowen.records import Record
from rowen.structure.column_names import name_columns
from rowen.structure.column_types import type_of
from rowen.structure.columns import Place
from rowen.structure.data_tables import LEAST, data_tables
from rowen.structure.drafts import Draft, find_drafts
from rowen.structure.headers import mark_headers, tells_headers
from rowen.structure.line_tables import line_tables
from rowen.structure.offers import Made, ranked
from rowen.structure.overlaps import distinct_places
from rowen.structure.ranking import Novelty
from rowen.structure.rows import RowsOfDraft, find_rows
from rowen.structure.surroundings import weigh_texts
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.spot import Step
from rowen.wrappers.region.tree import Regions, Tree, View
from rowen.wrappers.region.wrapper import Pattern, Region

TABLES = 20
"""Limit: at most this many tables are found."""

PAGES = 20
"""Limit: the structure is searched for on at most this many pages."""

SAMPLES = 5
"""So many values of a column are shown."""

TYPED = 500
"""Limit: the type of a column is suggested by the values of at most this many records."""

OFTEN = 0.8
"""A column with a value in this share of the regions is required of records."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: a suggested name and type, values of it, and how often it has one.

    >>> Column("price", "price", ("7.50 EUR",), 1.0).type
    'price'
    """

    name: str
    type: str
    samples: tuple[str, ...]
    filled: float


@dataclass(frozen=True, slots=True)
class Table:
    """A group of regions of the same shape: candidate records and fields.

    `records` are those of all pages that were searched; `pages` names the pages that have some.

    >>> import rowen
    >>> rows = "".join(f"<tr><td>{n * 'Ha'}!<td>{n * 7}.50 EUR" for n in range(1, 9))
    >>> header = "<tr><th>Name<th>Price"
    >>> table, *_ = rowen.discover([f"<table>{header}{rows}</table>"])
    >>> [(column.name, column.type) for column in table.columns]
    [('name', 'text'), ('price', 'price')]
    >>> [record.values for record in table.wrapper().extract(f"<table>{header}{rows}</table>")][1]
    {'name': 'HaHa!', 'price': {'amount': Decimal('14.50'), 'currency': 'EUR'}}
    """

    columns: tuple[Column, ...]
    records: tuple[Record, ...]
    pages: tuple[str, ...]
    _untyped: Wrapper

    def wrapper(self) -> Wrapper:
        """A wrapper that finds the table's records, on these pages and on others."""
        types = {column.name: column.type for column in self.columns if column.type != "text"}
        plain = self._untyped.to_definition()
        several = self._untyped.schema
        schema = {
            name: {"type": types.get(name, "text"), "many": several.field(name).many}
            for name in self._untyped.fields
            if name in types or several.field(name).many
        }
        return Wrapper.from_definition(
            replace(plain, settings={**plain.settings, "schema": schema})
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "records": len(self.records),
            "pages": list(self.pages),
            "columns": [
                {
                    "name": column.name,
                    "type": column.type,
                    "filled": round(column.filled, 3),
                    "samples": list(column.samples),
                }
                for column in self.columns
            ],
        }


def discover(pages: Iterable[Page | str]) -> list[Table]:
    """The tables of pages of one site, best first.

    Without any mark: groups of regions of the same shape, with the places in them that vary.

    >>> import rowen
    >>> rows = "".join(f"<li><b>{n * 'Ha'}!</b> <i>{n}.50 EUR</i></li>" for n in range(1, 10))
    >>> table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    >>> len(table.records), [column.type for column in table.columns]
    (9, ['text', 'price'])
    """
    kept = [Page.of(page) for _, page in zip(range(PAGES), pages, strict=False)]
    if not kept:
        raise InputError("there are no pages")
    found: list[tuple[RowsOfDraft | None, Table]] = []
    # In an order of their own, so that the tables do not depend on the order in which pages come.
    ordered = sorted(kept, key=lambda page: page.text)
    trees = [Tree(page.text) for page in ordered]
    lengths = [weigh_texts(tree) for tree in trees]
    offers: list[Draft | Made] = [
        *find_drafts(trees, lengths),
        *_of_lines(ordered, trees),
        *_of_data(ordered, trees),
    ]
    taken: list[Made] = []
    for draft in ranked(offers, Novelty(lengths)):
        if isinstance(draft, Made):
            if not any(draft.places <= other.places for other in taken):
                taken.append(draft)
                found.append((None, _made(draft, kept)))
            continue
        columns = distinct_places(mark_headers(draft.places, draft.views), draft.views)
        if not columns:
            continue
        # The page with the most records, of equal ones always the same, in whatever order they are.
        first = max(draft.views, key=lambda view: (view.count, view.tree.text))
        names = name_columns(first, [column.place for column in columns])
        required = _required(names, [column.place for column in columns])
        rows = find_rows(draft.pattern, columns, names, required)
        before = [other for other, _ in found if other is not None]
        if len(rows.rows) > 1 and not any(map(rows.repeats, before)):
            # All sections of a list come before one of them.
            place = next(
                (
                    n
                    for n, (other, _) in enumerate(found)
                    if other is not None and rows.widens(other)
                ),
                len(found),
            )
            rest = [
                (other, table)
                for other, table in found[place:]
                if other is None or not other.repeats(rows)
            ]
            found[place:] = [(rows, _table(draft, rows, required, kept)), *rest]
        if len(before) + 1 == TABLES:
            break
    return [table for _, table in found]


def _of_lines(pages: Sequence[Page], trees: Sequence[Tree]) -> Iterator[Made]:
    """The tables of lines of text, with the elements that these are in."""
    for wrapper, records in line_tables(pages):
        views = [View(tree, _text_blocks(tree)) for tree in trees]
        yield Made(wrapper, records, views)


def _of_data(pages: Sequence[Page], trees: Sequence[Tree]) -> Iterator[Made]:
    """The tables in the data of scripts, with the share of their values that the pages show."""
    shown: set[str] | None = None
    for wrapper in data_tables(pages):
        records = [record for page in pages for record in wrapper.extract(page)]
        if len(records) < LEAST:
            continue
        if shown is None:
            shown = {text for tree in trees for text in _shown_texts(tree)}
        table = Made(wrapper, records)
        texts = [text for own in table.columns.values() for values in own for text in values]
        known = sum(" ".join(text.split()) in shown for text in texts) / max(len(texts), 1)
        yield replace(table, length=sum(map(len, texts)), known=known)


def _shown_texts(tree: Tree) -> Iterator[str]:
    """The texts of a page, each with its white space as one blank."""
    for tag in np.flatnonzero(tree.filled).tolist():
        yield " ".join(tree.text[tree.slot_starts[tag] : tree.slot_ends[tag]].split())


def _text_blocks(tree: Tree) -> Regions:
    """The `<pre>` elements; a page without tags as a whole."""
    if tree.size == 1:
        return Regions(np.array([0], np.intp), np.array([1], np.intp), around=True)
    return Pattern((Step("pre"),)).find(tree)


def _made(table: Made, pages: Sequence[Page]) -> Table:
    values = [record.values for record in table.records[:TYPED]]
    columns = [
        Column(
            name,
            type_of(texts := [text for row in values for text in _texts(row[name])]),
            tuple(dict.fromkeys(texts))[:SAMPLES],
            table.filled[name],
        )
        for name in table.wrapper.fields
    ]
    by_page = [(page, tuple(table.wrapper.extract(page))) for page in pages]
    records = tuple(record for _, own in by_page for record in own)
    return Table(
        tuple(columns), records, tuple(page.id for page, own in by_page if own), table.wrapper
    )


def _required(names: Sequence[str], places: Sequence[Place]) -> tuple[str, ...]:
    by_name = dict(zip(names, places, strict=True))
    telling = tuple(name for name, place in by_name.items() if tells_headers(place))
    return telling or tuple(name for name, place in by_name.items() if place.filled >= OFTEN)


def _table(
    draft: Draft, rows: RowsOfDraft, required: tuple[str, ...], pages: Sequence[Page]
) -> Table:
    by_name = rows.by_name
    rules = {name: list(place.rules) for name, place in by_name.items()}
    several = tuple(name for name, place in by_name.items() if place.several)
    wrapper = Region(
        list(rules), record=draft.pattern, rules=rules, several=several, required=required
    )
    by_page = [(page, wrapper.extract(page)) for page in pages]
    records = tuple(record for _, own in by_page for record in own)
    columns = _columns(rows, records)
    names_of_pages = tuple(page.id for page, own in by_page if own)
    return Table(columns, records, names_of_pages, wrapper)


def _columns(rows: RowsOfDraft, records: Sequence[Record]) -> tuple[Column, ...]:
    values = [record.values for record in records[:TYPED]]
    columns = []
    for name, place in rows.by_name.items():
        texts = [text for row in values for text in _texts(row[name])]
        samples = tuple(dict.fromkeys(texts))[:SAMPLES]
        columns.append(Column(name, _type(place, texts), samples, rows.filled[name]))
    return tuple(columns)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(text) for text in values if text]


def _type(place: Place, texts: list[str]) -> str:
    if place.spot.attribute in ("href", "src"):
        return "url"
    return type_of(texts)

"""`discover`: the tables of a site without any mark, best first.

Each group of regions with columns that vary is a table. Many regions with many columns are better
than few; groups that are the same on all pages are menus, and come last. Regions that hold a better
table of their own are not records.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rowen.model import InputError, Page
from rowen.records import Record
from rowen.structure.column_names import name_columns
from rowen.structure.columns import Place, find_columns
from rowen.structure.groups import LEAST, find_groups, page_pattern
from rowen.structure.ranking import Novelty, score
from rowen.structure.slots import inline_labels
from rowen.values.conversion import Setting
from rowen.values.suggestion import suggest_type
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.tree import Regions, Tree, View
from rowen.wrappers.region.wrapper import FieldRule, Pattern, Region

TABLES = 20
"""Limit: at most this many tables are found."""

PAGES = 20
"""Limit: the structure is searched for on at most this many pages."""

REGIONS = 400
"""Limit: the columns of a group are chosen by at most about this many of its regions."""

PAGE = 0.5
"""What the table counts whose records are the pages themselves."""

SAMPLES = 5
"""So many values of a column are shown."""

OFTEN = 0.8
"""A column with a value in this share of the regions is required of records."""

CELLS = ("td", "th", "dt", "dd")
ALIKE = 0.8
"""Columns of records are filled at least as much as this share of those of what is around them."""

HELD = 0.4
"""A region with this share of its columns in regions of another group is no record."""


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
    >>> rows = "".join(f"<tr><td>Item {n}<td>{n * 7}.50 EUR" for n in range(9))
    >>> header = "<tr><th>Name<th>Price"
    >>> table, *_ = rowen.discover([f"<table>{header}{rows}</table>"])
    >>> [(column.name, column.type) for column in table.columns]
    [('name', 'text'), ('price', 'price')]
    >>> [record.values for record in table.wrapper().extract(f"<table>{header}{rows}</table>")][1]
    {'name': 'Item 1', 'price': {'amount': Decimal('7.50'), 'currency': 'EUR'}}
    """

    columns: tuple[Column, ...]
    records: tuple[Record, ...]
    pages: tuple[str, ...]
    _pattern: Pattern
    _rules: dict[str, list[FieldRule]]
    _several: tuple[str, ...]

    def wrapper(self) -> Wrapper:
        """A wrapper that finds the table's records, on these pages and on others."""
        types = {column.name: column.type for column in self.columns if column.type != "text"}
        often = [column.name for column in self.columns if column.filled >= OFTEN]
        return _wrapper(self._pattern, self._rules, often, types, self._several)

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


@dataclass
class _Draft:
    """A group with its columns, before the best are chosen."""

    pattern: Pattern
    places: list[Place]
    views: list[View]
    score: float

    @property
    def filled(self) -> float:
        """The mean share of regions in which a column has a value."""
        return sum(place.filled for place in self.places) / len(self.places)

    @property
    def is_page(self) -> bool:
        """Whether the pages themselves are the regions."""
        return all(view.count <= 1 for view in self.views)

    @property
    def is_cell(self) -> bool:
        """Whether HTML itself says that the regions are cells of a table."""
        return self.pattern.path[-1].name in CELLS


def discover(pages: Iterable[Page | str]) -> list[Table]:
    """The tables of pages of one site, best first.

    Without any mark: groups of regions of the same shape, with the places in them that vary.

    >>> import rowen
    >>> rows = "".join(f"<li><b>Item {n}</b> <i>{n * 7}.50 EUR</i></li>" for n in range(9))
    >>> table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    >>> len(table.records), [column.type for column in table.columns]
    (9, ['text', 'price'])
    """
    kept = [Page.of(page) for _, page in zip(range(PAGES), pages, strict=False)]
    if not kept:
        raise InputError("there are no pages")
    tables: list[Table] = []
    for draft in drafts_of(kept):
        table = _table(draft, kept)
        if len(table.records) > 1 and not any(_same(table, other) for other in tables):
            tables.append(table)
        if len(tables) == TABLES:
            break
    return tables


def drafts_of(kept: Sequence[Page]) -> list[_Draft]:
    trees = [Tree(page.text) for page in kept]
    labels = [inline_labels(tree) for tree in trees]
    drafts = []
    for pattern in find_groups(trees):
        views = [View(tree, pattern.find(tree)) for tree in trees]
        if sum(view.count for view in views) < LEAST or all(view.count <= 1 for view in views):
            continue
        places = find_columns(_sampled(views), labels)
        if places:
            drafts.append(_Draft(pattern, places, views, score(views, places)))
    whole = page_pattern(trees)
    if whole is not None:
        views = [View(tree, whole.find(tree)) for tree in trees]
        places = find_columns(views, labels)
        if places:
            drafts.append(_Draft(whole, places, views, PAGE * score(views, places)))
    return _ranked(drafts, trees)


def _ranked(drafts: list[_Draft], trees: Sequence[Tree]) -> list[_Draft]:
    """The best first; what mostly has text of tables before it comes later."""
    drafts = [draft for draft in drafts if draft.is_page or not _holds_other(draft, drafts)]
    drafts.sort(key=lambda draft: (-draft.score, str(draft.pattern)))
    novelty = Novelty(trees)
    ranked: list[_Draft] = []
    while drafts and len(ranked) < 2 * TABLES:
        best = max(drafts, key=lambda draft: draft.score * novelty.of(draft.views))
        drafts.remove(best)
        novelty.choose(best.views)
        ranked.append(best)
    return ranked


def _sampled(views: Sequence[View]) -> list[View]:
    """Views of some of the regions, from all pages, where there are very many."""
    count = sum(view.count for view in views)
    if count <= REGIONS:
        return list(views)
    step = -(-count // REGIONS)
    return [
        View(
            view.tree,
            Regions(view.regions.heads[::step], view.regions.ends[::step], view.regions.around),
        )
        for view in views
    ]


def _holds_other(draft: _Draft, drafts: Sequence[_Draft]) -> bool:
    """Whether most columns of a group are in regions of another one, several of them in each."""
    return any(_holds(draft, other) for other in drafts if other is not draft)


def _holds(draft: _Draft, other: _Draft) -> bool:
    # A row of a table is a record, whatever is in its cells, unless it is another table.
    if draft.pattern.path[-1].name == "tr" and other.pattern.path[-1].name != "tr":
        return False
    # Cells are columns, not records, and so is what has most of its columns only here and there.
    if other.is_cell or len(other.places) < 2 or other.filled < ALIKE * draft.filled:
        return False
    inside: list[int] = []
    for view, inner in zip(draft.views, other.views, strict=True):
        if (inner.numbers[view.regions.heads] >= 0).any():
            return False  # it is the other way round
        numbers = view.numbers[inner.regions.heads]
        inside += np.bincount(numbers[numbers >= 0], minlength=view.count).tolist()
    # The same number in each: these are parts of records. Else they are records of their own.
    usual = max(set(inside), key=inside.count)
    if usual and inside.count(usual) >= ALIKE * len(inside) and len(inside) >= LEAST:
        return False
    if sum(inside) < 2 * max(sum(map(bool, inside)), 1):
        return False
    view, inner = max(zip(draft.views, other.views, strict=True), key=lambda views: views[1].count)
    held = sum(bool((inner.numbers[p.spot.find(view)] >= 0).any()) for p in draft.places)
    return held >= HELD * len(draft.places)


def _same(table: Table, other: Table) -> bool:
    """Whether the records of two tables have the same values."""
    return _values(table) <= _values(other)


def _values(table: Table) -> set[tuple[str, int, int]]:
    return {
        (record.page.id, span.start, span.end)
        for record in table.records
        for _, spans in record.items()
        for span in spans
    }


def _table(draft: _Draft, pages: Sequence[Page]) -> Table:
    first = max(draft.views, key=lambda view: view.count)
    rules = {
        name: list(place.rules)
        for name, place in zip(name_columns(first, draft.places), draft.places, strict=True)
    }
    several = [name for name, place in zip(rules, draft.places, strict=True) if place.several]
    often = [name for name, place in zip(rules, draft.places, strict=True) if place.filled >= OFTEN]
    wrapper = _wrapper(draft.pattern, rules, often, {}, several)
    by_page = [(page, wrapper.extract(page)) for page in pages]
    records = tuple(record for _, found in by_page for record in found)
    columns = []
    for name, place in zip(rules, draft.places, strict=True):
        texts = [text for record in records for text in _texts(record.values[name])]
        columns.append(
            Column(
                name,
                _type(place, texts),
                tuple(dict.fromkeys(texts))[:SAMPLES],
                sum(bool(record.values[name]) for record in records) / max(len(records), 1),
            )
        )
    return Table(
        tuple(columns),
        records,
        tuple(page.id for page, found in by_page if found),
        draft.pattern,
        rules,
        tuple(several),
    )


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(text) for text in values if text]


def _type(place: Place, texts: list[str]) -> str:
    if place.spot.attribute in ("href", "src"):
        return "url"
    return suggest_type(texts, Setting())


def _wrapper(
    pattern: Pattern,
    rules: dict[str, list[FieldRule]],
    required: Sequence[str],
    types: dict[str, str],
    several: Sequence[str],
) -> Region:
    return Region(
        list(rules),
        record=pattern,
        rules=rules,
        several=several,
        required=required,
        schema=types or None,
    )

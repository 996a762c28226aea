"""Examples as tables: the rows of each page, with the fields in page order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TypeAlias

from rowen.induction.field_order import check_apart, orders
from rowen.model import NoConsistentWrapper
from rowen.records import Example, Record

Bounds: TypeAlias = tuple[int, int]

HINT = "use a class for missing or repeated fields, such as 'm-lr' or 'token'"


@dataclass(frozen=True, slots=True)
class TablePage:
    """A page with its rows; a value that the label leaves unknown is None."""

    id: str
    text: str
    rows: tuple[tuple[Bounds | None, ...], ...]
    partial: bool
    """Whether the page goes on with records that are not marked."""

    @property
    def known_start(self) -> int:
        """The start of the first known value."""
        starts = (bounds[0] for row in self.rows for bounds in row if bounds)
        return min(starts, default=len(self.text))

    @property
    def known_end(self) -> int:
        """The end of the last known value."""
        return max((bounds[1] for row in self.rows for bounds in row if bounds), default=0)

    @property
    def shows_opening(self) -> bool:
        """Whether the text right before a record is known for any record."""
        ends = [(0, 0), *(row[-1] for row in self.rows)]
        return any(end and row[0] for end, row in zip(ends, self.rows, strict=False))

    @property
    def is_known(self) -> bool:
        """Whether no value is unknown."""
        return all(bounds is not None for row in self.rows for bounds in row)


@dataclass(frozen=True, slots=True)
class Table:
    """The pages of all examples, with the same fields in each row."""

    fields: tuple[str, ...]
    pages: tuple[TablePage, ...]

    def gaps(self, k: int) -> Iterator[tuple[TablePage, int, int]]:
        """The text after each known value of field `k`, up to the next known value or the end."""
        for page in self.pages:
            values = [(bounds, j) for row in page.rows for j, bounds in enumerate(row) if bounds]
            for (bounds, j), (after, _) in pairwise([*values, ((len(page.text), 0), -1)]):
                if j == k:
                    yield page, bounds[1], after[0]


def tables_of(examples: Sequence[Example]) -> Iterator[Table]:
    """The examples as a table, once for each order of the fields that unknown values leave open.

    Raises `NoConsistentWrapper` where they are no table.
    """
    for example in examples:
        for record in example.records:
            _check_flat(example, record)
    # Known values mostly leave one order; each unknown value may leave more.
    for order in _field_orders(examples):
        yield Table(order, tuple(_page(example, order) for example in examples))


def _page(example: Example, order: tuple[str, ...]) -> TablePage:
    rows = []
    for record in example.records:
        bounds = {name: (spans[0].start, spans[0].end) for name, spans in record.items()}
        rows.append(tuple(bounds.get(field) for field in order))
    return TablePage(example.page.id, example.page.text, tuple(rows), example.partial)


def _check_flat(example: Example, record: Record) -> None:
    pages = (example.page.id,)
    if record.children:
        raise NoConsistentWrapper(
            "the records are nested, but a table is flat; use a class for nested records, such as "
            "'n-lr'",
            pages=pages,
        )
    for name, spans in record.items():
        if len(spans) == 1:
            continue
        what = f"has {len(spans)} values" if spans else "is missing"
        raise NoConsistentWrapper(
            f"{what} in a record, but in a table each field has one value; {HINT}",
            field=name,
            pages=pages,
        )
    check_apart(record)


def _field_orders(examples: Sequence[Example]) -> Iterator[tuple[str, ...]]:
    """The fields in page order; a record with another order makes it no table."""
    follows: dict[str, dict[str, str]] = {}
    for example in examples:
        for record in example.records:
            placed = sorted((spans[0].start, spans[0].end, name) for name, spans in record.items())
            names = [name for _, _, name in placed]
            for name in names:
                follows.setdefault(name, {})
            for before, after in pairwise(names):
                follows[after].setdefault(before, example.page.id)
    try:
        TopologicalSorter(follows).prepare()
    except CycleError as error:
        # The cycle lists each name before the one that it must come before.
        cycle = error.args[1]
        pages = {follows[after][before] for before, after in pairwise(cycle)}
        raise NoConsistentWrapper(
            f"fields {', '.join(map(repr, cycle[:-1]))} come in different orders, but a table "
            "has one order; use class 'token'",
            field=cycle[0],
            pages=tuple(sorted(pages)),
        ) from None
    return orders(follows)

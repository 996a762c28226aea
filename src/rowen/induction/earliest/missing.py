"""Labels of flat records in which any field may be missing: the order of the fields, their values.

    fields   name, phone, mail        mail is in no record
    label    {name: Ada, phone: 12}   {name: Alan, phone: None}   {phone: 3}
    cells    (0, 3) (5, 7) GONE       (9, 13) GONE GONE           None (20, 21) GONE

GONE is missing, None is unknown: the third label doesn't say whether there is a name. A field that
no record has is missing where it is unknown.
"""

from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple, TypeAlias, TypeVar

from rowen.induction import budget
from rowen.induction.earliest.labels import PageLabel, Value
from rowen.induction.field_order import check_apart, orders
from rowen.model import NoConsistentWrapper, SearchCutShort
from rowen.records import Example, Record
from rowen.wrappers.earliest import Rule
from rowen.wrappers.mlr import GONE, missing_rule

Learned = TypeVar("Learned")

Cell: TypeAlias = tuple[int, int] | None
"""The bounds of a value, `GONE` where it is missing, None where it is unknown."""


class Sample(NamedTuple):
    """Examples: the fields in page order, the values of each page, the cells of its records."""

    fields: list[str]
    labels: list[PageLabel]
    tables: list[list[tuple[Cell, ...]]]

    @property
    def is_known(self) -> bool:
        """Whether no value is unknown."""
        return not any(None in row for rows in self.tables for row in rows)

    @property
    def first(self) -> list[int]:
        """The fields that begin a record, where nothing is unknown."""
        return sorted({_marked(row)[0] for rows in self.tables for row in rows})

    @property
    def seen(self) -> set[int]:
        """The fields that any example has."""
        return {value.field for label in self.labels for value in label.values}

    @property
    def rule(self) -> Rule:
        """Which fields may come next, where nothing is unknown: none that no example has."""
        return missing_rule(len(self.fields), self.first, self.seen)


def learn_ordered(examples: Sequence[Example], learn: Callable[[Sample], Learned]) -> Learned:
    """What `learn` makes of the examples, with the fields in page order.

    Fields that no record orders stay as they are named, as long as all records name all of them;
    where some are left out, unknown, all orders are tried.
    """
    trouble: NoConsistentWrapper | None = None
    for order in _field_orders(examples):
        budget.check()
        fields = list(order)
        try:
            tables = _tables(examples, fields)
            labels = [
                _label(example, rows, fields)
                for example, rows in zip(examples, tables, strict=True)
            ]
            return learn(Sample(fields, labels, tables))
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
            # Without unknown values the first order stands: fields that no record orders stay as
            # named.
            if not _leave_open(examples):
                break
    assert trouble is not None
    raise trouble


def _leave_open(examples: Sequence[Example]) -> bool:
    """Whether any value is unknown."""
    named = set(_named(examples))
    return any(
        named - dict(record.items()).keys() for example in examples for record in example.records
    )


def _field_orders(examples: Sequence[Example]) -> Iterator[tuple[str, ...]]:
    """Orders that all records keep to, first that in which fields are named."""
    named = _named(examples)
    for example in examples:
        for number, record in enumerate(example.records, 1):
            _check(record, named, number)
    before: dict[str, set[str]] = {name: set() for name in named}
    for example in examples:
        for record in example.records:
            names = [name for name, _, _ in _in_page_order(record)]
            # Neighbours are enough: the sorter takes the transitive closure.
            for earlier, later in pairwise(names):
                before[later].add(earlier)
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        earlier, later = error.args[1][:2]
        raise NoConsistentWrapper(
            f"comes before {later!r} in one record and after it in another",
            field=earlier,
            pages=tuple(example.page.id for example in examples),
        ) from None
    return orders(before)


def _named(examples: Sequence[Example]) -> list[str]:
    names = (
        name for example in examples for record in example.records for name, _ in record.items()
    )
    return list(dict.fromkeys(names))


def _check(record: Record, named: list[str], number: int) -> None:
    pages = (record.page.id,)
    spans = dict(record.items())
    if record.children:
        raise NoConsistentWrapper(f"record {number} is nested", pages=pages)
    for name in named:
        if len(spans.get(name, ())) > 1:
            raise NoConsistentWrapper(
                f"record {number} has several values", field=name, pages=pages
            )
    check_apart(record)


def _in_page_order(record: Record) -> list[tuple[str, int, int]]:
    values = ((name, *spans[0]) for name, spans in record.items() if spans)
    return sorted(values, key=lambda value: value[1:])


def _tables(examples: Sequence[Example], fields: list[str]) -> list[list[tuple[Cell, ...]]]:
    """The cells of each record; a field that no record has is missing where it is unknown."""
    seen = {
        name
        for example in examples
        for record in example.records
        for name, spans in record.items()
        if spans
    }

    def cell(record: Record, name: str) -> Cell:
        spans = dict(record.items()).get(name)
        if spans:
            return spans[0].start, spans[0].end
        # A field that is named with no value is missing; one that is not named is unknown.
        return GONE if spans is not None or name not in seen else None

    tables = []
    for example in examples:
        rows = [tuple(cell(record, name) for name in fields) for record in example.records]
        for number, row in enumerate(rows, 1):
            if all(bounds == GONE for bounds in row):
                raise NoConsistentWrapper(f"record {number} is empty", pages=(example.page.id,))
        tables.append(rows)
    return tables


def _marked(row: Sequence[Cell]) -> list[int]:
    """The fields of which a record's label has a value."""
    return [field for field, cell in enumerate(row) if cell not in {None, GONE}]


def _label(example: Example, rows: list[tuple[Cell, ...]], fields: list[str]) -> PageLabel:
    values: list[Value] = []
    ended = True
    for number, row in enumerate(rows, 1):
        marked = _marked(row)
        # Only where nothing between them is unknown do two values follow each other for sure.
        if marked and values and ended and None not in row[: marked[0]]:
            _check_begins(example, number, fields, values[-1].field, marked[0])
        values += [Value(field, *cell) for field in marked if (cell := row[field])]
        ended = bool(marked) and None not in row[marked[-1] :]
    return PageLabel(example.page, tuple(values), example.partial)


def _check_begins(
    example: Example, number: int, fields: list[str], before: int, following: int
) -> None:
    """Refuse a record that the scan takes for the rest of the one before it."""
    if following > before:
        raise NoConsistentWrapper(
            f"record {number} can't be distinguished from the one before it, "
            "which ends with an earlier field",
            field=fields[following],
            pages=(example.page.id,),
        )

"""Flat records in which any field may be missing: their order, their values, their rule."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple, TypeAlias, TypeVar

from rowen.model import Example, NoConsistentWrapper, Record, SearchCutShort
from rowen.model.records import Row
from rowen.wrappers import budget
from rowen.wrappers.apart import check_apart
from rowen.wrappers.racing.laps import Lap, Value
from rowen.wrappers.racing.race import Endless, Rule
from rowen.wrappers.unknown.orders import orders

Learned = TypeVar("Learned")

GONE = (-1, -1)

Cell: TypeAlias = tuple[int, int] | None
"""The bounds of a value, `GONE` where it is missing, None where it is unknown."""


class Labels(NamedTuple):
    """Examples for the race: fields in page order, the known values, and the cells of records."""

    fields: list[str]
    laps: list[Lap]
    tables: list[list[tuple[Cell, ...]]]

    @property
    def is_known(self) -> bool:
        """Whether no value is unknown."""
        return not any(None in row for rows in self.tables for row in rows)

    @property
    def first(self) -> list[int]:
        """The fields that begin a record, where nothing is unknown."""
        return sorted({_known(row)[0] for rows in self.tables for row in rows})

    @property
    def seen(self) -> set[int]:
        """The fields that any example has."""
        return {value.field for lap in self.laps for value in lap.values}

    @property
    def rule(self) -> Rule:
        """Who races, where nothing is unknown: fields that no example has stay out."""
        return missing_rule(len(self.fields), self.first, self.seen)


def missing_rule(count: int, first: Iterable[int], seen: Iterable[int]) -> Rule:
    """After field k come the later fields, or one that begins the next record.

    In a tie the longer delimiter wins; of equal ones that of the field that is due sooner.
    """
    here = sorted(seen)
    start = [field for field in here if field in set(first)]
    order = [tuple(start)]
    for before in range(count):
        later = [field for field in here if field > before]
        order.append((*later, *(field for field in start if field <= before)))
    return Rule(tuple(order), longest=True)


def learn_ordered(examples: Sequence[Example], learn: Callable[[Labels], Learned]) -> Learned:
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
            laps = [_lap(one, rows, fields) for one, rows in zip(examples, tables, strict=True)]
            return learn(Labels(fields, laps, tables))
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
            if not _leave_open(examples):
                break
    assert trouble is not None
    raise trouble


def _leave_open(examples: Sequence[Example]) -> bool:
    """Whether some value is unknown."""
    named = set(_named(examples))
    return any(named - dict(record.items()).keys() for one in examples for record in one.records)


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
            for earlier, later in pairwise(names):
                before[later].add(earlier)
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        one, other = error.args[1][:2]
        raise NoConsistentWrapper(
            f"comes before {other!r} in one record and after it in another",
            field=one,
            pages=tuple(example.page.id for example in examples),
        ) from None
    return orders(before)


def _named(examples: Sequence[Example]) -> list[str]:
    names = (name for one in examples for record in one.records for name, _ in record.items())
    return list(dict.fromkeys(names))


def rows_of(count: int, values: Iterable[tuple[int, int, int]], rows: list[Row]) -> None:
    """Add the values to `rows`, a row a record: a field at or before the last one begins one.

    Where the values fail, `rows` holds the records that were complete.
    """
    row = [GONE] * count
    before = -1
    try:
        for field, start, end in values:
            if field <= before:
                rows.append(tuple(row))
                row = [GONE] * count
            row[field] = (start, end)
            before = field
    except Endless as failure:
        if failure.field <= before:
            rows.append(tuple(row))
        raise
    if before >= 0:
        rows.append(tuple(row))


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
    return sorted(
        ((name, *spans[0]) for name, spans in record.items() if spans), key=lambda one: one[1:]
    )


def _tables(examples: Sequence[Example], fields: list[str]) -> list[list[tuple[Cell, ...]]]:
    """The cells of each record; a field that no record has is missing where it is unknown."""
    seen = {
        name
        for one in examples
        for record in one.records
        for name, spans in record.items()
        if spans
    }

    def cell(record: Record, name: str) -> Cell:
        spans = dict(record.items()).get(name)
        if spans:
            return spans[0].start, spans[0].end
        return GONE if spans is not None or name not in seen else None

    found = []
    for example in examples:
        rows = [tuple(cell(record, name) for name in fields) for record in example.records]
        for number, row in enumerate(rows, 1):
            if all(one == GONE for one in row):
                raise NoConsistentWrapper(f"record {number} is empty", pages=(example.page.id,))
        found.append(rows)
    return found


def _known(row: Sequence[Cell]) -> list[int]:
    """The fields of which a record's label has a value."""
    return [field for field, cell in enumerate(row) if cell not in {None, GONE}]


def _lap(example: Example, rows: list[tuple[Cell, ...]], fields: list[str]) -> Lap:
    values: list[Value] = []
    ended = True
    for number, row in enumerate(rows, 1):
        known = _known(row)
        if known and values and ended and None not in row[: known[0]]:
            _check_apart(example, number, fields, values[-1].field, known[0])
        values += [Value(field, *cell) for field in known if (cell := row[field])]
        ended = bool(known) and None not in row[known[-1] :]
    return Lap(example.page, tuple(values), example.partial)


def _check_apart(
    example: Example, number: int, fields: list[str], before: int, following: int
) -> None:
    if following > before:
        raise NoConsistentWrapper(
            f"record {number} can't be told from the one before it, "
            "which ends with a field that comes sooner",
            field=fields[following],
            pages=(example.page.id,),
        )

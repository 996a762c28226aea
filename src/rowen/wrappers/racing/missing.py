"""Flat records in which any field may be missing: their order, their values, their rule."""

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from rowen.model import Example, NoConsistentWrapper, Record
from rowen.model.records import Row
from rowen.wrappers.apart import check_apart
from rowen.wrappers.racing.laps import Lap, Value
from rowen.wrappers.racing.race import Endless, Rule

GONE = (-1, -1)


class Labels(NamedTuple):
    """Examples for the race: fields in page order, those that begin a record, the values."""

    fields: list[str]
    first: list[int]
    laps: list[Lap]

    @property
    def rule(self) -> Rule:
        """Who races: fields that no example has stay out."""
        seen = {value.field for lap in self.laps for value in lap.values}
        return missing_rule(len(self.fields), self.first, seen)


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


def missing_laps(examples: Sequence[Example]) -> Labels:
    """The examples' values, with the fields as they stand on the pages."""
    named = list(
        dict.fromkeys(
            name for one in examples for record in one.records for name, _ in record.items()
        )
    )
    for example in examples:
        for number, record in enumerate(example.records, 1):
            _check(record, named, number)
    fields = _page_order(examples, named)
    laps = [_lap(example, fields) for example in examples]
    first = {
        min(fields.index(name) for name, spans in record.items() if spans)
        for example in examples
        for record in example.records
    }
    return Labels(fields, sorted(first), laps)


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
        if name not in spans:
            raise NoConsistentWrapper(
                f"record {number} doesn't tell: give a value, or None where it is missing",
                field=name,
                pages=pages,
            )
        if len(spans[name]) > 1:
            raise NoConsistentWrapper(
                f"record {number} has several values", field=name, pages=pages
            )
    if not any(spans.values()):
        raise NoConsistentWrapper(f"record {number} is empty", pages=pages)
    check_apart(record)


def _in_page_order(record: Record) -> list[tuple[str, int, int]]:
    return sorted(
        ((name, *spans[0]) for name, spans in record.items() if spans), key=lambda one: one[1:]
    )


def _page_order(examples: Sequence[Example], named: list[str]) -> list[str]:
    """One order that all records keep to; fields that no record orders stay as they are named."""
    before: dict[str, set[str]] = {name: set() for name in named}
    for example in examples:
        for record in example.records:
            names = [name for name, _, _ in _in_page_order(record)]
            for earlier, later in pairwise(names):
                before[later].add(earlier)
    sorter = TopologicalSorter(before)
    try:
        sorter.prepare()
    except CycleError as error:
        one, other = error.args[1][:2]
        raise NoConsistentWrapper(
            f"comes before {other!r} in one record and after it in another",
            field=one,
            pages=tuple(example.page.id for example in examples),
        ) from None
    order: list[str] = []
    ready: set[str] = set()
    while sorter.is_active():
        ready.update(sorter.get_ready())
        chosen = min(ready, key=named.index)
        ready.remove(chosen)
        order.append(chosen)
        sorter.done(chosen)
    return order


def _lap(example: Example, fields: list[str]) -> Lap:
    values: list[Value] = []
    for number, record in enumerate(example.records, 1):
        placed = _in_page_order(record)
        own = [Value(fields.index(name), start, end) for name, start, end in placed]
        if values and own[0].field > values[-1].field:
            raise NoConsistentWrapper(
                f"record {number} can't be told from the one before it, "
                "which ends with a field that comes sooner",
                field=fields[own[0].field],
                pages=(example.page.id,),
            )
        values += own
    return Lap(example.page, tuple(values), example.partial)

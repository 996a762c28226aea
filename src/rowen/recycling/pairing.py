"""Which record of a new snapshot is which record of the old one.

    old page                     new page
    Black Beauty   4.50          Emma           7.00      moved: equal values, another place
    Emma           7.00          Black Beauty   5.25      changed: the same book, another price

The fields that a schema marks as `key` identify a record, on any page. Without a key, a record is
*likely* the same if it is on the same page, at least half of its values are equal, and one of them
stands in no other record of the two pages; or if the page has this one record before and after.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LIKELY_PAIRS = 250_000
"""Limit: pairs of records of a page that are compared to find those that are likely the same."""

Written = Mapping[str, Any]
"""A record as it is written to files: `page`, `values`, `source`, `spans`, `children`."""


@dataclass(frozen=True, slots=True)
class Change:
    """A record that `came`, `went`, `moved` (equal values elsewhere) or `changed`."""

    kind: str
    record: Written
    before: Written | None = None
    """For those that moved or changed, the record as it was."""
    matched: str = ""
    """For those that changed: paired by their `key`, or `likely` the same."""

    @property
    def fields(self) -> list[str]:
        """The fields whose values differ."""
        if self.before is None:
            return []
        old, new = self.before["values"], self.record["values"]
        names = dict.fromkeys([*old, *new])
        return [name for name in names if old.get(name) != new.get(name)]

    def to_dict(self) -> dict[str, Any]:
        """The change as it is written to files."""
        written = {"change": self.kind, **self.record}
        if self.before is not None:
            shown = ("page", "spans") if self.kind == "moved" else ("page", "values", "spans")
            written["before"] = {name: self.before[name] for name in shown}
        if self.kind == "changed":
            written["fields"] = self.fields
            written["matched"] = self.matched
        return written


@dataclass(slots=True)
class Unpaired:
    """Old and new records without a partner of equal values."""

    old: list[Written] = field(default_factory=list)
    new: list[Written] = field(default_factory=list)

    def changes(self) -> Iterator[Change]:
        """Those that came and those that went."""
        yield from (Change("came", record) for record in self.new)
        yield from (Change("went", record) for record in self.old)


def pair_equal(
    old: Sequence[Written], new: Sequence[Written]
) -> tuple[list[tuple[Written, Written]], Unpaired]:
    """Pair records of equal values, the first old one with the first new one; and what is left."""
    waiting: dict[str, list[Written]] = {}
    for record in reversed(old):
        waiting.setdefault(_content(record), []).append(record)
    pairs, left = [], Unpaired()
    for record in new:
        same = waiting.get(_content(record))
        if same:
            pairs.append((same.pop(), record))
        else:
            left.new.append(record)
    kept = {id(record) for records in waiting.values() for record in records}
    left.old = [record for record in old if id(record) in kept]
    return pairs, left


def pair_by_key(left: Unpaired, keys: Sequence[str]) -> tuple[list[Change], Unpaired]:
    """Pair records with the same key; and what is left."""
    waiting: dict[str, list[Written]] = {}
    for record in reversed(left.old):
        key = key_of(record, keys)
        if key is not None:
            waiting.setdefault(key, []).append(record)
    changes, remaining = [], Unpaired()
    paired = set()
    for record in left.new:
        key = key_of(record, keys)
        same = waiting.get(key) if key is not None else None
        if not same:
            remaining.new.append(record)
            continue
        before = same.pop()
        paired.add(id(before))
        kind = "moved" if _content(before) == _content(record) else "changed"
        changes.append(Change(kind, record, before, "key" if kind == "changed" else ""))
    remaining.old = [record for record in left.old if id(record) not in paired]
    return changes, remaining


def pair_likely(
    left: Unpaired, old: Sequence[Written], new: Sequence[Written]
) -> tuple[list[Change], Unpaired]:
    """Pair records of one page that are likely the same; `old` and `new` are all of its records."""
    if not left.old or not left.new:
        return [], left
    if len(old) == len(new) == 1:
        return [Change("changed", left.new[0], left.old[0], "likely")], Unpaired()
    if len(left.old) * len(left.new) > LIKELY_PAIRS:
        return [], left
    single = _single_values(old) & _single_values(new)
    scored = sorted(
        (
            (-likeness, place, other)
            for place, record in enumerate(left.new)
            for other, before in enumerate(left.old)
            if (likeness := _likeness(before, record, single))
        )
    )
    changes: dict[int, Change] = {}
    taken: set[int] = set()
    for _, place, other in scored:
        if place not in changes and other not in taken:
            taken.add(other)
            changes[place] = Change("changed", left.new[place], left.old[other], "likely")
    remaining = Unpaired(
        [record for number, record in enumerate(left.old) if number not in taken],
        [record for number, record in enumerate(left.new) if number not in changes],
    )
    return [changes[place] for place in sorted(changes)], remaining


def key_of(record: Written, keys: Iterable[str]) -> str | None:
    """The values that identify a record; None if one is missing."""
    values = [record["values"].get(name) for name in keys]
    return None if not values or any(value is None for value in values) else _json(values)


def _content(record: Written) -> str:
    """The values of a record and its children, without their places."""
    return _json([record["values"], [_content(child) for child in record.get("children", ())]])


def _cells(record: Written) -> set[tuple[str, str]]:
    """Each field with its value."""
    return {
        (name, _json(value)) for name, value in record["values"].items() if value not in (None, [])
    }


def _single_values(records: Iterable[Written]) -> set[tuple[str, str]]:
    """The values that only one of these records has."""
    counts = Counter(cell for record in records for cell in _cells(record))
    return {cell for cell, count in counts.items() if count == 1}


def _likeness(old: Written, new: Written, single: set[tuple[str, str]]) -> float:
    """The share of equal values; 0 for records that may as well be different ones."""
    before, after = _cells(old), _cells(new)
    common = before & after
    most = max(len(before), len(after))
    if 2 * len(common) < most or not common & single:
        return 0.0
    return len(common) / most


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)

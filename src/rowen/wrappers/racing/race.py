"""The race of left delimiters, by which nested and missing-field wrappers run.

A tabular wrapper knows which field comes next. Here several may, and the page decides: from the
cursor on, the left delimiter that comes first wins, and the value is its field's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowen.wrappers.base import Failure


class Endless(Failure):
    """The right delimiter of this field's value is missing."""

    def __init__(self, name: str, field: int, right: str, start: int) -> None:
        super().__init__(f"field {name!r}: no {right!r} after the value at {start}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Rule:
    """Which fields race, and who wins where two left delimiters start at the same place."""

    order: tuple[tuple[int, ...], ...]
    """The fields that race at the start of a page, after field 0, after field 1, ..., each in
    the order in which they win ties."""
    longest: bool
    """Whether the longer delimiter wins a tie, and the order only decides between equal ones."""

    def entrants(self, before: int) -> tuple[int, ...]:
        """The fields that race after a value of field `before`, -1 at the start of a page."""
        return self.order[before + 1]

    def ahead(self, before: int, rival: int, field: int) -> bool:
        """Whether the rival is preferred to the field in a tie, lengths aside."""
        order = self.order[before + 1]
        return order.index(rival) < order.index(field)

    def wins_tie(self, *, overhang: int, ahead: bool) -> bool:
        """Whether a rival that starts where the field does wins, `overhang` longer than it."""
        if self.longest and overhang:
            return overhang > 0
        return ahead


def run_race(
    text: str,
    rule: Rule,
    left: Sequence[str],
    right: Sequence[str],
    *,
    fields: Sequence[str],
    cursor: int = 0,
    tail: str | None = None,
) -> Iterator[tuple[int, int, int]]:
    """The values in page order as `(field, start, end)`; raises `Endless` where one has no end.

    Where each left delimiter comes next is remembered, so that the page is read once a field.
    """
    find, order, longest = text.find, rule.order, rule.longest
    nowhere = len(text) + 1
    places = [-1] * len(left)
    stop = nowhere if tail is None else -1
    before = -1
    while True:
        best, winner = nowhere, -1
        for field in order[before + 1]:
            place = places[field]
            if place < cursor:
                place = find(left[field], cursor)
                places[field] = place = nowhere if place < 0 else place
            if place < best or (
                longest and place == best < nowhere and len(left[field]) > len(left[winner])
            ):
                best, winner = place, field
        if winner < 0:
            return
        if tail is not None:
            if stop < cursor:
                stop = find(tail, cursor)
                stop = nowhere if stop < 0 else stop
            if stop <= best:
                return
        start = best + len(left[winner])
        end = find(right[winner], start)
        if end < 0:
            raise Endless(fields[winner], winner, right[winner], start)
        yield winner, start, end
        cursor, before = end, winner


def find_head(text: str, head: str) -> int:
    """Where the race starts: at the head, without which there is none."""
    place = text.find(head)
    if place < 0:
        raise Failure(f"no head {head!r} on the page")
    return place

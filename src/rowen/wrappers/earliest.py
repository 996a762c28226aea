"""The scan of the nested and missing-field classes: the earliest left delimiter wins.

A tabular wrapper knows which field comes next. Here several fields may, and the page decides: of
the left delimiters of all fields that may come next, the one found first from the cursor on decides
which field the next value has (thesis, section 5.3).

    left  <b> <i>    right  </b> </i>

    <b>Ada</b> <i>1815</i> <i>1852</i> <b>Alan</b>
    ^ at 0: <b> is first, the value is Ada; the cursor moves to its </b>
           ^ <i> comes before the next <b>: the value is 1815
                        ^ <i> again: 1852
                                    ^ no <i> is left, <b> is: Alan
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowen.wrappers.base import Failure


class MissingRight(Failure):
    """The right delimiter of this field's value is missing."""

    def __init__(self, name: str, field: int, right: str, start: int) -> None:
        super().__init__(f"field {name!r}: no {right!r} after the value at {start}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Rule:
    """Which fields may come next, and which wins where two left delimiters start together."""

    order: tuple[tuple[int, ...], ...]
    """The fields that may come at the start of a page, after field 0, after field 1, ..., each in
    the order in which they win ties."""
    longest: bool
    """Whether the longer delimiter wins a tie, and the order only decides between equal ones."""

    def candidates(self, before: int) -> tuple[int, ...]:
        """The fields that may come after a value of field `before`, -1 at the start of a page."""
        return self.order[before + 1]

    def prefers(self, before: int, rival: int, field: int) -> bool:
        """Whether a rival field is preferred to the field in a tie, lengths aside."""
        order = self.order[before + 1]
        return order.index(rival) < order.index(field)

    def wins_tie(self, *, longer_by: int, preferred: bool) -> bool:
        """Whether a rival's delimiter wins that starts where the field's does.

        It is `longer_by` characters longer than the field's.
        """
        if self.longest and longer_by:
            return longer_by > 0
        return preferred


def scan_earliest(
    text: str,
    rule: Rule,
    left: Sequence[str],
    right: Sequence[str],
    *,
    fields: Sequence[str],
    cursor: int = 0,
    tail: str | None = None,
) -> Iterator[tuple[int, int, int]]:
    """The values in page order as `(field, start, end)`.

    Raises `MissingRight` where a value has no end. The scan ends where no left delimiter is found,
    or where the tail starts at or before the earliest one.
    """
    find, order, longest = text.find, rule.order, rule.longest
    nowhere = len(text) + 1
    # The next place of each left delimiter. One at or after the cursor is still the next, so that
    # the page is searched once per field and not once per value.
    places = [-1] * len(left)
    stop = nowhere if tail is None else -1
    before = -1
    while True:
        earliest, winner = nowhere, -1
        for field in order[before + 1]:
            place = places[field]
            if place < cursor:
                place = find(left[field], cursor)
                places[field] = place = nowhere if place < 0 else place
            # At the same place the order decides, or the length: a longer left delimiter is the
            # more specific.
            if place < earliest or (
                longest and place == earliest < nowhere and len(left[field]) > len(left[winner])
            ):
                earliest, winner = place, field
        if winner < 0:
            return
        if tail is not None:
            if stop < cursor:
                stop = find(tail, cursor)
                stop = nowhere if stop < 0 else stop
            if stop <= earliest:
                return
        start = earliest + len(left[winner])
        end = find(right[winner], start)
        if end < 0:
            raise MissingRight(fields[winner], winner, right[winner], start)
        yield winner, start, end
        cursor, before = end, winner


def find_head(text: str, head: str) -> int:
    """Where the scan starts: at the head; a page without it has no records."""
    place = text.find(head)
    if place < 0:
        raise Failure(f"no head {head!r} on the page")
    return place

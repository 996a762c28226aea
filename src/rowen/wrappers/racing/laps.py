"""Labels as the race has to run them: the values of each page in order, with their gaps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rowen.model import NoConsistentWrapper, Page
from rowen.wrappers.racing.race import Rule


class Value(NamedTuple):
    """One labelled value."""

    field: int
    start: int
    end: int


class Turn(NamedTuple):
    """One race that must be won: by `field`, whose value starts at `start`, from `cursor` on."""

    page: Page
    cursor: int
    start: int
    field: int
    before: int
    """The field of the value before, -1 for a page's first."""


@dataclass(frozen=True, slots=True)
class Lap:
    """All values of a page, in page order; with `partial` more follow that nobody marked."""

    page: Page
    values: tuple[Value, ...]
    partial: bool

    @property
    def cursor(self) -> int:
        """Where the last race starts, which nobody wins: the end of the last value."""
        return self.values[-1].end if self.values else 0

    @property
    def last(self) -> int:
        """The field of the last value, -1 without any."""
        return self.values[-1].field if self.values else -1

    def turns(self) -> list[Turn]:
        """The races of this page, from its very start on."""
        found = []
        cursor, before = 0, -1
        for field, start, end in self.values:
            found.append(Turn(self.page, cursor, start, field, before))
            cursor, before = end, field
        return found


def longest_lefts(laps: Sequence[Lap], fields: Sequence[str]) -> list[str]:
    """For each field the longest text that ends all gaps before its values."""
    longest: list[str | None] = [None] * len(fields)
    for lap in laps:
        for turn in lap.turns():
            text = turn.page.text
            now = longest[turn.field]
            if now is None:
                now = text[turn.cursor : turn.start]
            longest[turn.field] = _common_end(now, text, turn.cursor, turn.start)
    for number, one in enumerate(longest):
        if one == "":
            raise NoConsistentWrapper(
                "the texts before its values have no common end",
                field=fields[number],
                pages=_pages_with(laps, number),
            )
    return [one or "" for one in longest]


def right_bounds(laps: Sequence[Lap], fields: Sequence[str]) -> list[tuple[str, int]]:
    """For each field its longest right delimiter, and the least length that works.

    A right delimiter doesn't depend on any other. It reaches at most to the next value (5.3.3),
    starts the text after each value, and a longer one is found less often inside of values.
    """
    after: list[list[tuple[Page, Value, int]]] = [[] for _ in fields]
    for lap in laps:
        limits = [value.start for value in lap.values[1:]] + [len(lap.page.text)]
        for value, limit in zip(lap.values, limits, strict=False):
            after[value.field].append((lap.page, value, limit))
    return [_right_bound(places, name) for places, name in zip(after, fields, strict=True)]


def _right_bound(places: list[tuple[Page, Value, int]], name: str) -> tuple[str, int]:
    if not places:
        return "", 0
    first, value, limit = places[0]
    longest = first.text[value.end : limit]
    for page, value, limit in places:
        longest = longest[: limit - value.end]
        size = len(longest)
        if not page.text.startswith(longest, value.end):
            size = _common_start(longest, page.text, value.end)
        longest = longest[:size]

    def first_bad(length: int) -> Page | None:
        part = longest[:length]
        for page, value, _ in places:
            if page.text.find(part, value.start, value.end + length) != value.end:
                return page
        return None

    if not longest:
        raise NoConsistentWrapper(
            "the texts after its values have no common start", field=name, pages=_unique(places)
        )
    bad = first_bad(len(longest))
    if bad is not None:
        raise NoConsistentWrapper(
            f"{_shown(longest)} is all that the texts after its values start with, "
            "and it also stands inside a value",
            field=name,
            pages=(bad.id,),
        )
    return longest, least(len(longest), lambda length: first_bad(length) is None)


def least(high: int, works: Callable[[int], bool]) -> int:
    """The least length from 1 on that works, where all above one that works do, and `high` does."""
    low = 1
    while low < high:
        middle = (low + high) // 2
        if works(middle):
            high = middle
        else:
            low = middle + 1
    return low


def check_transitions(turns: Iterable[Turn], rule: Rule, fields: Sequence[str]) -> None:
    """Refuse labels that no race can run: a value of a field that isn't in it."""
    for turn in turns:
        if turn.field not in rule.entrants(turn.before):
            raise NoConsistentWrapper(
                f"can't come where it stands at {turn.start}",
                field=fields[turn.field],
                pages=(turn.page.id,),
            )


def _common_end(end: str, text: str, start: int, stop: int) -> str:
    """The longest end of `end` that ends `text[start:stop]`, found by halving."""
    if text.endswith(end, start, stop):
        return end
    low, high = 0, min(len(end), stop - start)
    while low < high:
        middle = (low + high + 1) // 2
        if text.endswith(end[len(end) - middle :], start, stop):
            low = middle
        else:
            high = middle - 1
    return end[len(end) - low :]


def _common_start(longest: str, text: str, start: int) -> int:
    low, high = 0, len(longest)
    while low < high:
        middle = (low + high + 1) // 2
        if text.startswith(longest[:middle], start):
            low = middle
        else:
            high = middle - 1
    return low


def _pages_with(laps: Sequence[Lap], field: int) -> tuple[str, ...]:
    return tuple(lap.page.id for lap in laps if any(one.field == field for one in lap.values))


def _unique(places: list[tuple[Page, Value, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(page.id for page, _, _ in places))


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")

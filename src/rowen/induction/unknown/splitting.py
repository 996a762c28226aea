"""Delimiters of all lengths at once: a search that splits only where they find different places.

A right delimiter is a prefix of one text, a left one a suffix of another; only its length is open.
The longer it is, the later it is first found: if the shortest of a range is found where the longest
is, so are all between. Where they are not, the range is cut in two, and each part is run by itself.
Running a page like that finds every choice of delimiters that reproduces its known values. It looks
at as many of them as read its unknown values in different ways, not at all of them.

    <b>Ada</b>: (12)<br><b>Alan</b> (3)     left of phone: a suffix of "</b> (", lengths 1 to 6

    after Ada   length 1, "(", is found before 12, length 6 before 3: the range is cut
                lengths 1 and 2 are found before 12: one part, run once
                lengths 3 to 6, "> (" and so on, are found before 3: the other part

This is branch and prune, as constraint solvers do it on boxes of intervals.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from rowen.induction import budget
from rowen.induction.lengths import least_length

Range: TypeAlias = tuple[int, int]
"""The least and the greatest length."""

Result = TypeVar("Result")

LIKELY = 200
"""How many heads, tails and closing delimiters are tried before all of them."""


@dataclass(frozen=True, slots=True)
class Side:
    """A field's left or right delimiter, of which only the length is open."""

    longest: str
    is_left: bool
    rank: Callable[[str, int, int], Iterator[int]]
    """The lengths from one to another, the best first."""

    def cut(self, length: int) -> str:
        """The delimiter of a length."""
        return self.longest[len(self.longest) - length :] if self.is_left else self.longest[:length]

    def best(self, lengths: Range) -> int:
        """The length to take out of a range."""
        return next(self.rank(self.longest, *lengths))

    def find(self, text: str, cursor: int, length: int) -> int:
        """Where a value starts or ends by the delimiter of a length; -1 where it isn't found."""
        place = text.find(self.cut(length), cursor)
        return place + length if self.is_left and place >= 0 else place

    def ends(self, text: str, cursor: int, place: int, length: int) -> bool:
        """Whether the delimiter of another length also begins or ends a value at `place`."""
        start = place - length if self.is_left else place
        return start >= cursor and text.startswith(self.cut(length), start)


@dataclass(frozen=True, slots=True)
class Box:
    """The delimiters that are still possible."""

    sides: tuple[Side, ...]
    ranges: tuple[Range, ...]
    heads: tuple[str, ...] = ("",)
    closes: tuple[str, ...] = ("",)
    tails: tuple[str, ...] | None = None
    """None for a class without them."""

    def find(self, number: int, text: str, cursor: int) -> int:
        """Where all lengths of a side are found, -1 where none is; `Split` where they differ."""
        side, (low, high) = self.sides[number], self.ranges[number]
        place = side.find(text, cursor, low)
        # The shortest is found first; if the longest is there, too, so are all between.
        if place < 0 or side.ends(text, cursor, place, high):
            return place
        # Up to some length all are found there: a longer one starts before the cursor, or differs.
        differs = least_length(low + 1, high, lambda n: not side.ends(text, cursor, place, n))
        raise self.split(number, differs - 1)

    def split(self, number: int, length: int) -> "Split":
        """The lengths of a side up to one, and those above it, the better part first."""
        low, high = self.ranges[number]
        parts = [(low, length), (length + 1, high)]
        # Depth first, with the preferred length: most searches end with the first solution.
        best = self.sides[number].best((low, high))
        parts.sort(key=lambda part: not part[0] <= best <= part[1])
        return Split([self.within(number, part) for part in parts])

    def within(self, number: int, lengths: Range) -> "Box":
        """The same with other lengths of a side."""
        ranges = (*self.ranges[:number], lengths, *self.ranges[number + 1 :])
        return replace(self, ranges=ranges)

    def likely(self) -> "Box":
        """The same with only the best of heads, closing delimiters and tails; and none of them."""
        return replace(
            self,
            heads=tuple(dict.fromkeys((*self.heads[:LIKELY], ""))),
            closes=tuple(dict.fromkeys((*self.closes[:LIKELY], ""))),
            tails=None if self.tails is None else self.tails[:LIKELY],
        )

    def chosen(self) -> list[str]:
        """The best delimiter of each side, "" for one without any."""
        return [
            side.cut(side.best(lengths)) if side.longest else ""
            for side, lengths in zip(self.sides, self.ranges, strict=True)
        ]


class Split(Exception):  # noqa: N818  # caught by `solve`
    """The parts of a box that find different places, each to be run by itself."""

    def __init__(self, parts: list[Box]) -> None:
        super().__init__()
        self.parts = parts


class Infeasible(Exception):  # noqa: N818  # caught by `solve`
    """No delimiters in a box reproduce the known values."""


def solve(box: Box, run: Callable[[Box], Result]) -> Iterator[Result]:
    """What `run` gives for the parts of a box that it neither splits nor refuses, best first."""
    # A stack, not recursion: ranges can be cut as often as they have lengths.
    waiting = [box]
    while waiting:
        budget.check()
        try:
            result = run(waiting.pop())
        except Split as split:
            # The first part is the better one: it is on top.
            waiting.extend(reversed(split.parts))
        except Infeasible:
            continue
        else:
            yield result


class InnerTails:
    """The tails that occur between the known values of a page: only these can end it there.

    Most tails occur only after the records, and need not be looked for before each of them.
    """

    def __init__(self, tails: Sequence[str] | None) -> None:
        self._tails = tails or ()
        self._cache: dict[tuple[str, int, int], list[str]] = {}

    def between(self, text: str, start: int, end: int, tails: Sequence[str]) -> list[str]:
        """The tails among `tails` that start from `start` to `end`."""
        inner = self._cache.get((text, start, end))
        if inner is None:
            budget.check()
            inner = [tail for tail in self._tails if text.find(tail, start, end + len(tail)) >= 0]
            self._cache[text, start, end] = inner
        if not inner:
            return inner
        possible = set(tails)
        return [tail for tail in inner if tail in possible]

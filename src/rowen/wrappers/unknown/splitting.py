"""Delimiters of all lengths at once, told apart only where they do different things.

A right delimiter is a start of one text, a left one an end of another; only its length is open. The
longer it is, the later it is first found: if the shortest of a range is found where the longest is,
so are all between. Where they are not, the range is cut in two, and each part is run by itself.
Running a page like that finds every choice of delimiters that gives its known values back, and
looks at as many as pass its unknown values in different ways, not at all of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from rowen.wrappers import budget

Range: TypeAlias = tuple[int, int]
"""The least and the greatest length."""

Result = TypeVar("Result")

LIKELY = 200
"""So many heads, tails and closing delimiters are tried before all of them."""


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
        """Where a value starts or ends by it; -1 where it isn't found."""
        place = text.find(self.cut(length), cursor)
        return place + length if self.is_left and place >= 0 else place

    def stands(self, text: str, cursor: int, place: int, length: int) -> bool:
        """Whether a value starts or ends there by it, too."""
        start = place - length if self.is_left else place
        return start >= cursor and text.startswith(self.cut(length), start)


@dataclass(frozen=True, slots=True)
class Box:
    """The delimiters that are still in question."""

    sides: tuple[Side, ...]
    ranges: tuple[Range, ...]
    heads: tuple[str, ...] = ("",)
    closes: tuple[str, ...] = ("",)
    tails: tuple[str, ...] | None = None
    """None for a class without them."""

    def find(self, number: int, text: str, cursor: int) -> int:
        """Where all of a side's lengths are found, -1 where none is; `Split` where they differ."""
        side, (low, high) = self.sides[number], self.ranges[number]
        place = side.find(text, cursor, low)
        if place < 0 or side.stands(text, cursor, place, high):
            return place
        while high - low > 1:
            middle = (low + high) // 2
            if side.stands(text, cursor, place, middle):
                low = middle
            else:
                high = middle
        raise self.split(number, low)

    def split(self, number: int, length: int) -> "Split":
        """The lengths of a side up to one, and those above it, the better part first."""
        low, high = self.ranges[number]
        parts = [(low, length), (length + 1, high)]
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
    """What does different things has to be run by itself, in these parts."""

    def __init__(self, parts: list[Box]) -> None:
        super().__init__()
        self.parts = parts


class Astray(Exception):  # noqa: N818  # caught by `solve`
    """Nothing in a box gives the known values back."""


def solve(box: Box, run: Callable[[Box], Result]) -> Iterator[Result]:
    """What `run` gives for the parts of a box that it neither splits nor refuses, best first."""
    waiting = [box]
    while waiting:
        budget.check()
        try:
            found = run(waiting.pop())
        except Split as split:
            waiting.extend(reversed(split.parts))
        except Astray:
            continue
        else:
            yield found

"""The rows of a page's labels as a tree: which row must come before which on the page.

Records of one list follow each other, each with all that is nested in it. Children follow their
parent's own values. Records of a nested field may be before, between or after them.

    0  title                     row 3 comes after 0, 1 and 2; row 2 after 1; nothing is said
      1  reviews: author         about 0 and 1
      2  reviews: author
    3  title
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Self

from rowen.records.positions import Position


class Bounds:
    """The first start and the last end of the positions taken in each row."""

    def __init__(self, rows: int, size: int) -> None:
        self.starts = [size] * rows
        self.ends = [0] * rows
        self.size = size

    def add(self, row: int, position: Position) -> None:
        """One more position in a row."""
        self.starts[row] = min(self.starts[row], position[0])
        self.ends[row] = max(self.ends[row], position[1])


class Occupied:
    """Positions that are taken, of any number of rows."""

    def __init__(self, taken: Iterable[Position]) -> None:
        ordered = sorted(taken)
        self._starts = [start for start, _ in ordered]
        self._reached = list(accumulate((end for _, end in ordered), max))

    def leaves(self, start: int, end: int) -> bool:
        """Whether a position overlaps none of them."""
        before = bisect_left(self._starts, end)
        return not before or self._reached[before - 1] <= start


@dataclass(slots=True)
class RowTree:
    """Rows in preorder, each with the lists of rows in it."""

    lists: list[dict[str, list[int]]] = field(default_factory=list)
    """For each row, its lists by name."""
    top: list[int] = field(default_factory=list)
    followers: set[int] = field(default_factory=set)
    """Rows that come after the own values of the row around them."""

    @classmethod
    def flat(cls, rows: int) -> Self:
        """Rows of which none is nested in another."""
        tree = cls()
        for _ in range(rows):
            tree.add(None, group="", follows=True)
        return tree

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.lists)

    def add(self, around: int | None, *, group: str, follows: bool) -> int:
        """Add a row at the end of a list of another row; returns its number."""
        row = self.size
        self.lists.append({})
        if around is None:
            self.top.append(row)
        else:
            self.lists[around].setdefault(group, []).append(row)
        if follows and around is not None:
            self.followers.add(row)
        return row

    def is_alone(self, row: int) -> bool:
        """Whether a row is the only record of its page, without children."""
        return self.top == [row] and not any(
            rows[0] in self.followers for rows in self.lists[row].values()
        )

    @property
    def has_free_rows(self) -> bool:
        """Whether rows are nested in others without an order between them."""
        return len(self.top) + len(self.followers) < self.size

    def windows(self, bounds: Bounds) -> list[tuple[int, int]]:
        """For each row the bounds that the rows before and after it leave to its values."""
        first, last = list(bounds.starts), list(bounds.ends)  # with all that is nested
        for row in range(self.size - 1, -1, -1):
            for inner in (inner for rows in self.lists[row].values() for inner in rows):
                first[row] = min(first[row], first[inner])
                last[row] = max(last[row], last[inner])
        windows = [(0, bounds.size)] * self.size
        self._divide(self.top, (0, bounds.size), first, last, windows)
        for row in range(self.size):  # preorder: each row has its window before those in it
            low, high = window = windows[row]
            for rows in self.lists[row].values():
                if rows[0] in self.followers:
                    # The row's own values end where its children begin, and the other way round.
                    high = min(high, *(first[inner] for inner in rows))
                    after = (max(window[0], bounds.ends[row]), window[1])
                    self._divide(rows, after, first, last, windows)
                else:
                    self._divide(rows, window, first, last, windows)
            windows[row] = (low, high)
        return windows

    @staticmethod
    def _divide(
        rows: Iterable[int],
        window: tuple[int, int],
        first: list[int],
        last: list[int],
        windows: list[tuple[int, int]],
    ) -> None:
        """Set the windows of rows that follow each other within one."""
        listed = list(rows)
        low, high = window
        for row in listed:
            windows[row] = (low, window[1])
            low = max(low, last[row])
        for row in reversed(listed):
            windows[row] = (windows[row][0], high)
            high = min(high, first[row])

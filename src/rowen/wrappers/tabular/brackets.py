"""Opening and closing delimiters: what each pair does between records (C4, and C5 without h, t)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rowen.wrappers.tabular.pool import NEVER, Classes, Numbers, Pool
from rowen.wrappers.tabular.preference import best_string, rank_classes
from rowen.wrappers.tabular.windows import Windows

HARD_GAPS = 8
"""Most pairs of delimiters fail in the gaps where others did: so many of these are tried first."""


@dataclass(frozen=True, slots=True)
class Closings:
    """One opening delimiter with every closing delimiter that passes the hard gaps, a row each."""

    closes: NDArray[np.intp]
    """Which closing delimiters these are."""
    low: Numbers
    high: Numbers
    """The lengths of `l1` that fit all gaps."""
    opened: Numbers
    """Where it opens next, a column a gap, then a column a tail; NEVER where it doesn't."""


class Brackets:
    """The classes of `o` and `c`.

    `o` lies in every head and starts in every gap, `c` starts in every gap and every tail. With `c`
    the scan stands at its first start after a record; the next `o` from there must lie in the
    window of `l1`.
    """

    def __init__(self, pool: Pool, longest: int) -> None:
        self.pool = pool
        self.heads = Windows(pool, pool.heads, longest)
        self.gaps = Windows(pool, pool.gaps, longest)
        self.opens = self._open_candidates()
        self.closes = self._close_candidates()
        self._hard: list[int] = []
        self.tail_ends = np.array([region.end for region in pool.tails], dtype=np.int32)

    def closings(self, places: Numbers) -> Closings:
        """What an `o` that starts at these places does with each `c`."""
        count = len(self.pool.gaps)
        hard = next_places(places, self.closes.first[:, self._hard])
        low, high = self.gaps.lengths(hard, self._hard)
        closes = np.flatnonzero(low <= high)
        opened = next_places(places, self.closes.first[closes])
        low, high = self.gaps.lengths(opened[:, :count])
        for row in np.flatnonzero(low > high)[:1]:
            fatal = self.gaps.tightest(opened[row : row + 1, :count])
            self._hard = [*fatal, *(gap for gap in self._hard if gap not in fatal)][:HARD_GAPS]
        tails = opened[:, count:]
        opened[:, count:] = np.where(tails < self.tail_ends, tails, NEVER)
        return Closings(closes, low, high, opened)

    def keep_last_closes(self) -> None:
        """Without gaps, `c` has only to come late in the tails: drop those that others outdo."""
        self.closes = self.closes[np.sort(maximal(self.closes.first))]

    def open_string(self, row: int) -> str:
        """The opening delimiter of a class."""
        opens = self.opens
        start = int(opens.first[row, 0])
        return best_string(self.pool, start, int(opens.shortest[row]), int(opens.longest[row]))

    def close_string(self, row: int) -> str:
        """The closing delimiter of a class."""
        closes = self.closes
        if not closes.longest[row]:
            return ""
        start = int(closes.first[row, 0])
        return best_string(self.pool, start, int(closes.shortest[row]), int(closes.longest[row]))

    def _open_candidates(self) -> Classes:
        pool = self.pool
        regions = [*pool.heads, *pool.gaps]
        found = pool.classes(regions, pool.distances(pool.empty), pool.distances(pool.tails))
        ends = np.array([region.end for region in regions], dtype=np.int32)
        room = (ends - found.first)[:, : len(pool.heads)].min(axis=1, initial=NEVER)
        fits = found.shortest <= room
        found, room = found[fits], room[fits]
        distance = (ends - found.first).max(axis=1, initial=0)
        longest = np.minimum(found.longest, room)
        kept = Classes(found.start, found.end, found.shortest, longest, found.first, found.heaviest)
        return kept[rank_classes(pool, kept, longest, distance.astype(np.int32))]

    def _close_candidates(self) -> Classes:
        """The classes of `c`, the best first: before all others the empty string."""
        pool = self.pool
        regions = [*pool.gaps, *pool.tails]
        begins = np.array([[region.start for region in regions]], dtype=np.int32)
        none = np.zeros(1, dtype=np.int32)
        empty = Classes(none, none, none, none, begins, np.zeros((1, 0), dtype=np.int32))
        if not regions:
            return empty
        found = pool.classes(regions)
        distance = (found.first - begins).max(axis=1, initial=0)
        found = found[rank_classes(pool, found, found.longest, distance.astype(np.int32))]
        return Classes(
            np.append(none, found.start),
            np.append(none, found.end),
            np.append(none, found.shortest),
            np.append(none, found.longest),
            np.concatenate((begins, found.first)),
            np.zeros((len(found) + 1, 0), dtype=np.int32),
        )


def next_places(places: Numbers, cursors: Numbers) -> Numbers:
    """For each cursor the first of the sorted places at or after it, or NEVER."""
    known = np.append(places, np.int32(NEVER)).astype(np.int32)
    return known[np.searchsorted(places, cursors)]


def maximal(rows: Numbers) -> NDArray[np.intp]:
    """The rows that no other outdoes everywhere: if a row is above a bound, one of these is."""
    order = np.argsort(-rows.astype(np.int64).sum(axis=1), kind="stable")
    kept: list[int] = []
    front = np.empty((0, rows.shape[1]), dtype=rows.dtype)
    for row in order:
        if not (front >= rows[row]).all(axis=1).any():
            kept.append(int(row))
            front = rows[kept]
    return np.array(kept, dtype=np.intp)

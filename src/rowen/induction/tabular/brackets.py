"""Opening and closing delimiters: what each pair does between records.

Constraint C4 of the thesis, and C5 without head and tail.

    </B></LI><B>Ad</B><LI>2<B>        a gap; l1 = <B>, which ends it

    o = <LI>, c = ""    the scan goes on at the start of the gap; the next <LI> comes after Ad, and
                        the next <B> from there is the right one
    o = <LI>, c = <LI>  the same: c may start where o does
    o = </B>            the next </B> is at the start of the gap, the next <B> is that of Ad: no
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rowen.induction.tabular.pool import NEVER, Classes, Numbers, Pool
from rowen.induction.tabular.preference import best_string, rank_classes
from rowen.induction.tabular.windows import Windows

HARD_GAPS = 8
"""How many gaps are tried first: most pairs of delimiters fail in gaps where others did."""


@dataclass(frozen=True, slots=True)
class Closings:
    """One opening delimiter with each closing delimiter that passes the hard gaps: one per row."""

    closes: NDArray[np.intp]
    """Which closing delimiters these are."""
    low: Numbers
    high: Numbers
    """The lengths of `l1` that fit all gaps."""
    opened: Numbers
    """Where it opens next: one column per gap, then one per tail; NEVER where it doesn't."""


class Brackets:
    """The classes of `o` and `c`.

    `o` lies in every head and starts in every gap, `c` starts in every gap and every tail. With `c`
    the scan goes on at its first start after a record; the next `o` from there must lie in the
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
        # Few gaps first: most closing delimiters fail in these, and the others need no look.
        hard = next_places(places, self.closes.first[:, self._hard])
        low, high = self.gaps.lengths(hard, self._hard)
        closes = np.flatnonzero(low <= high)
        opened = next_places(places, self.closes.first[closes])
        low, high = self.gaps.lengths(opened[:, :count])
        # A gap in which a pair fails is likely to fail the next pairs, too.
        for row in np.flatnonzero(low > high)[:1]:
            fatal = self.gaps.tightest(opened[row : row + 1, :count])
            self._hard = [*fatal, *(gap for gap in self._hard if gap not in fatal)][:HARD_GAPS]
        # An `o` beyond a page's end belongs to the next page in the pool.
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
        classes = pool.classes(regions, pool.distances(pool.empty), pool.distances(pool.tails))
        ends = np.array([region.end for region in regions], dtype=np.int32)
        room = (ends - classes.first)[:, : len(pool.heads)].min(axis=1, initial=NEVER)
        fits = classes.shortest <= room
        classes, room = classes[fits], room[fits]
        distance = (ends - classes.first).max(axis=1, initial=0)
        longest = np.minimum(classes.longest, room)
        opens = replace(classes, longest=longest)
        return opens[rank_classes(pool, opens, longest, distance.astype(np.int32))]

    def _close_candidates(self) -> Classes:
        """The classes of `c`, the best first: before all others the empty string."""
        pool = self.pool
        regions = [*pool.gaps, *pool.tails]
        begins = np.array([[region.start for region in regions]], dtype=np.int32)
        none = np.zeros(1, dtype=np.int32)
        empty = Classes(none, none, none, none, begins, np.zeros((1, 0), dtype=np.int32))
        if not regions:
            return empty
        classes = pool.classes(regions)
        distance = (classes.first - begins).max(axis=1, initial=0)
        classes = classes[rank_classes(pool, classes, classes.longest, distance.astype(np.int32))]
        return Classes(
            np.append(none, classes.start),
            np.append(none, classes.end),
            np.append(none, classes.shortest),
            np.append(none, classes.longest),
            np.concatenate((begins, classes.first)),
            np.zeros((len(classes) + 1, 0), dtype=np.int32),
        )


def next_places(places: Numbers, cursors: Numbers) -> Numbers:
    """For each cursor the first of the sorted places at or after it, or NEVER."""
    ended = np.append(places, np.int32(NEVER)).astype(np.int32)
    return ended[np.searchsorted(places, cursors)]


def maximal(rows: Numbers) -> NDArray[np.intp]:
    """The rows that no other outdoes everywhere: if a row is above a bound, one of these is."""
    # A row with a larger sum is not dominated by one with a smaller, so that one pass is enough.
    order = np.argsort(-rows.astype(np.int64).sum(axis=1), kind="stable")
    undominated: list[int] = []
    front = np.empty((0, rows.shape[1]), dtype=rows.dtype)
    for row in order:
        if not (front >= rows[row]).all(axis=1).any():
            undominated.append(int(row))
            front = rows[undominated]
    return np.array(undominated, dtype=np.intp)

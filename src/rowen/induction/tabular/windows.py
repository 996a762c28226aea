"""Which lengths of the first left delimiter fit where the scan is (C3 to C5, parts i and iv).

The first left delimiter is a suffix of a longest one, so that its length says which it is. With the
cursor at `p` in a region it finds the region's end when no other occurrence starts between, and
when it still starts at or after `p`: an interval of lengths.

    <b>x</b><p><b>      a region; the longest is "<p><b>"
            ^ p = 8     all lengths from 1 to 6 fit: from there on the last <b> is the first one
    ^ p = 0             lengths 1 to 3 find the first <b>: only 4 to 6 fit
"""

from typing import TypeAlias

import numpy as np

from rowen.induction.tabular.pool import NEVER, Numbers, Pool, Region

Regions: TypeAlias = list[int] | slice
ALL = slice(None)


class Windows:
    """For regions that end in `longest`: the admissible lengths at each place."""

    def __init__(self, pool: Pool, regions: list[Region], longest: int) -> None:
        self.longest = longest
        self.ends = np.array([region.end for region in regions], dtype=np.int32)
        self._begins = np.array([region.start for region in regions], dtype=np.int32)
        sizes = self.ends - self._begins
        self._offsets = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int32)
        tables = [_least_lengths(pool, region, longest) for region in regions]
        self._least = np.concatenate([*tables, np.empty(0, dtype=np.int32)])

    def lengths(self, places: Numbers, regions: Regions = ALL) -> tuple[Numbers, Numbers]:
        """The least and the largest length for rows of places, with one column per region.

        A row whose least length is above its largest has none.
        """
        if not places.shape[1]:
            rows = len(places)
            return np.ones(rows, dtype=np.int32), np.full(rows, self.longest, dtype=np.int32)
        low, high = self._each(places, regions)
        return low.max(axis=1), np.minimum(high.min(axis=1), self.longest)

    def tightest(self, places: Numbers) -> set[int]:
        """The regions with the largest least length and with the least largest one, of a row."""
        low, high = self._each(places, ALL)
        return {int(low.argmax()), int(high.argmin())}

    def _each(self, places: Numbers, regions: Regions) -> tuple[Numbers, Numbers]:
        begins, ends = self._begins[regions], self.ends[regions]
        inside = (places >= begins) & (places < ends)
        at = np.where(inside, places - begins, 0) + self._offsets[regions]
        # Outside of its region a place fits no length: the least is above the largest.
        low = np.where(inside, self._least[at], NEVER)
        return low.astype(np.int32), np.where(inside, ends - places, 0).astype(np.int32)


def _least_lengths(pool: Pool, region: Region, longest: int) -> Numbers:
    """For each place of a region, the least length that has no other start from there on."""
    last = pool.last_starts(region, longest)
    places = np.arange(region.start, region.end, dtype=np.int32)
    # `last` falls with the length: count the lengths that start at or after each place.
    return (1 + np.searchsorted(-last, -places, side="right")).astype(np.int32)

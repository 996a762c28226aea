"""Copy regions and gaps of an extractor that works on each segment by itself.

The paper has windows only; this is Rowen's own. Equal segments have equal records, so that a
segment is copied if an old region holds all of it, and it is a whole segment of the old page, too.
With lines as segments, which end at `|` here:

    old page     CS 105, 2 pm|CS 310, 4 pm|CS 311, 9 am
    new page     CS 105, 2 pm|CS 310, 5 pm|CS 311, 9 am
    old regions  [-------------------] [--------------]
    copies       [----------]              [----------]
    gaps                      [----------]

Only the changed line is extracted. A window wide enough for a line would need γ more characters on
each side of it.
"""

import numpy as np

from rowen._core import segment_bounds, segments_elsewhere, segments_inside
from rowen.extractors.locality import Segments
from rowen.recycling.page_regions import PageRegions, Table

_SCANNED = 2000
"""How many characters of an old page are scanned in the time of one call of an extractor."""

_LOOKED_UP = 200
"""How many characters of a new page are looked up in that time."""

_JOINED = 16
"""How many gaps cost as much as one call: an extractor gets all gaps in one call."""


def segment_regions(
    locality: Segments, matches: Table, pages: tuple[str, str], sparing: int
) -> PageRegions:
    """What to copy and what to extract of a new page, given the old page and old regions."""
    if locality.of_marks:
        return _marked_regions(locality, matches, pages, sparing)
    return _separated_regions(locality, matches, *pages)


def _marked_regions(
    locality: Segments, matches: Table, pages: tuple[str, str], sparing: int
) -> PageRegions:
    """Separators of one character: only the ends of old regions need to be examined."""
    old, new = pages
    marks = "".join(locality.separators)
    starts, ends = segments_inside(old, new, matches, marks)
    holds_segments = starts <= ends
    starts, ends = starts[holds_segments], ends[holds_segments]
    shift = (matches[:, 0] - matches[:, 1])[holds_segments]
    copies = np.stack((starts - shift, ends - shift, shift), axis=1)
    # Between two copied stretches there are a separator, the gap's segments, and a separator.
    worth = (ends - starts >= sparing // _JOINED) | (starts == 0) | (ends == len(new))
    gap_starts = np.concatenate(([0], ends[worth] + 1))
    gap_ends = np.concatenate((starts[worth] - 1, [len(new)]))
    gaps = np.stack((gap_starts, gap_ends), axis=1)
    regions = PageRegions(copies, gaps[gap_starts <= gap_ends], locality, old)
    return _copy_moved_segments(regions, marks, pages, sparing)


def _copy_moved_segments(
    regions: PageRegions, marks: str, pages: tuple[str, str], sparing: int
) -> PageRegions:
    """Copy those segments of gaps, too, that are anywhere on the old page, however short they are.

    A call of an extractor takes as long as `sparing` characters. If scanning both pages takes
    longer than extracting half of the gaps, it is not done.
    """
    old, new = pages
    size = regions.left
    if sparing * (len(old) / _SCANNED + size / _LOOKED_UP) > size / 2:
        return regions
    # Equal segments have equal records wherever they are, so that no old region has to hold them.
    starts, ends, places = segments_elsewhere(old, new, regions.gaps, marks)
    is_old = places >= 0
    rows = np.stack((places, places + ends - starts, starts - places), axis=1)[is_old]
    starts, ends = starts[~is_old], ends[~is_old]
    separate = starts[1:] - ends[:-1] > sparing // _JOINED + 1
    gap_starts = starts[np.concatenate(([True], separate))] if len(starts) else starts
    gap_ends = ends[np.concatenate((separate, [True]))] if len(ends) else ends
    copies = np.concatenate((regions.copies, rows))
    return regions._replace(copies=copies, gaps=np.stack((gap_starts, gap_ends), axis=1))


def _separated_regions(locality: Segments, matches: Table, old: str, new: str) -> PageRegions:
    """Separators of any length: both pages are split into segments, which are compared.

    A longer separator may begin before the old region and end in it, on one of the pages only. So
    the ends of regions say too little.
    """
    starts, ends = segment_bounds(new, locality.separators)
    old_starts, old_ends = segment_bounds(old, locality.separators)
    shifts = np.zeros(len(starts), np.int64)
    is_old = np.zeros(len(starts), np.bool_)
    for start, old_start, length in matches.tolist():
        shift = start - old_start
        first = int(np.searchsorted(starts, start))
        last = int(np.searchsorted(ends, start + length, "right"))
        if first >= last:
            continue
        expected = starts[first:last] - shift
        at = np.searchsorted(old_starts, expected)
        # No old segment begins there or later: the first one begins earlier, and the test fails.
        at[at == len(old_starts)] = 0
        same = (old_starts[at] == expected) & (old_ends[at] == ends[first:last] - shift)
        # Old regions may overlap. Each copy of a segment has the same records, so that the first
        # will do.
        fresh = same & ~is_old[first:last]
        shifts[first:last][fresh] = shift
        is_old[first:last] |= same
    runs = np.flatnonzero((is_old[1:] != is_old[:-1]) | (shifts[1:] != shifts[:-1])) + 1
    begin = np.concatenate(([0], runs))
    until = np.concatenate((runs, [len(starts)])) - 1
    old_run = is_old[begin]
    shift_run = shifts[begin]
    copies = np.stack((starts[begin] - shift_run, ends[until] - shift_run, shift_run), axis=1)
    gaps = np.stack((starts[begin], ends[until]), axis=1)
    copies, gaps = copies[old_run].astype(np.int64), gaps[~old_run].astype(np.int64)
    return PageRegions(copies, gaps, locality, old)

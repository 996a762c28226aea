"""What may be copied and what must be extracted where each segment is worked on by itself."""

import numpy as np

from rowen._core import segment_bounds, segments_elsewhere, segments_inside
from rowen.extractors.locality import Segments
from rowen.reuse.shares import Reuse, Table

_SCANNED = 2000
"""How many characters of an old page are gone through in the time of an extractor's call."""

_LOOKED_UP = 200
"""How many characters of a new page are looked up in that time."""

_JOINED = 16
"""How many gaps take the time of a call: an extractor gets all of them at once."""


def segment_reuse(
    locality: Segments, regions: Table, pages: tuple[str, str], sparing: int
) -> Reuse:
    """What to copy and what to extract of a new page, given the old one and regions."""
    if locality.of_marks:
        return _mark_reuse(locality, regions, pages, sparing)
    return _separated_reuse(locality, regions, *pages)


def _mark_reuse(locality: Segments, regions: Table, pages: tuple[str, str], sparing: int) -> Reuse:
    """Separators of one character: only the ends of regions need to be looked at."""
    old, new = pages
    marks = "".join(locality.separators)
    starts, ends = segments_inside(old, new, regions, marks)
    kept = starts <= ends
    starts, ends = starts[kept], ends[kept]
    shift = (regions[:, 0] - regions[:, 1])[kept]
    copies = np.stack((starts - shift, ends - shift, shift), axis=1)
    # Between two stretches stand a separator, some segments, and a separator.
    worth = (ends - starts >= sparing // _JOINED) | (starts == 0) | (ends == len(new))
    gap_starts = np.concatenate(([0], ends[worth] + 1))
    gap_ends = np.concatenate((starts[worth] - 1, [len(new)]))
    gaps = np.stack((gap_starts, gap_ends), axis=1)
    plan = Reuse(copies, gaps[gap_starts <= gap_ends], locality, old)
    return _recall(plan, marks, pages, sparing)


def _recall(plan: Reuse, marks: str, pages: tuple[str, str], sparing: int) -> Reuse:
    """Copy segments that stand elsewhere on the old page, too, however short they are.

    An extractor's call takes as long as `sparing` characters. If going through both pages takes
    longer than half of the gaps, it is left.
    """
    old, new = pages
    size = plan.left
    if sparing * (len(old) / _SCANNED + size / _LOOKED_UP) > size / 2:
        return plan
    starts, ends, places = segments_elsewhere(old, new, plan.gaps, marks)
    known = places >= 0
    rows = np.stack((places, places + ends - starts, starts - places), axis=1)[known]
    starts, ends = starts[~known], ends[~known]
    apart = starts[1:] - ends[:-1] > sparing // _JOINED + 1
    gap_starts = starts[np.concatenate(([True], apart))] if len(starts) else starts
    gap_ends = ends[np.concatenate((apart, [True]))] if len(ends) else ends
    copies = np.concatenate((plan.copies, rows))
    return plan._replace(copies=copies, gaps=np.stack((gap_starts, gap_ends), axis=1))


def _separated_reuse(locality: Segments, regions: Table, old: str, new: str) -> Reuse:
    """A segment is copied where a region holds it whole and it is a segment of the old page too."""
    starts, ends = segment_bounds(new, locality.separators)
    old_starts, old_ends = segment_bounds(old, locality.separators)
    shifts = np.zeros(len(starts), np.int64)
    known = np.zeros(len(starts), np.bool_)
    for start, old_start, length in regions.tolist():
        shift = start - old_start
        first = int(np.searchsorted(starts, start))
        last = int(np.searchsorted(ends, start + length, "right"))
        if first >= last:
            continue
        wanted = starts[first:last] - shift
        at = np.searchsorted(old_starts, wanted)
        at[at == len(old_starts)] = 0
        same = (old_starts[at] == wanted) & (old_ends[at] == ends[first:last] - shift)
        fresh = same & ~known[first:last]
        shifts[first:last][fresh] = shift
        known[first:last] |= same
    runs = np.flatnonzero((known[1:] != known[:-1]) | (shifts[1:] != shifts[:-1])) + 1
    begin = np.concatenate(([0], runs))
    until = np.concatenate((runs, [len(starts)])) - 1
    old_run = known[begin]
    shift_run = shifts[begin]
    copies = np.stack((starts[begin] - shift_run, ends[until] - shift_run, shift_run), axis=1)
    gaps = np.stack((starts[begin], ends[until]), axis=1)
    return Reuse(copies[old_run].astype(np.int64), gaps[~old_run].astype(np.int64), locality, old)

"""From old regions to what may be copied and what must be extracted (section 6, corrected).

The paper's rules for overlapping regions and for the edges of pages lose or invent records; the
rules here were checked by thousands of random pages against extraction from scratch.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import match_edges, segment_bounds, segments_inside
from rowen.extractors.locality import Locality, Segments, WholePage, Window
from rowen.limits import REMOVED_CHARACTERS, SHORTEST_MATCH

Numbers: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[np.int64]


class Reuse(NamedTuple):
    """How a new page's records come about.

    A row of `copies` is a start and an end on the old page, both included, and a shift: what lies
    between them there stands `shift` further on in the new page. A row of `gaps` is a start and an
    end on the new page: what to extract.
    """

    copies: Table
    gaps: Table


def everything(size: int) -> Reuse:
    """Nothing is copied."""
    return Reuse(np.empty((0, 3), np.int64), np.array([[0, size]], np.int64))


def useful_length(locality: Locality) -> int:
    """Regions shorter than this save no work, or less than it takes to find them."""
    match locality:
        case Window():
            return max(reach(locality) + 1, SHORTEST_MATCH)
        case Segments():
            return SHORTEST_MATCH
        case WholePage():
            return 1


def reach(window: Window) -> int:
    """γ: a record whose context sticks out of a region ends within so many of its characters."""
    return max(2 * window.context + window.scope - 1, 0)


def reuse(
    locality: Locality, regions: Table, old: str, new: str, *, sparing: int = REMOVED_CHARACTERS
) -> Reuse:
    """What to copy and what to extract, given regions (new start, old start, length).

    Between two parts to extract, at least `sparing` characters must be spared; else they are one.
    """
    if old == new and new:
        whole = np.array([[0, len(new), 0]], np.int64)
        return Reuse(whole, np.empty((0, 2), np.int64))
    if not len(regions) or not new:
        return everything(len(new))
    match locality:
        case Window():
            edged = _with_edges(regions, old, new)
            return _window_reuse(locality, edged, (len(old), len(new)), sparing)
        case Segments() if all(len(one) == 1 for one in locality.separators):
            return _mark_reuse(locality, regions, (old, new), sparing)
        case Segments():
            return _segment_reuse(locality, regions, old, new)
        case WholePage():
            return everything(len(new))


def _with_edges(regions: Table, old: str, new: str) -> Table:
    """Regions in order, those at the edges of both pages included: they count for more.

    A matcher gives one old place for each region, not always the one at the edge.
    """
    rows = np.concatenate((regions, match_edges(old, new, 1)))
    return rows[np.lexsort((-rows[:, 2], rows[:, 0]))]


def _window_reuse(window: Window, regions: Table, sizes: tuple[int, int], sparing: int) -> Reuse:
    old_size, new_size = sizes
    start, old_start, length = regions.T
    end = start + length
    # Think of sentinels around every page: what touches the edge of both goes on beyond it.
    at_start = (start == 0) & (old_start == 0)
    at_end = (end == new_size) & (old_start + length == old_size)
    first = start + np.where(at_start, 0, window.context)
    last = end - np.where(at_end, 0, window.context)
    shift = start - old_start
    copies = np.stack((first - shift, last - shift, shift), axis=1)[first <= last]
    gamma = reach(window)
    removals = _removals(start, end, at_start, at_end, gamma)
    return Reuse(copies, _complement(removals, new_size, sparing))


def _removals(
    start: Numbers,
    end: Numbers,
    at_start: NDArray[np.bool_],
    at_end: NDArray[np.bool_],
    gamma: int,
) -> Table:
    """What need not be extracted: regions, joined where they overlap by γ, less γ on each side."""
    before = np.concatenate(([-1], np.maximum.accumulate(end)[:-1]))
    overlap = np.minimum(before, end) - start
    kept = (end > before) | (overlap >= gamma)
    start, end, at_start, at_end = start[kept], end[kept], at_start[kept], at_end[kept]
    first = np.flatnonzero((overlap[kept] < gamma) | (before[kept] < 0))
    open_start = np.logical_or.reduceat(at_start, first)
    open_end = np.logical_or.reduceat(at_end, first)
    removed_from = start[first] + np.where(open_start, 0, gamma)
    removed_to = np.maximum.reduceat(end, first) - np.where(open_end, 0, gamma)
    removals = np.stack((removed_from, removed_to), axis=1)
    return removals[removed_to > removed_from]


def _complement(removals: Table, size: int, sparing: int) -> Table:
    """What is left of a page; removals too small to be worth a call are left in."""
    worth = (removals[:, 1] - removals[:, 0] >= sparing) | (
        (removals[:, 0] == 0) | (removals[:, 1] == size)
    )
    removals = removals[worth]
    starts = np.concatenate(([0], removals[:, 1]))
    ends = np.concatenate((removals[:, 0], [size]))
    gaps = np.stack((starts, ends), axis=1)
    return gaps[ends > starts]


def _mark_reuse(locality: Segments, regions: Table, pages: tuple[str, str], sparing: int) -> Reuse:
    """Separators of one character: only the ends of regions need to be looked at."""
    old, new = pages
    starts, ends = segments_inside(old, new, regions, "".join(locality.separators))
    kept = starts <= ends
    starts, ends = starts[kept], ends[kept]
    shift = (regions[:, 0] - regions[:, 1])[kept]
    copies = np.stack((starts - shift, ends - shift, shift), axis=1)
    # Between two stretches stand a separator, some segments, and a separator.
    worth = (ends - starts >= sparing) | (starts == 0) | (ends == len(new))
    gap_starts = np.concatenate(([0], ends[worth] + 1))
    gap_ends = np.concatenate((starts[worth] - 1, [len(new)]))
    gaps = np.stack((gap_starts, gap_ends), axis=1)
    return Reuse(copies, gaps[gap_starts <= gap_ends])


def _segment_reuse(locality: Segments, regions: Table, old: str, new: str) -> Reuse:
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
    return Reuse(copies[old_run].astype(np.int64), gaps[~old_run].astype(np.int64))

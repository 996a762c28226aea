"""From old regions to what may be copied and what must be extracted (section 6, corrected).

The paper's rules for overlapping regions and for the edges of pages lose or invent records; the
rules here were checked by thousands of random pages against extraction from scratch.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import match_edges
from rowen.extractors.locality import Either, Grain, Segments, WholePage, Window
from rowen.limits import REMOVED_CHARACTERS, SHORTEST_MATCH
from rowen.reuse.segments import segment_reuse
from rowen.reuse.shares import Reuse, Table, everything

Numbers: TypeAlias = NDArray[np.int64]


_FEW: Final = 2_000
"""How many characters left to extract are so few that no other way is tried."""


def useful_length(locality: Grain) -> int:
    """Regions shorter than this save no work, or less than it takes to find them."""
    match locality:
        case Either(options):
            return min(map(useful_length, options))
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
    locality: Grain, regions: Table, old: str, new: str, *, sparing: int = REMOVED_CHARACTERS
) -> Reuse:
    """What to copy and what to extract, given regions (new start, old start, length).

    Between two parts to extract, at least `sparing` characters must be spared; else they are one.
    """
    if old == new and new:
        whole = np.array([[0, len(new), 0]], np.int64)
        return Reuse(whole, np.empty((0, 2), np.int64), WholePage(), old)
    if not len(regions) or not new:
        return everything(old, len(new))
    match locality:
        case Either(options):
            return _best_reuse(options, regions, old, new, sparing)
        case Window():
            edged = _with_edges(regions, old, new)
            return _window_reuse(locality, edged, (old, new), sparing)
        case Segments():
            return segment_reuse(locality, regions, (old, new), sparing)
        case WholePage():
            return everything(old, len(new))


def _best_reuse(
    options: tuple[Segments | Window, ...], regions: Table, old: str, new: str, sparing: int
) -> Reuse:
    """The first way that leaves little to extract, else the one that leaves least."""
    best: tuple[int, Reuse] | None = None
    for option in options:
        plan = reuse(option, regions, old, new, sparing=sparing)
        # Segments between marks are extracted in one call, gaps of a window in one call each.
        calls = 1 if isinstance(option, Segments) and option.of_marks else len(plan.gaps)
        cost = plan.left + calls * sparing
        if best is None or cost < best[0]:
            best = cost, plan
        if cost <= _FEW:
            break
    assert best is not None
    return best[1]


def _with_edges(regions: Table, old: str, new: str) -> Table:
    """Regions in order, those at the edges of both pages included: they count for more.

    A matcher gives one old place for each region, not always the one at the edge.
    """
    rows = np.concatenate((regions, match_edges(old, new, 1)))
    return rows[np.lexsort((-rows[:, 2], rows[:, 0]))]


def _window_reuse(window: Window, regions: Table, pages: tuple[str, str], sparing: int) -> Reuse:
    old_size, new_size = map(len, pages)
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
    return Reuse(copies, _complement(removals, new_size, sparing), window, pages[0])


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

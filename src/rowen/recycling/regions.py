"""From old regions to copy regions and extraction regions (Cyclex, section 6, corrected).

The example: E finds rooms, `CS` and three digits, that no word character touches. Its scope is
α = 6, its context is β = 1, and γ = 2β + α - 1 = 7.

    old page     Mon: CS 105 at noon, bring lunch. Tue: CS 310 at four.
    new page     Mon: CS 105 at noon, no lunch. Tue: CS 310 at four.
    old regions  [-------------------]  [--------------------------]
    copies       [------------------]    [-------------------------]    less β at the change
    removals     [------------]                [-------------------]    less γ at the change
    gaps                       [--------------]                         extracted again

Both rooms are copied, and 16 of 51 characters are extracted. A record is copied if its context lies
in an old region. Text is removed from extraction if no record whose context sticks out of the old
regions can reach it. The gaps are what is left: the extraction regions.

Departures from the paper. Its rules for page edges and overlapping regions lose or invent records.
The rules here were checked with thousands of random pages against extraction from scratch.

- Page edges. Think of sentinels before and after each page. An old region that touches the edge of
  both pages (as both do above) goes on beyond it and is not shortened there. A region that touches
  the edge of one page only is shortened: "^" would match on one of the pages only.
- Overlapping old regions. The paper adds regions p[k-α..k+α] around the points where it splits
  overlapping copy regions, to catch records across them. They copy records that don't exist
  (q = `daacc`, p = `dac`, α = 4, β = 0). Here nothing is split: a record in two copy regions is
  copied twice, and the set of records has it once.
- Two old regions are joined for removal where they overlap by at least γ; the paper asks for more.
- Segments, which the paper does not have, are in `segments`.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import match_edges
from rowen.extractors.locality import Either, Grain, Scan, Segments, WholePage, Window
from rowen.recycling.page_regions import PageRegions, Table, complement, extract_all
from rowen.recycling.scans import scan_regions
from rowen.recycling.segments import segment_regions

SHORTEST_MATCH = 100
"""The least length of old regions that a run looks for. On pages that repeat themselves much,
shorter ones take longer to find than to extract again."""

REMOVED_CHARACTERS = 256
"""How many characters must be saved between two gaps to extract them in two calls: one more call
costs an extractor about as much as this many characters."""

Numbers: TypeAlias = NDArray[np.int64]

_FEW: Final = 500
"""If no more characters than this are left to extract, no further locality is tried."""


def useful_length(locality: Grain) -> int:
    """The least length of an old region that is worth finding.

    Shorter ones save no work, or less than it takes to find them.
    """
    match locality:
        case Either(options):
            return min(map(useful_length, options))
        # At best a region touches the edge of both pages, and loses γ on the other side only: one
        # of γ characters or fewer leaves nothing to remove.
        case Window():
            return max(reach(locality) + 1, SHORTEST_MATCH)
        case Segments() | Scan():
            return SHORTEST_MATCH
        case WholePage():
            return 1


def reach(window: Window) -> int:
    """γ: how far a record can reach into an old region that its context sticks out of.

    Such a context has at most α + 2β characters, at least one of them outside of the region.
    """
    # The paper's γ (section 6), which is tight: with less, records are lost. A window of scope 0
    # and context 0 would make it negative.
    return max(2 * window.context + window.scope - 1, 0)


def derive_regions(  # noqa: PLR0911  # one case per kind of locality
    locality: Grain, matches: Table, old: str, new: str, *, sparing: int = REMOVED_CHARACTERS
) -> PageRegions:
    """What to copy and what to extract, given old regions (new start, old start, length).

    Two gaps with fewer than `sparing` characters between them become one.
    """
    if old == new and new:
        whole = np.array([[0, len(new), 0]], np.int64)
        return PageRegions(whole, np.empty((0, 2), np.int64), WholePage(), old)
    # Empty pages are always extracted: nothing on them can be old.
    if not len(matches) or not new:
        return extract_all(old, len(new))
    match locality:
        case Either(options):
            return _cheapest(options, matches, old, new, sparing)
        case Window():
            with_edges = _with_edges(matches, old, new)
            return _window_regions(locality, with_edges, (old, new), sparing)
        case Segments():
            return segment_regions(locality, matches, (old, new), sparing)
        case Scan():
            return scan_regions(locality, _with_edges(matches, old, new), (old, new), sparing)
        # Any change may change any record, so that old regions prove nothing.
        case WholePage():
            return extract_all(old, len(new))


def _cheapest(
    options: tuple[Segments | Window | Scan, ...], matches: Table, old: str, new: str, sparing: int
) -> PageRegions:
    """The first locality that leaves little to extract, else the one that leaves least."""
    best: tuple[int, PageRegions] | None = None
    for option in options:
        regions = derive_regions(option, matches, old, new, sparing=sparing)
        # Segments between marks are extracted in one call, gaps of a window in one call each.
        calls = 1 if isinstance(option, Segments) and option.of_marks else len(regions.gaps)
        cost = regions.left + calls * sparing
        if best is None or cost < best[0]:
            best = cost, regions
        if cost <= _FEW:
            break
    assert best is not None
    return best[1]


def _with_edges(matches: Table, old: str, new: str) -> Table:
    """The old regions in order, with those at the edges of both pages, which count for more.

    A matcher gives one old position for each region, not always the one at the edge.
    """
    rows = np.concatenate((matches, match_edges(old, new, 1)))
    return rows[np.lexsort((-rows[:, 2], rows[:, 0]))]


def _window_regions(
    window: Window, matches: Table, pages: tuple[str, str], sparing: int
) -> PageRegions:
    old_size, new_size = map(len, pages)
    start, old_start, length = matches.T
    end = start + length
    # The sentinels of the docstring: what touches the edge of both pages goes on beyond it.
    at_start = (start == 0) & (old_start == 0)
    at_end = (end == new_size) & (old_start + length == old_size)
    # The paper's copy region q[c'+β..c'+k-β]: a record in it has its context in the old region.
    first = start + np.where(at_start, 0, window.context)
    last = end - np.where(at_end, 0, window.context)
    shift = start - old_start
    # Ends are inclusive: a region that was shortened to nothing still holds records of no length.
    copies = np.stack((first - shift, last - shift, shift), axis=1)[first <= last]
    gamma = reach(window)
    removals = _removals(start, end, at_start, at_end, gamma)
    return PageRegions(copies, complement(removals, new_size, sparing), window, pages[0])


def _removals(
    start: Numbers,
    end: Numbers,
    at_start: NDArray[np.bool_],
    at_end: NDArray[np.bool_],
    gamma: int,
) -> Table:
    """What need not be extracted: regions, joined where they overlap by γ, less γ on each side.

    A context has at most γ + 1 characters. Where two regions overlap by γ, each context that lies
    in their union therefore lies in one of them, so that its record is copied.
    """
    before = np.concatenate(([-1], np.maximum.accumulate(end)[:-1]))
    overlap = np.minimum(before, end) - start
    # A short region inside an earlier one would only start a group of its own. A long one may
    # bring the edge of both pages to its group.
    relevant = (end > before) | (overlap >= gamma)
    start, end = start[relevant], end[relevant]
    at_start, at_end = at_start[relevant], at_end[relevant]
    first = np.flatnonzero((overlap[relevant] < gamma) | (before[relevant] < 0))
    open_start = np.logical_or.reduceat(at_start, first)
    open_end = np.logical_or.reduceat(at_end, first)
    removed_from = start[first] + np.where(open_start, 0, gamma)
    removed_to = np.maximum.reduceat(end, first) - np.where(open_end, 0, gamma)
    removals = np.stack((removed_from, removed_to), axis=1)
    return removals[removed_to > removed_from]

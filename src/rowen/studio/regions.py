"""The region of each record on a page: a new mark belongs to the record whose region it is in.

The region is the largest element that has values of this record and of no other. Where the values
are siblings of those of other records, it reaches from the first value to the next record:

    <li><b>Emma</b> <i>£4</i></li> <li>...          each <li>
    <h3>Emma</h3> <p>£4</p> <h3>Walden</h3> ...     from each <h3> to the next
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rowen.model import Page
from rowen.studio.rows import extent_of, region_at
from rowen.studio.state import Marks
from rowen.wrappers.region.tree import Tree
from rowen.wrappers.region.trees import TREES


class _Gap(NamedTuple):
    """From the end of the record before to the start of the record after."""

    start: int
    end: int


def regions_of(
    page: Page, proposed: Sequence[Marks], labelled: Sequence[Marks] = ()
) -> list[list[int]]:
    """Disjoint regions in page order, of proposed records and of marked ones outside of them."""
    extents = _disjoint(proposed)
    if not extents and not labelled:
        return []
    elements = _Elements(TREES.of(page.text))
    regions = _around(elements, extents)
    others = [extent for extent in _disjoint(labelled) if not _is_in(regions, extent)]
    if others:
        regions = _around(elements, _merged(extents, others))
    return [list(region) for region in regions]


def _disjoint(records: Sequence[Marks]) -> list[tuple[int, int]]:
    return _merged([], sorted(filter(None, map(extent_of, records))))


def _merged(
    extents: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """All extents in page order; of those that overlap, those of `others` and else the first."""
    free = [one for one in extents if not any(_overlap(one, other) for other in others)]
    merged: list[tuple[int, int]] = []
    for extent in sorted([*free, *others]):
        if not merged or merged[-1][1] <= extent[0]:
            merged.append(extent)
    return merged


def _overlap(left: tuple[int, int], right: tuple[int, int]) -> bool:
    return left[0] < right[1] and right[0] < left[1]


def _is_in(regions: Sequence[Sequence[int]], extent: tuple[int, int]) -> bool:
    start, end = region_at(regions, extent[0])
    return start <= extent[0] and extent[1] <= end


def _around(elements: "_Elements", extents: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    bounds = [(0, 0), *extents, (elements.length, elements.length)]
    regions: list[tuple[int, int]] = []
    starts = []
    for (_, before), (start, end), (after, _) in zip(bounds, extents, bounds[2:], strict=False):
        gap = _Gap(before, after)
        whole = elements.largest(start, end, gap)
        starts.append(whole or elements.largest(start, start + 1, gap) or (start, end))
        regions.append(whole or (starts[-1][0], 0))
    for number, (start, end) in enumerate(regions):
        if not end:  # siblings: as far as the next record, but not out of the element around them
            limit = starts[number + 1][0] if number + 1 < len(starts) else elements.length
            around = elements.smallest(*extents[number])
            regions[number] = (start, max(min(limit, around[1]), extents[number][1]))
    return regions


class _Elements:
    """The elements of a page by offsets."""

    def __init__(self, tree: Tree) -> None:
        self.length = len(tree.text)
        self._ends: list[int] = tree.ends.tolist()
        self._starts: list[int] = [*tree.starts.tolist(), self.length]
        self._parents: list[int] = tree.parents.tolist()
        self._closes: list[int] = tree.closes.tolist()
        self._owners: list[int] = tree.owners.tolist()

    def smallest(self, start: int, end: int) -> tuple[int, int]:
        """The smallest element around a stretch of the page."""
        return self._bounds(self._smallest(start, end))

    def largest(self, start: int, end: int, gap: _Gap) -> tuple[int, int] | None:
        """The largest element around a stretch that is within a gap; None if there is none."""
        tag = self._smallest(start, end)
        best = None
        while True:
            first, last = self._bounds(tag)
            if first < gap.start or last > gap.end:
                return best
            best = first, last
            if tag == 0:
                return best
            tag = self._parents[tag]

    def _smallest(self, start: int, end: int) -> int:
        # In lists: a table asks for ten thousand places, and each look into an array costs more.
        tag = bisect_right(self._starts, start, hi=len(self._ends)) - 1
        # Within a tag, as attributes are, it is the tag's own element; in a text, the text's.
        if start >= self._ends[tag]:
            tag = self._owners[tag]
        while tag and self._bounds(tag)[1] < end:
            tag = self._parents[tag]
        return tag

    def _bounds(self, tag: int) -> tuple[int, int]:
        if tag == 0:
            return 0, self.length
        return self._starts[tag], self._starts[min(self._closes[tag], len(self._starts) - 1)]

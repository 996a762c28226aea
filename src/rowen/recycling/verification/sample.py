"""Which pages of a partition one extractor is checked on, as a whole or by a stretch of text."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor, grain_of
from rowen.model import Page
from rowen.recycling.page_regions import PageRegions
from rowen.recycling.regions import derive_regions

_GOLDEN = (5**0.5 - 1) / 2
"""The fractional parts of its multiples are spread evenly. So the stretches of a page cover all of
it after some turns, however long they are in each turn."""

_MOST_OF_STRETCH = 16
"""How many times its own length a stretch may make the extractor read. Segments and windows around
it have to be read as well; beyond this the check costs more than the budget counted on."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of a partition that one extractor is checked on."""

    rows: NDArray[np.intp]
    """Pages to extract as a whole, ..."""
    parts: NDArray[np.intp]
    """... and pages of which one stretch is extracted, ..."""
    length: int = 0
    """... this many characters long ..."""
    turn: int = 0
    """... and at another place in each turn."""

    def stretch(self, size: int) -> tuple[int, int]:
        """Start and end of the stretch of a page with `size` characters."""
        if size <= self.length:
            return 0, size
        start = round(self.turn * _GOLDEN % 1 * size - self.length / 2)
        start = min(max(start, 0), size - self.length)
        return start, start + self.length


def plan_stretch(extractor: Extractor, page: Page, start: int, end: int) -> PageRegions:
    """How to recycle a page from itself, as if this stretch had been different before.

    The result must be the page's own records: the stretch is extracted as it would be in a run, and
    everything around it is copied.
    """
    text = page.text
    # What the old stretch was does not matter: no old region reaches into it.
    old = text[:start] + "\0" * (end - start) + text[end:]
    regions = [(0, 0, start), (end, end, len(text) - end)]
    table = np.array([region for region in regions if region[2]], np.int64).reshape(-1, 3)
    return derive_regions(grain_of(extractor), table, old, text)


def is_affordable(regions: PageRegions, length: int) -> bool:
    """Whether a stretch of `length` characters can be checked for about its own price.

    On a page that is one huge segment, any stretch means all of the page. Such pages are left to
    the checks of whole pages, which know what they cost.
    """
    return regions.left <= _MOST_OF_STRETCH * length

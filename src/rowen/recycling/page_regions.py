"""The copy regions and extraction regions of a page: what section 6 derives from old regions."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.locality import Locality, Scan, WholePage

Table: TypeAlias = NDArray[np.int64]
"""Regions as rows of numbers. Each use says which numbers."""


class PageRegions(NamedTuple):
    """How the records of a new page are made.

    A row of `copies` is a copy region: start and end on the old page, both inclusive, and a shift.
    An old record between them is a record of the new page, `shift` characters further on. A row of
    `gaps` is an extraction region: start and end on the new page. Copy regions and gaps may
    overlap, so that a record may come in both ways: the result is a set. All of it holds for
    extractors of this locality only.
    """

    copies: Table
    gaps: Table
    locality: Locality | Scan
    old: str
    """The old page's text."""

    @property
    def left(self) -> int:
        """How many characters are to be extracted."""
        return int(np.sum(self.gaps[:, 1] - self.gaps[:, 0]))


def extract_all(old: str, size: int) -> PageRegions:
    """Copy nothing; the whole page is one extraction region."""
    nothing = np.empty((0, 3), np.int64)
    return PageRegions(nothing, np.array([[0, size]], np.int64), WholePage(), old)


def complement(removals: Table, size: int, sparing: int) -> Table:
    """The gaps: what is left of a page. Removals too small to be worth a call are left in."""
    # A removal at the edge of the page splits no gap in two, so that it never costs a call.
    worth = (removals[:, 1] - removals[:, 0] >= sparing) | (
        (removals[:, 0] == 0) | (removals[:, 1] == size)
    )
    removals = removals[worth]
    starts = np.concatenate(([0], removals[:, 1]))
    ends = np.concatenate((removals[:, 0], [size]))
    gaps = np.stack((starts, ends), axis=1)
    return gaps[ends > starts]

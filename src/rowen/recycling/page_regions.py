"""The copy regions and extraction regions of a page: what section 6 derives from old regions."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.locality import Locality, WholePage

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
    locality: Locality
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

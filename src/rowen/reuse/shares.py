"""How a new page is shared between copying and extraction."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.locality import Locality, WholePage

Table: TypeAlias = NDArray[np.int64]


class Reuse(NamedTuple):
    """How a new page's records come about.

    A row of `copies` is a start and an end on the old page, both included, and a shift: what lies
    between them there stands `shift` further on in the new page. A row of `gaps` is a start and an
    end on the new page: what to extract. All of it holds for an extractor of this locality.
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


def everything(old: str, size: int) -> Reuse:
    """Nothing is copied."""
    nothing = np.empty((0, 3), np.int64)
    return Reuse(nothing, np.array([[0, size]], np.int64), WholePage(), old)

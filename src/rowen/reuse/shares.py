"""How a new page is shared between copying and extraction."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

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

"""Lines that run from right to left, or partly so.

pdfium gives the letters of a word in the order in which they are read. The words of a line are put
into that order here: along the direction of most of its letters, with stretches of the other
direction turned round.
"""

from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.layout.pieces import Piece


def runs_leftwards(page: PageCharacters) -> bool:
    """Whether any character of a page is of a script that is written from right to left."""
    return bool(_leftward(page.codes).any())


def in_direction(page: PageCharacters, row: list[Piece]) -> list[Piece]:
    """The pieces of a row, given from left to right, in the order in which they are read."""
    leanings = [_leaning(page.codes[piece.first : piece.end]) for piece in row]
    leftwards = sum(leanings) < 0
    ordered = list(zip(row, leanings, strict=True))
    if leftwards:
        ordered.reverse()
    found: list[Piece] = []
    for against, group in groupby(ordered, key=lambda one: one[1] > 0 if leftwards else one[1] < 0):
        pieces = [piece for piece, _ in group]
        found += reversed(pieces) if against else pieces
    return found


def _leftward(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Hebrew, Arabic, Syriac, Thaana, N'Ko and so on, and the forms of letters of the first two."""
    found: NDArray[np.bool_] = (
        ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFEFD)) | ((codes >= 0x10800) & (codes < 0x11000))
    )  # fmt: skip
    return found


def _leaning(codes: NDArray[np.uint32]) -> int:
    """How many more letters and digits run to the right than to the left."""
    left = int(np.count_nonzero(_leftward(codes)))
    right = int(np.count_nonzero(codes >= 0x30)) - left
    return right - left

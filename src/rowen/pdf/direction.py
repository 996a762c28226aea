"""Lines that run from right to left, in whole or in part.

The letters of a word are in reading order (`leftward.py`). This module orders the words of a line:
along the direction of most of its letters, with stretches of the other direction reversed.
"""

from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rowen.pdf.characters import PageCharacters
from rowen.pdf.leftward import leftward
from rowen.pdf.pieces import Piece


def runs_leftwards(page: PageCharacters) -> bool:
    """Whether a page has a character of a script that is written from right to left."""
    return bool(leftward(page.codes).any())


def mostly_leftwards(page: PageCharacters) -> bool:
    """Whether most letters of a page are of such a script: then its first column is the right."""
    return _letters_leaning(page.codes) < 0


def in_direction(
    page: PageCharacters, row: list[Piece], *, leftwards: bool
) -> tuple[list[Piece], bool]:
    """The pieces of a row, which come from left to right, in reading order.

    Also whether the row runs to the left; one without letters does if the page does (`leftwards`).
    """
    letters = sum(_letters_leaning(page.codes[piece.first : piece.end]) for piece in row)
    if letters:
        leftwards = letters < 0
    ordered = [(piece, _leaning(page.codes[piece.first : piece.end])) for piece in row]
    if leftwards:
        ordered.reverse()
    in_order: list[Piece] = []
    for against, group in groupby(
        ordered, key=lambda pair: pair[1] > 0 if leftwards else pair[1] < 0
    ):
        pieces = [piece for piece, _ in group]
        in_order += reversed(pieces) if against else pieces
    return in_order, leftwards


def _leaning(codes: NDArray[np.uint32]) -> int:
    """Letters and digits that run to the right, minus those that run to the left."""
    left = int(np.count_nonzero(leftward(codes)))
    right = int(np.count_nonzero(codes >= 0x30)) - left
    return right - left


def _letters_leaning(codes: NDArray[np.uint32]) -> int:
    """The same for letters alone: the end of a reference may have more digits than letters."""
    left = int(np.count_nonzero(leftward(codes)))
    right = int(np.count_nonzero(codes >= 0x41)) - left
    return right - left

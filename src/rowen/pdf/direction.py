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


def in_direction(page: PageCharacters, row: list[Piece]) -> tuple[list[Piece], bool]:
    """The pieces of a row, which come from left to right, in reading order.

    Also whether the row runs to the left.
    """
    leanings = [_leaning(page.codes[piece.first : piece.end]) for piece in row]
    leftwards = sum(leanings) < 0
    ordered = list(zip(row, leanings, strict=True))
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

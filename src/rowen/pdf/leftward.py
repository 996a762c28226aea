"""Scripts that are written from right to left, such as Arabic and Hebrew: order and brackets.

pdfium returns most such text in reading order, but not all: some programs write it in an order from
which pdfium makes that of the page, from left to right. The positions show which it is.

    order of the file    x        in reading order
    a b c                3 2 1    as it is: each letter is left of the one before
    c b a                1 2 3    reversed; numbers and Latin words in between are not
"""

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_LEVEL = 0.3  # of the size: characters with less between their baselines are on one line
_RIGHTWARDS = re.compile(r"[^\W_]+(?:(?:[.,:/]|[^\w\n]+(?=[^\W\d_]))[^\W_]+)*")
_BRACKETS = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def leftward(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Hebrew, Arabic, Syriac, Thaana, N'Ko and others, with presentation forms of the first two."""
    mask: NDArray[np.bool_] = (
        ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFEFD)) | ((codes >= 0x10800) & (codes < 0x11000))
    )  # fmt: skip
    return mask


def reading_indexes(
    codes: NDArray[np.uint32], places: NDArray[np.float32]
) -> NDArray[np.int64] | None:
    """The indexes of a page's characters in reading order; None if they are in it."""
    leftwards = np.flatnonzero(leftward(codes))
    if len(leftwards) < 2:
        return None
    x, y, size = places[leftwards, 4], places[leftwards, 5], places[leftwards, 6]
    new_line = np.abs(np.diff(y)) > _LEVEL * np.maximum(size[1:], size[:-1])
    # Text in order jumps back to the right edge only at the end of a line.
    bounds = [0, *(np.flatnonzero(new_line) + 1).tolist(), len(leftwards)]
    order = np.arange(len(codes))
    changed = False
    for first, end in pairwise(bounds):
        steps = np.diff(x[first:end])
        if end - first > 1 and np.count_nonzero(steps > 0) > np.count_nonzero(steps < 0):
            start, stop = int(leftwards[first]), int(leftwards[end - 1]) + 1
            order[start:stop] = _reversed(order[start:stop], codes[start:stop])
            changed = True
    return order if changed else None


def _reversed(order: NDArray[np.int64], codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Indexes reversed, without those of numbers and words that run to the right."""
    backwards = order[::-1].copy()
    rightwards = np.where(leftward(codes) | (codes > 0x10FFFF), 0, codes)[::-1]
    text = "".join(map(_shown, rightwards.tolist()))
    for match in _RIGHTWARDS.finditer(text):
        backwards[match.start() : match.end()] = backwards[match.start() : match.end()][::-1]
    return backwards


def _shown(code: int) -> str:
    """A character; a line break for what may not be part of a word that runs to the right."""
    return "\n" if 0xD800 <= code < 0xE000 or code < 0x20 else chr(code)


def mirrored(text: str) -> str:
    """A line that runs to the left, with its brackets as written: pages show them mirrored."""
    sign = next((sign for sign in text if sign in _OPENING or sign in _CLOSING), "")
    return text.translate(_BRACKETS) if sign in _CLOSING else text

"""Pieces of lines: characters that follow each other closely on one baseline."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rowen.pdf.characters import PageCharacters

_GAP = 0.9  # of the size: a wider gap may be a gutter between columns
_MARGIN = 5.0  # points beyond the page's edges that still count
_SMALLEST, _LARGEST = 1.5, 200.0  # points: text of other sizes is ignored
RISE = 0.6  # of the size: a larger step up or down starts another line


@dataclass(frozen=True, slots=True)
class Piece:
    """The characters `first` to `end` of a page, and the box around them."""

    first: int
    end: int
    left: float
    bottom: float
    right: float
    top: float
    baseline: float
    size: float


def pieces_of(page: PageCharacters) -> list[Piece]:
    """The page's pieces in the order of the file; rotated text is left out."""
    codes, places = page.codes, page.places
    shown = np.flatnonzero(
        ((codes > 32) | (codes == 2)) & (codes != 0xA0) & ~((codes >= 0x2000) & (codes <= 0x200B))
        & ~page.turned & (places[:, 2] > places[:, 0] - 1)
    )  # fmt: skip
    shown = shown[_on_page(page, shown)]
    if not len(shown):
        return []
    here = places[shown]
    left, _, right, _, _, y, size = here.T
    larger = np.maximum(size[1:], size[:-1])
    gap = left[1:] - right[:-1]
    rise = np.abs(y[1:] - y[:-1])
    # A piece ends at a step to another line, at a wide gap, and at a jump back to the left.
    breaks = (rise > RISE * larger) | (gap > _GAP * larger) | (gap < -1.5 * larger)
    starts = np.concatenate(([0], np.flatnonzero(breaks) + 1))
    ends = np.append(starts[1:], len(shown))
    smallest = np.minimum.reduceat(size, starts)
    largest = np.maximum.reduceat(size, starts)
    usual, baselines = size[starts], y[starts]
    for i in np.flatnonzero(smallest < 0.85 * largest).tolist():
        sizes, heights = size[starts[i] : ends[i]], y[starts[i] : ends[i]]
        usual[i] = _middle(sizes)
        baselines[i] = _middle(heights[sizes >= 0.85 * largest[i]])
    columns = (
        shown[starts], shown[ends - 1] + 1, np.minimum.reduceat(left, starts),
        np.maximum.reduceat(right, starts), baselines, usual,
    )  # fmt: skip
    return [
        Piece(first, end, begin, base - 0.2 * most, stop, base + 0.7 * most, base, most)
        for first, end, begin, stop, base, most in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _middle(values: NDArray[np.float32]) -> float:
    """The upper median; for the few values of a line numpy's median takes ten times as long."""
    ordered = sorted(values.tolist())
    return float(ordered[len(ordered) // 2])


def _on_page(page: PageCharacters, shown: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which characters are on the page and of a readable size."""
    x, y, size = page.places[shown, 4], page.places[shown, 5], page.places[shown, 6]
    inside: NDArray[np.bool_] = (
        (x > -_MARGIN) & (x < page.width + _MARGIN) & (y > -_MARGIN) & (y < page.height + _MARGIN)
    )
    inside &= (size > _SMALLEST) & (size < _LARGEST)
    return inside

"""Text that nobody sees: white or invisible, with other text printed over it.

Some publishers' PDFs have the title of a figure in white under its label:

    Figure 2                           what a reader sees
    Comparison of reconstruction       the same line in white: left out

White text alone stays, because it may be on something dark, and so does an invisible text layer,
because that of a scan is all that can be read.
"""

import numpy as np
from numpy.typing import NDArray

_LEFT, _BOTTOM, _RIGHT, _TOP, _X, _Y, _SIZE = range(7)
_MOST = 16  # characters of a cell are looked at; print has four
_CELL = 8.0  # points: characters are compared with those in the same cell of a grid, or next to it


def covered_text(
    places: NDArray[np.float32], codes: NDArray[np.uint32], pale: NDArray[np.bool_]
) -> NDArray[np.bool_] | None:
    """Which characters are covered; None if none is.

    A line of pale characters is covered as a whole if a visible character is over one of them.
    """
    printed = codes > 32
    under = np.flatnonzero(pale & printed)
    over = np.flatnonzero(~pale & printed)
    if not len(under) or not len(over):
        return None
    struck = under[_are_struck(places[under], places[over])]
    if not len(struck):
        return None
    # A hostile file has heights that are no numbers.
    heights = np.rint(np.nan_to_num(places[:, [_Y, _SIZE]]))
    lines = set(map(tuple, heights[struck].tolist()))
    covered = np.zeros(len(codes), np.bool_)
    own = np.flatnonzero(pale)
    covered[own] = [tuple(line) in lines for line in heights[own].tolist()]
    return covered


def _are_struck(under: NDArray[np.float32], over: NDArray[np.float32]) -> NDArray[np.bool_]:
    """For each place of a pale character, whether a visible one is printed over its middle."""
    cells: dict[tuple[int, int], list[int]] = {}
    x, y = _middles(over)
    for i, key in enumerate(zip(_cell(x), _cell(y), strict=True)):
        own = cells.setdefault(key, [])
        if len(own) < _MOST:  # a hostile page has thousands at one place
            own.append(i)
    struck = np.zeros(len(under), np.bool_)
    middle_x, middle_y = _middles(under)
    for i, (column, row) in enumerate(zip(_cell(middle_x), _cell(middle_y), strict=True)):
        near = [
            k for right in (-1, 0, 1) for above in (-1, 0, 1)
            for k in cells.get((column + right, row + above), ())
        ]  # fmt: skip
        if near:
            boxes = over[near]
            struck[i] = (
                (boxes[:, _LEFT] < middle_x[i]) & (middle_x[i] < boxes[:, _RIGHT])
                & (boxes[:, _BOTTOM] < middle_y[i]) & (middle_y[i] < boxes[:, _TOP])
            ).any()  # fmt: skip
    return struck


def _middles(places: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    wide = np.nan_to_num(places.astype(np.float64))
    return (wide[:, _LEFT] + wide[:, _RIGHT]) / 2, (wide[:, _BOTTOM] + wide[:, _TOP]) / 2


def _cell(middles: NDArray[np.float64]) -> list[int]:
    limited = np.clip(middles, -1e6, 1e6)
    return [int(cell) for cell in np.floor(limited / _CELL)]

"""Pages turned upright: most of a page's text runs from left to right, whatever the file says.

A landscape table is often set sideways on its page, and a scanned or merged PDF has pages with
`/Rotate`. pdfium gives places as they are before `/Rotate`, so text that a viewer shows upright may
run upwards here. The direction of most characters decides:

    as it is in the file            turned upright
    +------+                        +------------+
    |   T  |                        | Title      |
    |   i  |   text runs upwards    | of a table |
    |   t  |   (direction 1)        +------------+
    +------+
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LEFT, _BOTTOM, _RIGHT, _TOP, _X, _Y = range(6)
_ALONG, _ACROSS = (_LEFT, _RIGHT, _X), (_BOTTOM, _TOP, _Y)
# For each direction (right, up, left, down): the columns that become left, right and x, the side of
# the page that these count from, and the same for bottom, top and y.
_TURNS = (
    (_ALONG, _LEFT, _ACROSS, _BOTTOM),
    (_ACROSS, _BOTTOM, (_RIGHT, _LEFT, _X), _RIGHT),
    ((_RIGHT, _LEFT, _X), _RIGHT, (_TOP, _BOTTOM, _Y), _TOP),
    ((_TOP, _BOTTOM, _Y), _TOP, _ALONG, _LEFT),
)


class Box(NamedTuple):
    """The part of the plane that a page shows, in points, before it is turned."""

    left: float
    bottom: float
    right: float
    top: float


def main_direction(codes: NDArray[np.uint32], directions: NDArray[np.uint8]) -> int:
    """The direction of most characters of a page; rightwards if none leads."""
    # A fifth value means text that runs askew: no quarter turn makes that upright.
    counts = np.bincount(directions[codes > 32], minlength=len(_TURNS))[: len(_TURNS)]
    best = int(counts.argmax())
    return best if counts[best] > counts[0] else 0


def turned_upright(
    places: NDArray[np.float32], direction: int, box: Box
) -> tuple[NDArray[np.float32], float, float]:
    """The places of characters, counted from the page's lower left corner when text that runs in
    `direction` is turned to run rightwards; and the page's width and height then.

    A row of `places` is left, bottom, right, top, the origin's x and y, and the size.
    """
    if direction == 0 and box.left == box.bottom == 0:
        return places, box.right, box.top
    upright = places.copy()
    columns, side, others, other_side = _TURNS[direction]
    upright[:, _ALONG] = _distance(places[:, columns], box, side)
    upright[:, _ACROSS] = _distance(places[:, others], box, other_side)
    width, height = box.right - box.left, box.top - box.bottom
    return upright, *((height, width) if direction % 2 else (width, height))


def boxes_upright(boxes: NDArray[np.float32], direction: int, box: Box) -> NDArray[np.float32]:
    """Boxes (left, bottom, right, top), turned as `turned_upright` turns characters."""
    places = np.zeros((len(boxes), _Y + 1), np.float32)
    places[:, : _TOP + 1] = boxes
    upright, _, _ = turned_upright(places, direction, box)
    return upright[:, : _TOP + 1]


def _distance(places: NDArray[np.float32], box: Box, side: int) -> NDArray[np.float32]:
    """How far places are from a side of the page; negative if they are beyond it."""
    inwards = 1 if side in (_LEFT, _BOTTOM) else -1
    distance: NDArray[np.float32] = inwards * (places - np.float32(box[side]))
    return distance

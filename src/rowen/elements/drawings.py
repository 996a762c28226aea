"""What is drawn on a page beside text: rules of tables, and graphics.

rules      thin shapes, wide or high; pieces of one line are joined
graphics   all other shapes; one as large as the page is its background
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_THIN = 2.6  # points: no rule is thicker
_LONG = 16.0  # points: no rule is shorter
_LEVEL = 1.5  # points: pieces of one rule differ by less
_JOINT = 4.0  # points: the widest gap between pieces of one rule
_BACKGROUND = 0.7  # of the page's width and height: a larger shape is no graphic
_SHAPE_COLUMNS = 5


class Rule(NamedTuple):
    """A rule along one axis: from `start` to `end`, at the height (or, if upright, place) `at`."""

    start: float
    end: float
    at: float

    @property
    def length(self) -> float:
        """How long it is."""
        return self.end - self.start


Edges = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The rules and graphics of one page; level rules from top to bottom."""

    level: tuple[Rule, ...]
    upright: tuple[Rule, ...]
    graphics: tuple[Edges, ...]


def drawing_of(shapes: bytes, width: float, height: float) -> Drawing:
    """The drawing of a page from the bytes of its shapes."""
    table = np.frombuffer(shapes, np.float32).reshape(-1, _SHAPE_COLUMNS)
    table = table[np.isfinite(table).all(axis=1)]
    left, bottom, right, top, image = table.T
    wide, high = right - left, top - bottom
    level = (high <= _THIN) & (wide >= _LONG) & (image == 0)
    upright = (wide <= _THIN) & (high >= _LONG / 2) & (image == 0)
    graphic = ~level & ~upright & ~((wide > _BACKGROUND * width) & (high > _BACKGROUND * height))
    graphic &= (wide > 1) | (high > 1)
    boxes = np.column_stack((left, bottom, right, top))
    return Drawing(
        tuple(_joined((row[0], row[2], (row[1] + row[3]) / 2) for row in boxes[level].tolist())),
        tuple(_joined((row[1], row[3], (row[0] + row[2]) / 2) for row in boxes[upright].tolist())),
        tuple(map(_edges, boxes[graphic].tolist())),
    )


def _edges(row: Sequence[float]) -> Edges:
    left, bottom, right, top = row
    return left, bottom, right, top


def _joined(pieces: Iterable[tuple[float, float, float]]) -> list[Rule]:
    """Rules from pieces (start, end, place): pieces at one place that touch are one rule."""
    rules: list[Rule] = []
    for start, end, at in sorted(pieces, key=lambda piece: (-round(piece[2] / _LEVEL), piece[0])):
        last = rules[-1] if rules else None
        if last and abs(last.at - at) <= _LEVEL and start <= last.end + _JOINT:
            rules[-1] = Rule(last.start, max(last.end, end), last.at)
        else:
            rules.append(Rule(start, end, at))
    return sorted(rules, key=lambda rule: -rule.at)

"""The area of a figure: what is drawn above its caption, or else below it, and the text inside.

+-----------+
| a drawing |      graphics, up to the next line of running text or caption above
|   axis    |      text inside belongs to the figure
+-----------+
Figure 1. ...      the caption
"""

from collections.abc import Iterable, Sequence

from rowen.elements.captions import OPEN, Caption
from rowen.elements.drawings import Drawing, Edges
from rowen.elements.prose import is_prose
from rowen.pdf import Line

_MARGIN = 14.0  # points around graphics in which short lines are still part of the figure
_SMALLEST = 12.0  # points: a smaller area is a sign in the text
_NEAR = 90.0  # points between a caption and its graphic, at most
_COLUMN = 0.28  # of the page's width: running text is wider


class FigureFinder:
    """Finds the areas of the figures of one page."""

    def __init__(
        self,
        lines: Sequence[Line],
        labels: Sequence[str],
        indexes: Sequence[int],
        drawing: Drawing,
        *,
        size: float,
        page: tuple[float, float],
    ) -> None:
        self._lines = lines
        self._own = [i for i in indexes if labels[i] in OPEN]
        self._drawing = drawing
        self._width, self._height = page
        prose = [
            i for i in indexes
            if labels[i] != "furniture" and is_prose(lines[i], size, _COLUMN * self._width)
        ]  # fmt: skip
        self._prose = frozenset(prose)

    def area(self, caption: Caption, taken: frozenset[int]) -> Edges | None:
        """The area that is drawn for a caption; lines in `taken` belong to something else."""
        own = [self._lines[i] for i in caption.indexes]
        left, right = min(line.left for line in own), max(line.right for line in own)
        mine = set(caption.indexes)
        walls = [
            self._lines[i] for i in {*self._prose, *taken} - mine
            if self._lines[i].left < right and self._lines[i].right > left
        ]  # fmt: skip
        high, low = max(line.top for line in own), min(line.bottom for line in own)
        ceiling = min(
            (line.bottom for line in walls if line.bottom >= high - 1), default=self._height
        )
        floor = max((line.top for line in walls if line.top <= low + 1), default=0.0)
        return self._drawn(left, high, right, ceiling, above=True) or self._drawn(
            left, floor, right, low, above=False
        )

    def _drawn(
        self, left: float, bottom: float, right: float, top: float, *, above: bool
    ) -> Edges | None:
        """The area around graphics between two heights, in the column of the caption."""
        boxes = [
            box for box in self._drawing.graphics
            if box[0] < right and box[2] > left and box[1] > bottom - 6 and box[3] < top + 6
        ]  # fmt: skip
        boxes += [
            (rule.start, rule.at, rule.end, rule.at)
            for rule in self._drawing.level
            if rule.start < right and rule.end > left and bottom < rule.at < top
        ]
        if not boxes:
            return None
        edges = _around(boxes)
        wide, high = edges[2] - edges[0], edges[3] - edges[1]
        gap = edges[1] - bottom if above else top - edges[3]
        if wide < _SMALLEST or high < _SMALLEST or gap > _NEAR:
            return None
        return edges

    def inside(self, edges: Edges, taken: frozenset[int]) -> tuple[int, ...]:
        """The lines that belong to a figure: those in its area or, if they are short, near it."""
        left, bottom, right, top = edges
        chosen = []
        for i in self._own:
            line = self._lines[i]
            x, y = (line.left + line.right) / 2, (line.bottom + line.top) / 2
            within = left - 2 <= x <= right + 2 and bottom - 2 <= y <= top + 2
            near = left - _MARGIN <= x <= right + _MARGIN and bottom - _MARGIN <= y <= top + _MARGIN
            short = line.right - line.left < 0.5 * (right - left)
            if i not in taken and i not in self._prose and (within or (near and short)):
                chosen.append(i)
        return tuple(chosen)


def _around(boxes: Iterable[Edges]) -> Edges:
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)

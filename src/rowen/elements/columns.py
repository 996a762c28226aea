"""The columns of text on each page: their left and right edges, by the lines in them.

A block has the edges of most of its lines. One with few lines takes those of a larger block of its
page that it overlaps, so that a short last line shows that it is short.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from rowen.pdf import Line

_LINES = 4  # a block with fewer shows no edges


class Edges(NamedTuple):
    """The left and right edges of a column."""

    left: float
    right: float


class Columns:
    """The edges of the columns of a paper, by blocks."""

    def __init__(self, lines: Sequence[Line], labels: Sequence[str]) -> None:
        blocks: defaultdict[int, list[Line]] = defaultdict(list)
        for line, label in zip(lines, labels, strict=True):
            if label == "body":
                blocks[line.block].append(line)
        self._edges = {block: _edges_of(own) for block, own in blocks.items() if len(own) >= _LINES}
        self._by_page: defaultdict[int, list[Edges]] = defaultdict(list)
        for block, edges in self._edges.items():
            self._by_page[blocks[block][0].page].append(edges)

    def edges(self, line: Line) -> Edges:
        """The edges of the column that a line is in."""
        own = self._edges.get(line.block)
        if own is not None and own.right > line.left:
            return own
        around = [
            edges for edges in self._by_page[line.page]
            if edges.left - 5 <= line.left and line.right <= edges.right + 5
        ]  # fmt: skip
        return min(
            around, key=lambda edges: edges.right - edges.left, default=Edges(line.left, line.right)
        )


def _edges_of(lines: Sequence[Line]) -> Edges:
    """The left edge of most lines, further left if several are there; the right edge of the widest.

    Single lines may stick out: the second widest counts if there are ten.
    """
    lefts = Counter(round(line.left) for line in lines)
    few = max(2, len(lines) // 8)
    common = [left for left, count in lefts.items() if count >= few]
    left = min(common) if common else min(lefts)
    rights = sorted(line.right for line in lines)
    return Edges(float(left), rights[-1 - len(rights) // 10])

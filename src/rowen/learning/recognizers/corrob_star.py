"""Corrob*: corroboration for a known order of the fields, without strongly ambiguous cells (6.6).

Where a choice of one cell excludes a choice of another, the two are strongly ambiguous, and all but
one of such a cluster become unknown (6.6.2). Then each cell is chosen by itself:

    gap     A B C, in page order     cells  x, then y
    choices x  A or B                y  B or C
    cluster {x, y}: B in x excludes B in y
    compact x  A or B                y  unknown
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rowen.learning.recognizers.corroborate import Choice, Gap, Ordering, PartialLabel, ordering
from rowen.learning.recognizers.recognizer import Recognizer, recognize
from rowen.model import Page
from rowen.records.positions import Position


@dataclass(frozen=True, slots=True)
class CompactLabel:
    """All labels of Corrob* for one order: each cell is chosen by itself (6.6.2)."""

    order: tuple[str, ...]
    rows: tuple[tuple[tuple[Choice, ...], ...], ...]
    """The choices of each cell, the most likely first; `(None,)` where nothing is known."""

    def count(self) -> int:
        """How many labels there are."""
        return math.prod(len(cell) for row in self.rows for cell in row)

    def labels(self, limit: int | None = None) -> Iterator[PartialLabel]:
        """The labels, in proximity order: those whose choices are nearest to their anchors first.

        Nearness counts by rank, as in the thesis: the sum of the ranks grows.
        """
        cells = [cell for row in self.rows for cell in row]
        width = len(self.order)
        for chosen in islice(_by_rank([len(cell) for cell in cells]), limit):
            places = [cell[rank] for cell, rank in zip(cells, chosen, strict=True)]
            rows = [tuple(places[at : at + width]) for at in range(0, len(places), width)]
            yield PartialLabel(self.order, tuple(rows))


def _by_rank(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All choices of one rank per cell, by their sum."""
    for total in range(sum(size - 1 for size in sizes) + 1):
        yield from _with_sum(sizes, total)


def _with_sum(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Choices whose ranks have that sum; no recursion, since a page may have thousands of cells."""
    open_cells = [index for index, size in enumerate(sizes) if size > 1]
    room = [0]
    for index in reversed(open_cells):
        room.append(room[-1] + sizes[index] - 1)
    room.reverse()
    stack: list[tuple[int, int, tuple[int, ...]]] = [(0, total, ())]
    while stack:
        depth, left, ranks = stack.pop()
        if depth == len(open_cells):
            if not left:
                filled = [0] * len(sizes)
                for index, rank in zip(open_cells, ranks, strict=True):
                    filled[index] = rank
                yield tuple(filled)
            continue
        # The cells that follow can take `room` at most, so this one must take the rest.
        low = max(0, left - room[depth + 1])
        high = min(left, sizes[open_cells[depth]] - 1)
        stack += [(depth + 1, left - rank, (*ranks, rank)) for rank in range(low, high + 1)]


def corrob_star(
    page: Page | str, recognizers: Sequence[Recognizer], order: Sequence[str]
) -> CompactLabel | None:
    """Corrob*: the labels with this order of the fields, less what is strongly ambiguous.

    None where no label has this order. Each of its labels is one of Corrob's in which cells were
    made unknown, and each of Corrob's labels, with the same cells made unknown, is among them. So
    the true label is among them, too, if the recognizers are what they are declared to be.
    """
    consistent = ordering(recognize(Page.of(page), recognizers), order)
    return None if consistent is None else compact(consistent)


def compact(consistent: Ordering) -> CompactLabel:
    """Keep one cell of each cluster of strongly ambiguous ones, so that all cells are independent.

    Departing from 6.6.3, nearness is the distance to the anchor of the same record.
    """
    cells: dict[tuple[int, str], tuple[Choice, ...]] = {
        (row, consistent.anchor_field): (anchor,) for row, anchor in enumerate(consistent.anchors)
    }
    for gap in consistent.gaps:
        independent = _weakly_ambiguous(gap)
        for (row, name), options in zip(gap.cells, independent, strict=True):
            anchor = consistent.anchors[row]
            cells[row, name] = tuple(sorted(options, key=lambda choice: _distance(choice, anchor)))
    rows = tuple(
        tuple(cells[row, name] for name in consistent.order)
        for row in range(len(consistent.anchors))
    )
    return CompactLabel(consistent.order, rows)


def _distance(choice: Choice, anchor: Position) -> float:
    if choice is None:
        return math.inf
    return max(choice[0] - anchor[1], anchor[0] - choice[1])


def _weakly_ambiguous(gap: Gap) -> list[tuple[Choice, ...]]:
    """The choices of a gap's cells; of those that depend on each other, all but one become unknown.

    Two cells are in one cluster where a choice of the one excludes a choice of the other. The
    thesis keeps any one of a cluster's fields; here it is that with the fewest choices.
    """
    choices = list(gap.choices)
    cluster = list(range(len(choices)))
    for first in range(len(choices)):
        end = max((choice[1] for choice in choices[first] if choice is not None), default=None)
        for second in range(first + 1, len(choices)):
            start = min(
                (choice[0] for choice in choices[second] if choice is not None), default=None
            )
            if end is not None and start is not None and start < end:
                old, new = cluster[second], cluster[first]
                cluster = [new if number == old else number for number in cluster]
    for name in set(cluster):
        members = [index for index, number in enumerate(cluster) if number == name]
        best = min(members, key=lambda index: len(gap.choices[index]))
        for index in members:
            if index != best:
                choices[index] = (None,)
    return choices

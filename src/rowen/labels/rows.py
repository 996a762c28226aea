"""Rows of cells on a page: whether and where they fit so that no two rows interleave.

    page     A 1 B 1 2          positions of A, B, 1 (twice) and 2
    rows     (A, 1) (B, 2)      A and the first 1, then B and 2
    rows     (B, 1) (A, 2)      no solution

In the second case A has no position after the end of (B, 1).
"""

import math
from bisect import bisect_left
from collections.abc import Sequence

from rowen.induction import budget
from rowen.labels.row_tree import RowTree
from rowen.records.positions import Position

ROW_STEPS = 100_000
"""Limit: at most this many combinations of positions are tried for one record. Then learning asks
for offsets. Choosing one of several intervals for each value without overlaps is NP-hard in
general."""

FEW = 64
"""This many positions of a cell are considered first. That is nearly always enough."""


class _Undecided(Exception):  # noqa: N818  # caught here
    """It takes too many steps to decide whether a row fits."""


def locate_rows(
    rows: Sequence[Sequence[Sequence[Position]]], tree: RowTree | None = None
) -> list[list[Position]] | int:
    """One position per cell for each row, so that rows follow each other and nothing overlaps.

    The positions of a cell are in page order. Each row ends as early as it can. Whatever fits after
    a later end also fits after an earlier one, so this greedy choice finds a solution whenever
    there is one. Otherwise returns the number of the row that does not fit. Raises `SearchCutShort`
    where `ROW_STEPS` steps don't decide it.

    `tree` says which rows are nested in which; without it, each row follows the one before. The
    values of nested fields are located after those of the row around them, which they don't
    overlap, and don't mind each other.
    """
    search = _RowSearch(rows, tree or RowTree.flat(len(rows)))
    failed = search.place_list(search.tree.top, 0, ())[1]
    return search.chosen if failed is None else failed


class _RowSearch:
    """Places the rows of a tree, each as early as it can."""

    def __init__(self, rows: Sequence[Sequence[Sequence[Position]]], tree: RowTree) -> None:
        self.rows = rows
        self.tree = tree
        self.chosen: list[list[Position]] = [[] for _ in rows]

    def place_list(
        self, rows: Sequence[int], cursor: int, around: Sequence[Position]
    ) -> tuple[int, int | None]:
        """Place rows that follow each other: where they end, and which of them does not fit."""
        for row in rows:
            cursor, failed = self._place(row, cursor, around)
            if failed is not None:
                return cursor, failed
        return cursor, None

    def _place(self, row: int, cursor: int, around: Sequence[Position]) -> tuple[int, int | None]:
        budget.check()
        cells = [
            _apart(cell[bisect_left(cell, (cursor,)) :], around)
            if around
            else cell[bisect_left(cell, (cursor,)) :]
            for cell in self.rows[row]
        ]
        positions = _earliest(cells)
        if positions is None:
            return cursor, row
        self.chosen[row] = positions
        own = end = max((end for _, end in positions), default=cursor)
        for inner in self.tree.lists[row].values():
            follows = inner[0] in self.tree.followers
            taken = () if follows else (*around, *positions)
            reached, failed = self.place_list(inner, own if follows else cursor, taken)
            if failed is not None:
                return reached, failed
            end = max(end, reached)
        return end, None


def _apart(positions: Sequence[Position], taken: Sequence[Position]) -> list[Position]:
    """The positions that overlap none of these."""
    return [
        (start, end)
        for start, end in positions
        if all(end <= other[0] or other[1] <= start for other in taken)
    ]


def _earliest(cells: Sequence[Sequence[Position]]) -> list[Position] | None:
    """Positions that don't overlap and of which the last ends as early as possible."""
    if not all(cells):
        return None
    positions = _search([cell[:FEW] for cell in cells])
    reached = max((end for _, end in positions), default=0) if positions is not None else math.inf
    if all(len(cell) <= FEW or cell[FEW][0] >= reached for cell in cells):
        return positions  # the positions left out start later, so none of them ends earlier
    return _search(cells)


def _search(cells: Sequence[Sequence[Position]]) -> list[Position] | None:
    """Bisect over the row's end: a row that fits before one end fits before each later end."""
    least = max((min(end for _, end in cell) for cell in cells), default=0)
    ends = sorted({end for cell in cells for _, end in cell if end >= least})
    best: list[Position] | None = None if cells else []
    low, high = 0, len(ends)
    undecided = False
    while low < high:
        middle = (low + high) // 2
        try:
            positions = _disjoint(
                [[position for position in cell if position[1] <= ends[middle]] for cell in cells]
            )
        except _Undecided:
            positions, undecided = None, True
        if positions is None:
            low = middle + 1
        else:
            best, high = positions, middle
    if best is None and undecided:
        raise budget.cut_short(
            f"{ROW_STEPS} ways to locate a record's values were tried in vain; give offsets"
        )
    return best


def _disjoint(cells: list[list[Position]]) -> list[Position] | None:
    """One position per cell, no two of which overlap; cells with the fewest positions come first.

    Raises `_Undecided` where there are too many combinations to try.
    """
    order = sorted(range(len(cells)), key=lambda index: len(cells[index]))
    taken: dict[int, Position] = {}
    steps = 0

    def fits(position: Position) -> bool:
        return all(position[1] <= start or end <= position[0] for start, end in taken.values())

    def search(depth: int) -> bool:
        nonlocal steps
        if depth == len(order):
            return True
        for position in cells[order[depth]]:
            steps += 1
            if steps > ROW_STEPS:
                raise _Undecided
            if fits(position):
                taken[order[depth]] = position
                if search(depth + 1):
                    return True
                del taken[order[depth]]
        return False

    return [taken[index] for index in range(len(cells))] if search(0) else None

"""Rows of cells on a page: whether and where they fit so that no two rows interleave."""

import math
from bisect import bisect_left
from collections.abc import Sequence

from rowen.limits import ROW_STEPS
from rowen.wrappers import budget
from rowen.wrappers.placing.whereabouts import Place

FEW = 64
"""How many places of a cell are looked at first: mostly enough."""


class _Undecided(Exception):  # noqa: N818  # caught here
    """It takes too long to tell whether a row fits."""


def place_rows(rows: Sequence[Sequence[Sequence[Place]]]) -> list[list[Place]] | int:
    """For each row one place a cell, so that rows follow each other and nothing overlaps.

    The places of a cell are given in page order. Each row ends as early as it can. What fits after
    a later end fits after an earlier one, so that a solution is found exactly when there is one;
    else the answer is the number of the row that is stuck. `SearchCutShort` where `ROW_STEPS` don't
    tell which.
    """
    cursor = 0
    chosen: list[list[Place]] = []
    for number, row in enumerate(rows):
        budget.check()
        cells = [cell[bisect_left(cell, (cursor,)) :] for cell in row]
        found = _earliest(cells)
        if found is None:
            return number
        chosen.append(found)
        cursor = max((end for _, end in found), default=cursor)
    return chosen


def _earliest(cells: Sequence[Sequence[Place]]) -> list[Place] | None:
    """Places that don't overlap, the last of which ends first."""
    if not all(cells):
        return None
    found = _search([cell[:FEW] for cell in cells])
    reached = max((end for _, end in found), default=0) if found is not None else math.inf
    if all(len(cell) <= FEW or cell[FEW][0] >= reached for cell in cells):
        return found  # what was not looked at starts later
    return _search(cells)


def _search(cells: Sequence[Sequence[Place]]) -> list[Place] | None:
    least = max((min(end for _, end in cell) for cell in cells), default=0)
    ends = sorted({end for cell in cells for _, end in cell if end >= least})
    best: list[Place] | None = None if cells else []
    low, high = 0, len(ends)
    undecided = False
    while low < high:
        middle = (low + high) // 2
        try:
            found = _disjoint([[one for one in cell if one[1] <= ends[middle]] for cell in cells])
        except _Undecided:
            found, undecided = None, True
        if found is None:
            low = middle + 1
        else:
            best, high = found, middle
    if best is None and undecided:
        raise budget.cut_short(
            f"a record's values were placed in {ROW_STEPS} ways without an end; give offsets"
        )
    return best


def _disjoint(cells: list[list[Place]]) -> list[Place] | None:
    """One place a cell, no two of which overlap: those with the fewest places are tried first.

    Raises `_Undecided` where they are too many to try.
    """
    order = sorted(range(len(cells)), key=lambda index: len(cells[index]))
    taken: dict[int, Place] = {}
    steps = 0

    def fits(place: Place) -> bool:
        return all(place[1] <= start or end <= place[0] for start, end in taken.values())

    def search(depth: int) -> bool:
        nonlocal steps
        if depth == len(order):
            return True
        for place in cells[order[depth]]:
            steps += 1
            if steps > ROW_STEPS:
                raise _Undecided
            if fits(place):
                taken[order[depth]] = place
                if search(depth + 1):
                    return True
                del taken[order[depth]]
        return False

    return [taken[index] for index in range(len(cells))] if search(0) else None

"""How well the positions of a column's values agree with each other, over records and pages.

Each position has features: hashes of ever longer contexts on both sides (`surroundings`). A cell
votes for the features of its positions; a position scores by the votes for its own features, by how
visible it is, and by how near it is to the other values of its record.

    <title>Ada</title> ... <li><b>Ada</b> ... <li><b>Bob</b>

The position in the title shares no context with any other cell. The one in the list shares
`<li><b>` with Bob, which is two votes of two, so it wins.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.labels.label_table import Cell, Column, LabelTable
from rowen.records.positions import Position

POSITIONS_COMPARED = 40_000
"""Limit: at most this many positions of a column's values are compared by their surroundings, the
most visible ones. More take seconds, and occur where nothing distinguishes the records."""

NEAR = 0.01
"""What a position loses with each doubling of its distance to the rest of its record."""

PART_NEAR = 0.25
"""What it loses besides with each doubling of `REACH` where only some records of a page are marked:
between them are others with the same texts, and so few records vote that surroundings agree by
chance."""

REACH = 100
"""Nobody can say whether a value that is no further away belongs to another record."""

IN_ORDER = 0.002
"""What a position gains that has the record's other values on the sides on which they are
listed."""

Scores: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell of a page's table, and the positions that other columns leave to it."""

    table: LabelTable
    cell: Cell
    positions: list[Position]


def open_cells(tables: Sequence[LabelTable], column: Column) -> list[OpenCell]:
    """The cells of a column on all pages, with at most `POSITIONS_COMPARED` positions in all."""
    cells = [
        OpenCell(table, cell, positions)
        for table in tables
        for cell, positions in table.open_positions(column)
    ]
    if sum(len(entry.positions) for entry in cells) <= POSITIONS_COMPARED:
        return cells
    share = max(1, POSITIONS_COMPARED // len(cells))
    return [
        OpenCell(entry.table, entry.cell, _most_visible(entry.table, entry.positions, share))
        for entry in cells
    ]


def _most_visible(table: LabelTable, positions: list[Position], count: int) -> list[Position]:
    ranked = sorted(positions, key=table.surroundings.visibility, reverse=True)
    return sorted(ranked[:count])


def score(cells: Sequence[OpenCell], column: Column, *, settled: bool) -> list[Scores]:
    """A score for each position of each cell.

    Once `settled`, a cell votes only for the position that it has taken.
    """
    features = [_features(entry.table, entry.positions) for entry in cells]
    ballots = [
        _features(entry.table, [entry.cell.taken]) if settled and entry.cell.taken else rows
        for rows, entry in zip(features, cells, strict=True)
    ]
    # np.unique per cell first: a cell has one vote per feature, however many of its positions
    # have it.
    names, votes = np.unique(
        np.concatenate([np.unique(rows) for rows in ballots]), return_counts=True
    )
    mates = {id(entry.table): entry.table.row_mates(column) for entry in cells}
    scores_of_cells: list[Scores] = []
    for rows, entry in zip(features, cells, strict=True):
        index = np.minimum(np.searchsorted(names, rows), len(names) - 1)
        support = np.where(names[index] == rows, votes[index], 0) / len(cells)
        scores = support.mean(axis=1)
        # Nearness and order tell records apart; where a page is one record, they say nothing.
        table, cell = entry.table, entry.cell
        alone = table.tree.is_alone(cell.row) and not table.partial
        beside = [] if alone else mates[id(table)].get(cell.row, [])
        scores += [
            table.surroundings.visibility(position)
            + _nearness(position, cell, beside, partial=table.partial)
            for position in entry.positions
        ]
        scores_of_cells.append(scores)
    return scores_of_cells


def _features(table: LabelTable, positions: Sequence[Position]) -> NDArray[np.int64]:
    return np.array(
        [table.surroundings.features(position) for position in positions], dtype=np.int64
    )


def _nearness(position: Position, cell: Cell, mates: list[Cell], *, partial: bool) -> float:
    """How well a position fits those of the record's other values: near, and in their order."""
    taken = [(mate.taken, mate.rank) for mate in mates if mate.taken]
    if not taken:
        return 0.0
    start, end = position
    gap = min(max(mate[0] - end, start - mate[1], 0) for mate, _ in taken)
    far = NEAR * math.log2(1 + gap)
    if partial:
        extent = max(end for (_, end), _ in taken) - min(start for (start, _), _ in taken)
        far += PART_NEAR * math.log2(1 + gap / max(extent, REACH))
    ordered = sum((mate[0] < start) == (rank <= cell.rank) for mate, rank in taken)
    return IN_ORDER * ordered / len(taken) - far


def best_path(positions: list[list[Position]], scores: list[Scores]) -> list[Position] | None:
    """One position per cell, each after the one before, with the highest sum; the first of equals.

    A dynamic program over the cells of one page: the best sum that ends in each position is its own
    score and the best sum among the positions of the cell before that end early enough. With these
    sorted by end, a running maximum and a binary search answer that for all positions at once.
    """
    totals: list[Scores] = []
    backs: list[NDArray[np.intp]] = []
    order: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
    for number, (cell_positions, cell_scores) in enumerate(zip(positions, scores, strict=True)):
        if not number:
            totals.append(cell_scores)
            backs.append(np.zeros(len(cell_positions), dtype=np.intp))
        else:
            ends = np.array([positions[number - 1][index][1] for index in order])
            before = totals[-1][order]
            best = np.maximum.accumulate(before)
            is_new = np.concatenate(([True], best[1:] > best[:-1]))
            holder = np.maximum.accumulate(np.where(is_new, np.arange(len(before)), 0))
            starts = np.array([start for start, _ in cell_positions])
            reach = np.searchsorted(ends, starts, side="right") - 1
            total = np.where(reach >= 0, cell_scores + best[reach], -np.inf)
            totals.append(total)
            backs.append(order[holder[reach]])
        if not np.isfinite(totals[-1]).any():
            return None
        order = np.argsort([end for _, end in cell_positions], kind="stable")
    if not totals:
        return []
    path: list[Position] = []
    at = int(np.argmax(totals[-1]))
    for number in range(len(positions) - 1, -1, -1):
        path.append(positions[number][at])
        at = int(backs[number][at])
    return path[::-1]

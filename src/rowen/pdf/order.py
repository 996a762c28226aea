"""Reading order of a page: bands from top to bottom, each with its own columns.

A page may have a title across both columns, two columns below it, then a table across again. Rows
are grouped into bands; each band has one gutter that no row crosses, or none. Dynamic programming
over the rows finds the bands. The two sides of a gutter are then ordered in the same way, which
also handles three columns, and authors side by side in one column.

    A title across the page        band without a gutter      block 0
    left one        right one      band with a gutter         left side: block 1
    left two        right two                                 right side: block 2
    a wide table across it all     band without a gutter      block 3
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rowen.pdf.pieces import Piece

_GUTTER = 4.0  # points: the least width of a gutter
_COLUMN = 0.1  # of the page's width: narrower is a label, a bullet or a number, no column
_CHANGE = 3.0  # the cost of changing the gutter, in rows with text on both sides
_LABEL = 2.5  # of the size: a label is narrower, and no further from its text
_TAIL = 3.0  # of the size: text further below the end of a column is not part of it
_CANDIDATES = 12
"""Limit: places of each kind that are tried as gutters; the time grows with rows times gutters."""
_DEPTH = 4
"""Limit: gutters inside columns inside gutters; bounds the recursion on hostile pages."""


@dataclass(frozen=True, slots=True)
class _Row:
    """Pieces on one baseline, from left to right."""

    baseline: float
    size: float
    pieces: list[Piece]


def reading_order(
    pieces: Sequence[Piece], width: float, *, leftwards: bool = False
) -> list[list[Piece]]:
    """The pieces in blocks, one column of one band each, in reading order.

    On a page that runs `leftwards`, the right column comes first.
    """
    ordered = sorted(pieces, key=lambda piece: -piece.baseline)
    if not leftwards:
        return _blocks(ordered, width, 0)
    # The same as in a mirror.
    shown = [replace(own, left=width - own.right, right=width - own.left) for own in ordered]
    places = {id(own): at for at, own in enumerate(shown)}
    return [[ordered[places[id(own)]] for own in block] for block in _blocks(shown, width, 0)]


def _blocks(pieces: Sequence[Piece], width: float, depth: int) -> list[list[Piece]]:
    """The blocks of pieces that come from top to bottom."""
    if not pieces:
        return []
    rows = _rows(pieces)
    gutters = _candidates(rows, width) if depth < _DEPTH and len(rows) > 1 else []
    if not gutters:
        return [list(pieces)]
    blocks: list[list[Piece]] = []
    for gutter, band in _bands(rows, gutters):
        inside = [piece for row in band for piece in row.pieces]
        left = [piece for piece in inside if piece.right <= gutter]
        right = [piece for piece in inside if piece.right > gutter]
        if gutter < 0 or not left or not right:
            blocks.append(inside)
        else:
            blocks += _blocks(left, width, depth + 1)
            blocks += _blocks(right, width, depth + 1)
    return blocks


def _rows(pieces: Sequence[Piece]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in pieces:
        if rows and rows[-1].baseline - piece.baseline < 0.3 * max(rows[-1].size, piece.size):
            rows[-1].pieces.append(piece)
        else:
            rows.append(_Row(piece.baseline, piece.size, [piece]))
    for row in rows:
        row.pieces.sort(key=lambda piece: piece.left)
    return rows


def _candidates(rows: Sequence[_Row], width: float) -> list[float]:
    """Possible gutters: left of where several pieces start, in gaps of rows, in the middle."""
    starts: Counter[int] = Counter()
    gaps: Counter[int] = Counter()
    for row in rows:
        reach = -1.0
        for piece in row.pieces:
            starts[round(piece.left / 3)] += 1
            if reach >= 0 and piece.left - reach > 2 * _GUTTER:
                gaps[round((reach + piece.left) / 16)] += 1
            reach = max(reach, piece.right)
    edge = min(row.pieces[0].left for row in rows) + _COLUMN * width
    places = [
        3.0 * at - 1.5 - _GUTTER / 2 for at, count in starts.most_common(_CANDIDATES) if count > 2
    ]
    places += [8.0 * at for at, count in gaps.most_common(_CANDIDATES) if count > 1]
    ends = [piece.right for row in rows for piece in row.pieces]
    places.append((min(row.pieces[0].left for row in rows) + max(ends)) / 2)
    return sorted({place for place in places if place > edge})


def _bands(rows: Sequence[_Row], gutters: Sequence[float]) -> list[tuple[float, list[_Row]]]:
    """Group rows into bands, each with its gutter; -1 for none.

    Viterbi over the rows: the states are the gutters and `none`, and a change of state costs
    `_CHANGE`, so that a short line does not end a band.
    """
    fits = _Fits(rows)
    scores = [[0.0] * len(rows), *map(fits.of, gutters)]
    states = range(len(scores))
    best = [scores[state][0] for state in states]
    origins: list[list[int]] = []
    for i in range(1, len(rows)):
        top = max(states, key=best.__getitem__)
        change = best[top] - _CHANGE
        origins.append([state if best[state] >= change else top for state in states])
        best = [max(best[state], change) + scores[state][i] for state in states]
    state = max(states, key=best.__getitem__)
    chosen = [state]
    for origin in reversed(origins):
        state = origin[state]
        chosen.append(state)
    chosen.reverse()
    bands: list[tuple[float, list[_Row]]] = []
    before = -1
    for state, row in zip(chosen, rows, strict=True):
        if state != before:
            bands.append((gutters[state - 1] if state else -1.0, []))
            before = state
        bands[-1][1].append(row)
    return bands


class _Fits:
    """Scores of rows for gutters: no row may cross one, and text on both sides supports it.

    Lines of two columns need not be level, so near rows count as well, and one column may start or
    end above the other. A number or bullet before a gutter is not a column: it belongs to the text
    after it.
    """

    def __init__(self, rows: Sequence[_Row]) -> None:
        pieces = [piece for row in rows for piece in row.pieces]
        self.left = np.array([piece.left for piece in pieces])
        self.right = np.array([piece.right for piece in pieces])
        self.starts = np.cumsum([0, *(len(row.pieces) for row in rows[:-1])])
        self.size = np.array([row.size for row in rows])
        self.height = np.array([-row.baseline for row in rows])
        self.first = np.searchsorted(self.height, self.height - 1.4 * self.size)
        self.end = np.searchsorted(self.height, self.height + 1.4 * self.size)

    def of(self, gutter: float) -> list[float]:
        """A score for each row."""
        low, high = gutter - _GUTTER / 2, gutter + _GUTTER / 2
        crossed = self._any((self.left < high) & (self.right > low))
        left = np.minimum.reduceat(self.right, self.starts) <= low
        right = np.maximum.reduceat(self.right, self.starts) > high
        two_sided = self._near(left & ~crossed) & self._near(right & ~crossed)
        scores = np.where(two_sided, 1.0, -0.05)
        scores[self._labelled(gutter)] = -1.0
        scores[crossed] = -1000.0
        self._continue(scores, left, right)
        row_scores: list[float] = scores.tolist()
        return row_scores

    def _any(self, pieces: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows with at least one of these pieces."""
        return np.logical_or.reduceat(pieces, self.starts)

    def _near(self, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows with at least one of these rows near."""
        counts = np.concatenate(([0], np.cumsum(rows)))
        near: NDArray[np.bool_] = counts[self.end] > counts[self.first]
        return near

    def _labelled(self, gutter: float) -> NDArray[np.bool_]:
        """The rows in which a gutter would separate a label from its text."""
        before, behind = self.right <= gutter, self.left >= gutter
        begin = np.maximum.reduceat(np.where(before, self.left, -np.inf), self.starts)
        end = np.maximum.reduceat(np.where(before, self.right, -np.inf), self.starts)
        text = np.minimum.reduceat(np.where(behind, self.left, np.inf), self.starts)
        widest = _LABEL * self.size
        labelled: NDArray[np.bool_] = (end < begin + widest) & (text < end + widest)
        return labelled

    def _continue(
        self, scores: NDArray[np.float64], left: NDArray[np.bool_], right: NDArray[np.bool_]
    ) -> None:
        """Raise the scores of rows that continue one column where the other has no text."""
        lowest = [np.inf, np.inf]  # of each column so far; heights grow downwards here
        heights, tails = self.height.tolist(), (self.height - _TAIL * self.size).tolist()
        ends = zip(left.tolist(), right.tolist(), strict=True)
        for i, (score, has_text) in enumerate(zip(scores.tolist(), ends, strict=True)):
            if score == -1000.0:
                lowest = [np.inf, np.inf]
            elif score != -1.0:
                sides = [side for side in (0, 1) if has_text[side]]
                goes_on = all(tails[i] < lowest[side] < np.inf for side in sides)
                if score == 1.0 or goes_on:
                    for side in sides:
                        lowest[side] = heights[i]
                if score != 1.0 and (goes_on or sides == [1]):
                    scores[i] = 0.05

"""The order in which a page is read: bands from top to bottom, each with its own columns.

A page may have a title across, two columns under it, a table across again. Rows are put into
bands so that each band has one gutter, or none, that no row of it crosses; which bands these are
is found by dynamic programming over the rows. The sides of a gutter are then ordered in the same
way, so that three columns, or authors side by side in one column, come out as well.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rowen.scholar.layout.pieces import Piece

_GUTTER = 4.0  # points: what is narrower parts no columns
_COLUMN = 0.1  # of the page's width: what is narrower is a label, a bullet or a number, no column
_CHANGE = 3.0  # what another gutter costs, in rows that have text on both sides of it
_LABEL = 2.5  # of the size: a label is narrower, and no further from its text
_TAIL = 3.0  # of the size: what is further below the longer of two columns isn't part of it
_CANDIDATES = 12
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class _Row:
    """Pieces on one baseline, from left to right."""

    baseline: float
    size: float
    pieces: list[Piece]


def reading_order(pieces: Sequence[Piece], width: float) -> list[list[Piece]]:
    """The pieces in blocks, one column of one band each, in reading order."""
    return _blocks(sorted(pieces, key=lambda piece: -piece.baseline), width, 0)


def _blocks(pieces: Sequence[Piece], width: float, depth: int) -> list[list[Piece]]:
    """`pieces` come from top to bottom."""
    if not pieces:
        return []
    rows = _rows(pieces)
    gutters = _candidates(rows, width) if depth < _DEPTH and len(rows) > 1 else []
    if not gutters:
        return [list(pieces)]
    found: list[list[Piece]] = []
    for gutter, band in _bands(rows, gutters):
        inside = [piece for row in band for piece in row.pieces]
        left = [piece for piece in inside if piece.right <= gutter]
        right = [piece for piece in inside if piece.right > gutter]
        if gutter < 0 or not left or not right:
            found.append(inside)
        else:
            found += _blocks(left, width, depth + 1)
            found += _blocks(right, width, depth + 1)
    return found


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
    """Where gutters may be: left of where several pieces begin, in gaps of rows, in the middle."""
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
    """The rows in bands, each with its gutter; -1 for none."""
    scores = [[0.0] * len(rows), *(_fit(rows, gutter) for gutter in gutters)]
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


def _fit(rows: Sequence[_Row], gutter: float) -> list[float]:
    """How well each row goes with a gutter: it must not cross it; text on both sides speaks for it.

    Lines of two columns need not be level, so that rows near by count as well, and one column may
    begin or end above the other. A number or bullet before a gutter is no column's end but the
    begin of what stands behind it.
    """
    low, high = gutter - _GUTTER / 2, gutter + _GUTTER / 2
    left, right, crossed, labelled = [], [], [], []
    for row in rows:
        ends = [piece.right for piece in row.pieces]
        labelled.append(_parts_label(row, gutter))
        crossed.append(any(p.left < high and p.right > low for p in row.pieces))
        left.append(min(ends) <= low)
        right.append(max(ends) > high)
    heights = [-row.baseline for row in rows]
    fits = []
    lowest: dict[str, float] = {}  # where each of two columns has come to
    for i, row in enumerate(rows):
        if crossed[i]:
            fits.append(-1000.0)
            lowest = {}
            continue
        if labelled[i]:
            fits.append(-1.0)
            continue
        first = bisect_left(heights, heights[i] - 1.4 * row.size)
        end = bisect_left(heights, heights[i] + 1.4 * row.size)
        near = range(first, end)
        both = any(left[k] for k in near if not crossed[k]) and any(
            right[k] for k in near if not crossed[k]
        )
        sides = [side for side, there in (("left", left[i]), ("right", right[i])) if there]
        goes_on = all(
            side in lowest and lowest[side] - row.baseline < _TAIL * row.size for side in sides
        )
        if both or goes_on:
            lowest.update((side, row.baseline) for side in sides)
        fits.append(1.0 if both else 0.05 if goes_on or sides == ["right"] else -0.05)
    return fits


def _parts_label(row: _Row, gutter: float) -> bool:
    """Whether a gutter would part a label from the text that it stands before."""
    before = [piece for piece in row.pieces if piece.right <= gutter]
    behind = [piece for piece in row.pieces if piece.left >= gutter]
    if not before or not behind:
        return False
    label = before[-1]
    narrow = label.right - label.left < _LABEL * row.size
    return narrow and behind[0].left - label.right < _LABEL * row.size

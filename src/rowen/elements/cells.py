"""The cells of a table: rows and columns from the places of its words.

Columns are between upright rules if there are any, otherwise between the strips that (nearly) no
row has text in. Rows are lines on one baseline; where a level rule is between all rows, what is
between two rules is a row.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rowen.elements.drawings import Rule
from rowen.elements.tables import Area
from rowen.pdf import Line

TABLE_CELLS = 20_000
"""Limit: cells of a table; larger ones have none."""

_WIDE = 0.75  # of the size: a wider space separates cells
_STRIP = 3.0  # points: the least width of a strip between columns
_CROSSED = 0.15  # of the rows may cross a strip: heads that span columns
_HEAD_ROWS = 4  # the highest head


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line that is in one cell."""

    text: str
    left: float
    right: float
    baseline: float
    size: float


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table in rows, and how many rows are its head."""

    cells: tuple[tuple[str, ...], ...]
    head: int


def grid_of(area: Area, lines: Sequence[Line]) -> Grid | None:
    """The cells of a table; None where it has fewer than two rows or columns."""
    pieces = [piece for i in area.indexes for piece in _pieces(lines[i])]
    rows = _rows(pieces, area.level)
    bounds = _bounds(rows, area)
    if len(rows) < 2 or not bounds or len(rows) * (len(bounds) + 1) > TABLE_CELLS:
        return None
    placed = [_placed(row, bounds) for row in rows]
    tops = [max(piece.baseline for piece in row) for row in rows]
    joined, tops = _with_continuations(placed, tops, area)
    cells = tuple(tuple(" ".join(cell) for cell in row) for row in joined)
    if len(cells) < 2:
        return None
    return Grid(cells, _head(tops, cells, area))


def _pieces(line: Line) -> Iterable[Piece]:
    """A line cut at its wide spaces."""
    starts = [0]
    for i, letter in enumerate(line.text):
        if letter == " " and i + 1 < len(line.offsets):
            wide = (line.offsets[i + 1] - line.offsets[i]) / 10 > _WIDE * line.size
            if wide or i in line.gaps:
                starts.append(i + 1)
    for start, end in zip(starts, [*starts[1:], len(line.text)], strict=True):
        text = line.text[start:end].strip()
        if text:
            left, _, right, _ = line.box_of(start, start + len(line.text[start:end].rstrip()))
            yield Piece(text, left, right, line.baseline, line.size)


def _rows(pieces: Sequence[Piece], rules: Sequence[Rule]) -> list[list[Piece]]:
    """Pieces on one baseline; between rules where each row has them."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.baseline, piece.left)):
        if rows and rows[-1][0].baseline - piece.baseline < 0.45 * max(
            piece.size, rows[-1][0].size
        ):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    heights = sorted({round(rule.at, 1) for rule in rules})
    bands = [bisect_right(heights, row[0].baseline) for row in rows]
    distinct = len(set(bands))
    # A rule above the head, one below it and one at the end are no grid.
    if distinct > 3 and distinct >= 0.4 * len(rows):
        grouped: dict[int, list[Piece]] = {}
        for band, row in zip(bands, rows, strict=True):
            grouped.setdefault(band, []).extend(row)
        return list(grouped.values())
    return rows


def _bounds(rows: Sequence[Sequence[Piece]], area: Area) -> list[float]:
    """The places between columns."""
    left, bottom, right, top = area.edges
    tall = {
        round(rule.at) for rule in area.upright
        if rule.length > 0.5 * (top - bottom) and left + 5 < rule.at < right - 5
    }  # fmt: skip
    if tall:
        return [float(at) for at in sorted(tall)]
    return _strips(rows)


def _strips(rows: Sequence[Sequence[Piece]]) -> list[float]:
    """The middles of the strips that nearly no row has text in, by a sweep over all edges."""
    full = [row for row in rows if len(row) > 1]
    if not full:
        return []
    allowed = int(_CROSSED * len(full))
    events = sorted(
        event for row in rows for piece in row
        for event in ((piece.left, 1), (max(piece.right, piece.left), -1))
    )  # fmt: skip
    bounds: list[float] = []
    open_pieces, since = 0, None
    for place, step in events:
        before = open_pieces
        open_pieces += step
        if before > allowed >= open_pieces:
            since = place
        elif before <= allowed < open_pieces and since is not None:
            if place - since >= _STRIP:
                bounds.append((since + place) / 2)
            since = None
    return bounds


def _placed(row: Iterable[Piece], bounds: Sequence[float]) -> list[list[str]]:
    """The texts of a row by column; one that spans columns is in the first of them."""
    cells: list[list[str]] = [[] for _ in range(len(bounds) + 1)]
    for piece in sorted(row, key=lambda piece: (-round(piece.baseline), piece.left)):
        middle = (piece.left + piece.right) / 2
        spans = bisect_right(bounds, piece.right - 1) > bisect_right(bounds, piece.left + 1)
        at = piece.left + 1 if spans else middle
        cells[bisect_right(bounds, at)].append(piece.text)
    return cells


def _with_continuations(
    rows: Sequence[list[list[str]]], tops: Sequence[float], area: Area
) -> tuple[list[list[list[str]]], list[float]]:
    """Rows with those joined that only continue the cells of the row above.

    Such a row has no text in its first column and is closer to the row above than rows usually are.
    """
    falls = [above - below for above, below in pairwise(tops)]
    usual = median(falls) if falls else 0.0
    joined: list[list[list[str]]] = []
    kept: list[float] = []
    for i, row in enumerate(rows):
        close = i > 0 and falls[i - 1] < 0.85 * usual
        ruled = i > 0 and any(tops[i] < rule.at < tops[i - 1] for rule in area.level)
        if close and not row[0] and not ruled:
            for cell, more in zip(joined[-1], row, strict=True):
                cell.extend(more)
        else:
            joined.append([list(cell) for cell in row])
            kept.append(tops[i])
    return joined, kept


def _head(tops: Sequence[float], cells: Sequence[Sequence[str]], area: Area) -> int:
    """How many rows are above the first rule between rows; else 1 if it has no numbers."""
    left, _, right, _ = area.edges
    inner = [
        rule.at for rule in area.level
        if rule.length > 0.8 * (right - left) and tops[-1] < rule.at < tops[0]
    ]  # fmt: skip
    if inner:
        above = sum(top > inner[0] for top in tops)
        if above <= _HEAD_ROWS:
            return above
    return int(not any(any(map(str.isdigit, cell)) for cell in cells[0]))

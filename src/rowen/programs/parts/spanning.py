"""Rows of tables with values from cells that span several rows: the class spanning."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rowen.programs.parts.places import extent
from rowen.programs.parts.result import Place, Result, program, run
from rowen.programs.parts.tags import read_tags

SPANNED_ROWS = 65_534
"""So many rows a cell spans at most, as in browsers."""
CELLS_INTO_ROW = 256
"""So many cells that reach into a row are considered."""

_DIGITS = re.compile(r"\s*(\d{1,9})")


@dataclass
class SpanningCell:
    """A cell that spans rows: its content, and where the rows are, its own first."""

    start: int
    end: int
    rows: list[Place]


@program("spanning")
def read_spanning(page: str, *, rows: dict[str, Any], shared: list[str]) -> Result:
    """The records of rows; what they lack of the shared fields comes from cells above."""
    records, complete = run(page, rows)
    cells = list(_spanning_cells(page))
    held: dict[tuple[str, int], Any] = {}
    filled = []
    for record in records:
        row = {**record}
        bounds = extent(record)
        reaching = [] if bounds is None else _into(cells, bounds[0])
        for name in shared:
            where = row.get(name)
            if not where:
                above = [held[name, cell.start] for cell in reaching if (name, cell.start) in held]
                row[name] = above[0] if above else where
                continue
            first = where if isinstance(where, tuple) else where[0]
            cell = _holding(cells, first)
            if cell is not None:
                held[name, cell.start] = where
        filled.append(row)
    return filled, complete


def _spanning_cells(page: str) -> Iterator[SpanningCell]:
    """The cells that span rows, in page order."""
    tags = read_tags(page)
    starts = [*(tag.start for tag in tags), len(page)]
    sections: dict[int, list[int]] = {}
    for number, tag in enumerate(tags):
        if tag.name == "tr":
            sections.setdefault(tag.parent, []).append(number)
    for cell in tags:
        written = [start for name, start, _ in cell.attributes if name == "rowspan"]
        digits = _DIGITS.match(page, written[0]) if written and written[0] >= 0 else None
        if cell.name not in {"td", "th"} or digits is None or tags[cell.parent].name != "tr":
            continue
        section = sections[tags[cell.parent].parent]
        first = bisect_right(section, cell.parent) - 1
        count = min(int(digits[1]) or SPANNED_ROWS, SPANNED_ROWS)  # 0 is all rows
        spanned = section[first : first + count]
        if len(spanned) > 1:
            rows = [(starts[row], starts[tags[row].until]) for row in spanned]
            yield SpanningCell(cell.end, starts[cell.until], rows)


def _holding(cells: list[SpanningCell], place: Any) -> SpanningCell | None:
    """The innermost cell that holds a place; records inside a field have none."""
    if not isinstance(place, tuple):
        return None
    before = bisect_right(cells, place[0], key=lambda cell: cell.start)
    around = (cell for cell in reversed(cells[:before]) if place[1] <= cell.end)
    return next(around, None)


def _into(cells: list[SpanningCell], offset: int) -> list[SpanningCell]:
    """The cells of rows above that reach into the row at an offset."""
    rows = [row for cell in cells for row in cell.rows[1:] if row[0] <= offset < row[1]]
    if not rows:
        return []
    innermost = max(rows)
    return [cell for cell in cells if innermost in cell.rows[1:]][:CELLS_INTO_ROW]

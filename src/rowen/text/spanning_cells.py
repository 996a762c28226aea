"""Cells of tables that span rows: such a cell is part of each row that it reaches into.

<tr><th rowspan=2>3 October</th><td>15:00</td></tr>     a row of its own
<tr><td>17:30</td></tr>                                 the cell reaches into this one
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rowen._core import html_outline, name_digest

ROWS = 65_534
"""Limit: a cell spans at most this many rows, as in browsers."""

REACHING = 256
"""Limit: at most this many cells that reach into a row are considered; more are hostile."""

_ROWSPAN = re.compile(r"rowspan\s*=\s*[\"']?\s*(?!1[\s\"'>])\d", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d{1,9})")
_ROW = name_digest("tr")
_CELLS = np.array([name_digest("td"), name_digest("th")], np.uint64)
_ATTRIBUTE = name_digest("rowspan")


@dataclass(frozen=True, slots=True)
class SpanningCell:
    """A cell that spans rows: its content, and all rows that it is part of."""

    start: int
    end: int
    rows: Sequence[tuple[int, int]]
    """Where each row starts and ends, its own first."""


class SpanningCells:
    """The cells of a page that span rows, in page order."""

    def __init__(self, text: str) -> None:
        # Most pages have none, and need not be read for that.
        self.cells = list(_cells(text)) if _ROWSPAN.search(text) else []
        reaching: dict[tuple[int, int], list[SpanningCell]] = defaultdict(list)
        for cell in self.cells:
            for row in cell.rows[1:]:
                if len(reaching[row]) < REACHING:
                    reaching[row].append(cell)
        self._rows = sorted(reaching)
        self._reaching = reaching

    def __bool__(self) -> bool:
        return bool(self.cells)

    def holding(self, start: int, end: int) -> SpanningCell | None:
        """The innermost cell that spans rows and holds a span."""
        before = bisect_right(self.cells, start, key=lambda cell: cell.start)
        around = (cell for cell in reversed(self.cells[:before]) if end <= cell.end)
        return next(around, None)

    def into(self, offset: int) -> Sequence[SpanningCell]:
        """The cells of rows above that reach into the row at an offset."""
        place = bisect_right(self._rows, offset, key=lambda row: row[0])
        for row in reversed(self._rows[:place]):
            if offset < row[1]:
                return self._reaching[row]
        return ()


def _cells(text: str) -> Iterator[SpanningCell]:
    outline = html_outline(text)
    names, starts, ends, _, _, parents, closes, attributes_from, attributes = outline.columns()
    _, attribute_names, _ = outline.digests()

    def start_of(tag: int) -> int:
        return int(starts[tag]) if tag < len(names) else len(text)

    rows_in: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(names == np.uint64(_ROW)).tolist():
        rows_in[int(parents[row])].append(row)
    for cell in np.flatnonzero(np.isin(names, _CELLS)).tolist():
        own = range(attributes_from[cell], attributes_from[cell + 1])
        values = [4 * at for at in own if int(attribute_names[at]) == _ATTRIBUTE]
        number = _NUMBER.match(text, int(attributes[values[0] + 2])) if values else None
        row = int(parents[cell])
        section = rows_in.get(int(parents[row]), [])
        if number is None or int(names[row]) != _ROW or attributes[values[0] + 2] < 0:
            continue
        first = bisect_right(section, row) - 1
        count = min(int(number[1]) or ROWS, ROWS)  # 0 is all rows of the section
        covered = section[first : first + count]
        if len(covered) > 1:
            bounds = [(start_of(at), start_of(int(closes[at]))) for at in covered]
            yield SpanningCell(int(ends[cell]), start_of(int(closes[cell])), bounds)

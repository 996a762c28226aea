"""The place of a tag among those of its name; of a cell, in the grid of its table."""

import re
from dataclasses import dataclass, field

from rowen.programs.parts.tags import Tag

REACHING_CELLS = 256
"""How many cells of rows above a row has at most."""
MOST_COLUMNS = 1_000
MOST_ROWS = 65_534
"""How many columns and rows a cell spans at most, as in browsers."""

_NUMBER = re.compile(r"[ \t\n\v\f\r\xa0]*([0-9]+)")


@dataclass
class _Section:
    """The rows of one element, of which one is being read."""

    row: int = -1
    column: int = 0
    passed: int = 0
    before: dict[str, int] = field(default_factory=dict)
    """How many columns of each kind of cell are before the next cell."""
    reaching: list[tuple[int, int, int, str]] = field(default_factory=list)
    """Column, width, rows and name of each cell that reaches into the row."""
    own: list[tuple[int, int, int, str]] = field(default_factory=list)

    def begin(self, row: int) -> None:
        """Begin the next row."""
        left = [(*cell[:2], cell[2] - 1, cell[3]) for cell in self.reaching if cell[2] > 1]
        self.reaching = sorted([*left, *self.own], key=lambda cell: cell[0])[:REACHING_CELLS]
        self.row, self.column, self.passed, self.before, self.own = row, 0, 0, {}, []

    def place(self, name: str, width: int, rows: int) -> int:
        """The place of the next cell of the row."""
        while self.passed < len(self.reaching) and self.reaching[self.passed][0] <= self.column:
            column, wide, _, kind = self.reaching[self.passed]
            # Where cells overlap, the one that begins first has the columns.
            end = max(self.column, column + wide)
            self.before[kind] = self.before.get(kind, 0) + end - self.column
            self.column = end
            self.passed += 1
        place = self.before.get(name, 0) + 1
        self.before[name] = place + width - 1
        if rows > 1 and len(self.own) < REACHING_CELLS:
            self.own.append((self.column, width, rows - 1, name))
        self.column += width
        return place


def place_tags(page: str, tags: list[Tag]) -> None:
    """Give each tag its place."""
    counts: dict[tuple[int, str], int] = {}
    sections: dict[int, _Section] = {}
    for number, tag in enumerate(tags):
        key = (tag.parent, tag.name)
        if tag.name == "tr":
            sections.setdefault(tag.parent, _Section()).begin(number)
        section = sections.get(tags[tag.parent].parent) if tag.name in {"td", "th"} else None
        if section is not None and section.row == tag.parent:
            width = min(_span(page, tag, "colspan") or 1, MOST_COLUMNS)
            rows = min(_span(page, tag, "rowspan") or MOST_ROWS, MOST_ROWS)
            tag.place = section.place(tag.name, width, rows)
        else:
            counts[key] = tag.place = counts.get(key, 0) + 1


def _span(page: str, tag: Tag, name: str) -> int:
    """The number that an attribute begins with; 1 without one."""
    values = [page[start:end] for key, start, end in tag.attributes if key == name and start >= 0]
    digits = _NUMBER.match(values[0]) if values else None
    return int(digits[1][:9]) if digits else 1

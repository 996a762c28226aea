"""All lines of a PDF."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rowen.scholar.layout.lines import Line, lines_of
from rowen.scholar.layout.order import reading_order
from rowen.scholar.layout.pdf import characters_of
from rowen.scholar.layout.pieces import pieces_of


@dataclass(frozen=True, slots=True)
class Layout:
    """A PDF's lines in reading order and its pages' sizes, in points."""

    lines: list[Line]
    pages: list[tuple[float, float]]


def read_layout(source: Path | bytes, *, opened: Callable[[int], None] | None = None) -> Layout:
    """The lines of a PDF; raises DocumentError for a file that can't be opened.

    `opened` is told the number of pages to be read.
    """
    lines: list[Line] = []
    pages: list[tuple[float, float]] = []
    block = 0
    name = str(source) if isinstance(source, Path) else "PDF"
    for page in characters_of(source, name, opened=opened):
        pages.append((page.width, page.height))
        for pieces in reading_order(pieces_of(page), page.width):
            lines += lines_of(page, pieces, block)
            block += 1
    return Layout(lines, pages)

"""All lines of a PDF."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rowen.model.errors import DocumentError
from rowen.scholar.layout.legibility import Legibility
from rowen.scholar.layout.lines import Line, lines_of
from rowen.scholar.layout.order import reading_order
from rowen.scholar.layout.pdf import characters_of
from rowen.scholar.layout.pieces import pieces_of


@dataclass(frozen=True, slots=True)
class Layout:
    """A PDF's lines in reading order and its pages' sizes, in points."""

    lines: list[Line]
    pages: list[tuple[float, float]]
    warnings: tuple[str, ...] = ()
    """What could not be read of it."""
    placed: bool = True
    """Whether its lines stand where they say; a text that flows was set on pages by us."""


def read_layout(source: Path | bytes, *, opened: Callable[[int], None] | None = None) -> Layout:
    """The lines of a PDF; raises DocumentError where it can't be opened, or has nothing to read.

    `opened` is told the number of pages.
    """
    lines: list[Line] = []
    pages: list[tuple[float, float]] = []
    block = 0
    name = str(source) if isinstance(source, Path) else "PDF"
    legibility = Legibility()

    def count(total: int) -> None:
        legibility.pages = total
        if opened is not None:
            opened(total)

    for page in characters_of(source, name, opened=count):
        legibility.add(page)
        pages.append((page.width, page.height))
        blocks = reading_order(pieces_of(page), page.width)
        lines += lines_of(page, blocks, block)
        block += len(blocks)
    if reason := legibility.hopeless:
        raise DocumentError(name, reason)
    return Layout(lines, pages, legibility.warnings())

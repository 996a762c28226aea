"""All lines of a PDF."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rowen.limits import GLANCE_CHARACTERS
from rowen.model.errors import DocumentError
from rowen.scholar.layout.legibility import Legibility
from rowen.scholar.layout.lines import Line, lines_of
from rowen.scholar.layout.order import reading_order
from rowen.scholar.layout.pdf import PageCharacters, characters_of
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


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page, and how many blocks they stand in: some blocks have no line."""

    lines: list[Line]
    blocks: int


class PageReader(Protocol):
    """Makes the lines of pages, perhaps from what is known of equal ones."""

    def glance(self, pages: Sequence[PageCharacters], total: int) -> None:
        """Look at all pages' characters before any line is made, which takes most of the time.

        `total` is how many pages the PDF has; what this raises ends the reading. It is not called
        for a PDF of so many characters that they should not be in memory all at once.
        """

    def lines_on(self, page: PageCharacters, first: int) -> PageLines:
        """What the function `lines_on` gives."""


def read_layout(
    source: Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    reader: PageReader | None = None,
) -> Layout:
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

    found = characters_of(source, name, opened=count)
    if reader is not None:
        found = _seen_by(reader, found, legibility)
    make = lines_on if reader is None else reader.lines_on
    for page in found:
        legibility.add(page)
        pages.append((page.width, page.height))
        made = make(page, block)
        lines += made.lines
        block += made.blocks
    if reason := legibility.hopeless:
        raise DocumentError(name, reason)
    return Layout(lines, pages, legibility.warnings())


def lines_on(page: PageCharacters, first: int) -> PageLines:
    """The lines of one page; `first` is the number of its first block."""
    blocks = reading_order(pieces_of(page), page.width)
    return PageLines(lines_of(page, blocks, first), len(blocks))


def _seen_by(
    reader: PageReader, pages: Iterator[PageCharacters], legibility: Legibility
) -> Iterator[PageCharacters]:
    ahead: list[PageCharacters] = []
    characters = 0
    for page in pages:
        ahead.append(page)
        characters += len(page.codes)
        if characters > GLANCE_CHARACTERS:
            break
    else:
        reader.glance(ahead, legibility.pages)
    yield from ahead
    yield from pages

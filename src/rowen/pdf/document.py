"""The lines of a PDF, page by page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rowen.model.errors import DocumentError
from rowen.pdf.characters import PageCharacters, characters_of
from rowen.pdf.direction import mostly_leftwards, runs_leftwards
from rowen.pdf.legibility import Legibility
from rowen.pdf.lines import Line, lines_of
from rowen.pdf.margins import with_keys, without_line_numbers
from rowen.pdf.order import reading_order
from rowen.pdf.pieces import pieces_of

GLANCE_CHARACTERS = 2_000_000
"""Limit: characters of a PDF that are held in memory, 80 MB, to find whether it is a near-duplicate
before its lines are made. A thesis has half as many."""

SIDEWAYS_CHARACTERS = 1_000
"""Limit: characters that run in another direction and are read of the first page."""

_ALL_PAGES = slice(None)


@dataclass(frozen=True, slots=True)
class Layout:
    """A PDF's lines in reading order and its pages' sizes, in points."""

    lines: list[Line]
    pages: list[tuple[float, float]]
    warnings: tuple[str, ...] = ()
    """What could not be read."""
    placed: bool = True
    """Whether the positions of lines are real; plain text and HTML are set on pages by Rowen."""
    shapes: tuple[bytes, ...] = ()
    """What is drawn on each page beside text, as the bytes of `PageCharacters.shapes`."""
    sideways: str = ""
    """The text of the first page that runs in another direction, such as an arXiv stamp."""
    turns: tuple[int, ...] = ()
    """The direction of the text of each page before it was turned upright."""


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of one page, and its number of blocks: some blocks have no line."""

    lines: list[Line]
    blocks: int


class PageReader(Protocol):
    """Makes the lines of pages, or takes them from a cache."""

    def glance(self, pages: Sequence[PageCharacters], total: int) -> None:
        """See the characters of all pages before lines are made, which takes most of the time.

        `total` is the number of pages of the PDF; an exception ends the reading. Not called for a
        PDF with more characters than `GLANCE_CHARACTERS`.
        """

    def lines_on(self, page: PageCharacters, first: int) -> PageLines:
        """The same as the function `lines_on`."""


def read_layout(
    source: Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    reader: PageReader | None = None,
    chosen: slice = _ALL_PAGES,
) -> Layout:
    """The lines of a PDF; raises DocumentError if it can't be opened or has no readable text.

    `opened` is called with the number of pages. Pages that are not `chosen` do not count at all.
    """
    lines: list[Line] = []
    pages: list[tuple[float, float]] = []
    shapes: list[bytes] = []
    turns: list[int] = []
    block = 0
    sideways = ""
    name = str(source) if isinstance(source, Path) else "PDF"
    legibility = Legibility()

    def count(total: int) -> None:
        legibility.pages = total
        if opened is not None:
            opened(total)

    page_characters = characters_of(source, name, opened=count, chosen=chosen)
    if reader is not None:
        page_characters = _seen_by(reader, page_characters, legibility)
    make = lines_on if reader is None else reader.lines_on
    for page in page_characters:
        legibility.add(page)
        pages.append((page.width, page.height))
        shapes.append(page.shapes.tobytes())
        turns.append(page.direction)
        if page.number == 0:
            sideways = _sideways(page)
        page_lines = make(page, block)
        lines += page_lines.lines
        block += page_lines.blocks
    if reason := legibility.hopeless:
        raise DocumentError(name, reason)
    return Layout(
        lines,
        pages,
        legibility.warnings(),
        shapes=tuple(shapes),
        sideways=sideways,
        turns=tuple(turns),
    )


def lines_on(page: PageCharacters, first: int) -> PageLines:
    """The lines of one page; `first` is the number of its first block."""
    pieces = with_keys(page, without_line_numbers(page, pieces_of(page)))
    leftwards = runs_leftwards(page) and mostly_leftwards(page)
    blocks = reading_order(pieces, page.width, leftwards=leftwards)
    return PageLines(lines_of(page, blocks, first), len(blocks))


def _sideways(page: PageCharacters) -> str:
    codes = page.codes[page.turned][:SIDEWAYS_CHARACTERS].tolist()
    return "".join(chr(code) for code in codes if 32 <= code < 0xD800)


def _seen_by(
    reader: PageReader, pages: Iterator[PageCharacters], legibility: Legibility
) -> Iterator[PageCharacters]:
    """The same pages, after the reader has seen them, if they fit into memory."""
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

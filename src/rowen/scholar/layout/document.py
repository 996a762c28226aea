"""All lines of a PDF."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

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


Glance: TypeAlias = Callable[[Sequence[PageCharacters]], None]
"""Looks at all pages' characters before any line is made of them, which takes most of the time."""


def read_layout(
    source: Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    glance: Glance | None = None,
) -> Layout:
    """The lines of a PDF; raises DocumentError where it can't be opened, or has nothing to read.

    `opened` is told the number of pages. What `glance` raises ends the reading; it does not see a
    PDF of so many characters that they should not be in memory all at once.
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
    for page in found if glance is None else _seen_by(glance, found):
        legibility.add(page)
        pages.append((page.width, page.height))
        blocks = reading_order(pieces_of(page), page.width)
        lines += lines_of(page, blocks, block)
        block += len(blocks)
    if reason := legibility.hopeless:
        raise DocumentError(name, reason)
    return Layout(lines, pages, legibility.warnings())


def lines_on(page: PageCharacters) -> list[Line]:
    """The lines of one page by itself."""
    return lines_of(page, reading_order(pieces_of(page), page.width), 0)


def _seen_by(glance: Glance, pages: Iterator[PageCharacters]) -> Iterator[PageCharacters]:
    ahead: list[PageCharacters] = []
    characters = 0
    for page in pages:
        ahead.append(page)
        characters += len(page.codes)
        if characters > GLANCE_CHARACTERS:
            break
    else:
        glance(ahead)
    yield from ahead
    yield from pages

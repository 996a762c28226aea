"""Set paragraphs on pages, so that the CRFs get what they were trained on: lines of a PDF.

Pages have one column in one font, lines of a usual length, and wider gaps between paragraphs. Lines
keep away from the edges of the page, where running heads are looked for. Only where a text has
pages of its own (form feeds) do lines reach the edges: there the first and last may be furniture.

    Paragraph(("Results",), size 14)          Results    baseline 681, size 14
    Paragraph(("Long ...", "So."), size 10)   Long ...   baseline 653, up to 100 characters
                                              Long ...   baseline 641, the rest of that line
                                              So.        baseline 629

The lines of a paragraph are 1.2 times the size apart; between paragraphs 0.8 times it is added.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.pdf import Layout, Line

FLOW_CHARACTERS = 1_000_000
"""Limit: characters of a text or HTML page that are read as a paper; papers have 60,000."""

FLOW_LINES = 20_000
"""Limit: lines of a text or HTML page that are read as a paper. Papers have 700; a million
characters in lines of 50 have 20,000."""

FLOW_REFERENCES = 4_000
"""Limit: references of a plain text or HTML page that are parsed, at a thousand per second. The
longest reviews have 3,000."""


RAISED, LOWERED = "\x0e", "\x0f"
"""The characters before and after a superscript in a paragraph's text."""

_LEADING = 1.2  # of the size: the distance between lines of a paragraph
_SIZE = 10.0
_WIDTH, _HEIGHT = 612.0, 792.0
_MARGIN = 0.14  # of the height, at top and bottom
_EDGE = 0.05  # the same for the text's own pages, whose first and last lines may be furniture
_BETWEEN = 0.8  # of the size: added between paragraphs
_LONGEST = 100  # characters: longer lines are wrapped
_UNBROKEN = 1_000
"""Limit: characters of a line of plain text or HTML; a longer word is cut. Later steps expect lines
of ordinary length, and no word or URL is as long."""
_LETTER = 0.5  # of the size: the width of a letter
_WIDE = re.compile(r"\s{3,}|\t")
# Words after which a line break would be removed when lines are joined again (`pdf.passages`).
_JOINED = re.compile(r"[-‐–/]$|/|^10\.|www\.")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The lines of a paragraph as written, and their type."""

    lines: tuple[str, ...]
    size: float = _SIZE
    bold: bool = False
    new_page: bool = False
    """Whether a page of the text itself begins here."""


def without_marks(text: str) -> str:
    """A text without the marks around superscripts."""
    return text.replace(RAISED, "").replace(LOWERED, "")


def paragraph_starts(lines: Sequence[Line]) -> frozenset[int]:
    """The ids of the lines that begin a paragraph, for lines that `paged` made.

    A line within a paragraph has the size of the line before it and is one line distance below.
    """
    within = {
        id(line)
        for before, line in pairwise(lines)
        if before.page == line.page
        and before.size == line.size
        and before.baseline - line.baseline < (_LEADING + _BETWEEN / 2) * line.size
    }
    return frozenset(map(id, lines)) - within


def paged(paragraphs: Sequence[Paragraph], warnings: tuple[str, ...] = ()) -> Layout:
    """Set paragraphs on pages."""
    own = any(paragraph.new_page for paragraph in paragraphs[1:])
    lines: list[Line] = []
    pages: list[tuple[float, float]] = []
    for page, (paragraphs_, height) in enumerate(_pages(paragraphs, own=own)):
        pages.append((_WIDTH, height))
        baseline = height * (1 - (_EDGE if own else _MARGIN))
        for paragraph in paragraphs_:
            for text in paragraph.lines:
                lines += _line(text, paragraph, page, baseline)
                baseline -= _LEADING * paragraph.size
            baseline -= _BETWEEN * paragraph.size
    return Layout(lines, pages, warnings, placed=False)


def _pages(
    paragraphs: Sequence[Paragraph], *, own: bool
) -> Iterator[tuple[list[Paragraph], float]]:
    """The paragraphs of each page, with wrapped lines, and the page's height.

    A page of the text itself (`own`) is as high as its lines need.
    """
    room = _HEIGHT * (1 - 2 * _MARGIN)
    here: list[Paragraph] = []
    used = 0.0
    for paragraph in paragraphs:
        wrapped = [part for line in paragraph.lines for part in _wrapped(line)]
        most = int(room / (_LEADING * paragraph.size))
        while wrapped:
            part = Paragraph(tuple(wrapped[:most]), paragraph.size, paragraph.bold)
            wrapped = wrapped[most:]
            needs = (_LEADING * len(part.lines) + _BETWEEN) * part.size
            if here and (paragraph.new_page if own else used + needs > room):
                yield here, used / (1 - 2 * _EDGE) if own else _HEIGHT
                here, used = [], 0.0
            here.append(part)
            used += needs
    if here:
        yield here, used / (1 - 2 * _EDGE) if own else _HEIGHT


def _wrapped(line: str) -> list[str]:
    """A line wrapped at spaces, but only at those that joining the lines restores."""
    if len(line) <= _LONGEST:
        return [line]
    parts: list[str] = []
    words: list[str] = []
    length = 0
    for word in _short_words(line):
        most = _UNBROKEN if words and _JOINED.search(words[-1]) else _LONGEST
        if length + len(word) > most and words:
            parts.append(" ".join(words))
            words, length = [], 0
        words.append(word)
        length += len(word) + 1
    return [*parts, " ".join(words)]


def _short_words(line: str) -> Iterator[str]:
    for word in line.split():
        if len(word) <= _UNBROKEN:
            yield word
        else:
            yield from (word[at : at + _UNBROKEN] for at in range(0, len(word), _UNBROKEN))


def _line(marked: str, paragraph: Paragraph, page: int, baseline: float) -> list[Line]:
    """The line of a text with marks, as a list; empty where there is no text.

    Runs of three spaces and tabs separate cells: they become gaps, as wide spaces of PDFs do.
    """
    indent = len(marked) - len(marked.lstrip())
    cells = [" ".join(cell.split()) for cell in _WIDE.split(marked.strip())]
    gaps: list[int] = []
    for cell in cells[:-1]:
        gaps.append((gaps[-1] + 1 if gaps else 0) + len(without_marks(cell)))
    text, raised = _unmarked(" ".join(cells))
    if not text.strip():
        return []
    size = paragraph.size
    left = 72.0 + _LETTER * size * min(indent, 20)
    right = left + _LETTER * size * min(len(text), _LONGEST)
    return [
        Line(
            text, page, page, left, baseline - 0.2 * size, right, baseline + 0.7 * size, baseline,
            size, "bold" if paragraph.bold else "text", paragraph.bold, italic=False,
            raised=raised, gaps=tuple(gaps), offsets=(),
        )
    ]  # fmt: skip


def _unmarked(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without the marks around superscripts, and the spans of the superscripts."""
    if RAISED not in marked:
        return marked.replace(LOWERED, ""), ()
    text = ""
    raised: list[tuple[int, int]] = []
    for k, part in enumerate(marked.split(RAISED)):
        high, _, low = part.partition(LOWERED) if k else ("", "", part)
        if high.strip():
            raised.append((len(text), len(text) + len(high)))
        text += high + low
    return text, tuple(raised)

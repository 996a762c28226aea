"""Paragraphs set on pages, so that the models see what they know from PDFs: lines.

One column of one face, lines of a usual length, wider gaps between paragraphs. No line is put at
a page's edge, where running heads would be looked for, but on pages that the text itself has.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.scholar.layout import Layout, Line

RAISED, LOWERED = "\x0e", "\x0f"
"""What stands in a paragraph's text before and after what is set higher."""

MARKS = str.maketrans("", "", RAISED + LOWERED)
"""What takes them out of a text."""

_LEADING = 1.2  # of the size: how far the lines of one paragraph are apart
_SIZE = 10.0
_WIDTH, _HEIGHT = 612.0, 792.0
_MARGIN = 0.14  # of the height, at top and bottom
_EDGE = 0.05  # the same for pages of the text's own, whose first and last lines may be furniture
_BETWEEN = 0.8  # of the size: what is added between paragraphs
_LONGEST = 100  # characters: longer lines are wrapped
_UNBROKEN = 1_000
"""Where a line ends in any case, in characters, be it in a word: what looks at lines takes its time
for granted that they are lines. No address is as long, and no other word."""
_LETTER = 0.5  # of the size: the width of a letter
_WIDE = re.compile(r"\s{3,}|\t")
_JOINED = re.compile(r"[-‐–/]$|/|^10\.|www\.")  # words that a line's end would change


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines as they are written, and how they are set."""

    lines: tuple[str, ...]
    size: float = _SIZE
    bold: bool = False
    new_page: bool = False
    """Whether a page of the text's own begins here."""


def paragraph_starts(lines: Sequence[Line]) -> frozenset[int]:
    """The ids of the lines that begin a paragraph, of lines that were set here."""
    within = {
        id(line)
        for before, line in pairwise(lines)
        if before.page == line.page
        and before.size == line.size
        and before.baseline - line.baseline < (_LEADING + _BETWEEN / 2) * line.size
    }
    return frozenset(map(id, lines)) - within


def paged(paragraphs: Sequence[Paragraph], warnings: tuple[str, ...] = ()) -> Layout:
    """The lines of paragraphs on pages."""
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
    """The paragraphs of each page, their lines wrapped, and its height."""
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
    """A line in parts of a usual length; only at spaces that joining them puts back."""
    if len(line) <= _LONGEST:
        return [line]
    found: list[str] = []
    words: list[str] = []
    length = 0
    for word in _short_words(line):
        most = _UNBROKEN if words and _JOINED.search(words[-1]) else _LONGEST
        if length + len(word) > most and words:
            found.append(" ".join(words))
            words, length = [], 0
        words.append(word)
        length += len(word) + 1
    return [*found, " ".join(words)]


def _short_words(line: str) -> Iterator[str]:
    for word in line.split():
        if len(word) <= _UNBROKEN:
            yield word
        else:
            yield from (word[at : at + _UNBROKEN] for at in range(0, len(word), _UNBROKEN))


def _line(marked: str, paragraph: Paragraph, page: int, baseline: float) -> list[Line]:
    """A line; none where it has no text."""
    indent = len(marked) - len(marked.lstrip())
    cells = [" ".join(cell.split()) for cell in _WIDE.split(marked.strip())]
    gaps: list[int] = []
    for cell in cells[:-1]:
        gaps.append((gaps[-1] + 1 if gaps else 0) + len(cell.translate(MARKS)))
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
            raised=raised, gaps=tuple(gaps), sources=(-1,) * len(text),
        )
    ]  # fmt: skip


def _unmarked(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without the marks for what is set higher, and where that is."""
    if RAISED not in marked:
        return marked.replace(LOWERED, ""), ()
    text = ""
    raised: list[tuple[int, int]] = []
    for k, part in enumerate(marked.split(RAISED)):
        high, _, rest = part.partition(LOWERED) if k else ("", "", part)
        if high.strip():
            raised.append((len(text), len(text) + len(high)))
        text += high + rest
    return text, tuple(raised)

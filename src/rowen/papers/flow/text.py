"""The paragraphs of a plain text; its likely title and headings get larger type.

    A Study of Wrappers         the first paragraph that may be a title    size 16, bold

    Ada Lovelace                a short line alone, no sentence            size 11, bold

    1 Introduction              the same                                   size 11, bold

    We study wrappers. They     a paragraph of two lines                   size 10
    read pages.

The type is only a hint: the CRF that labels the lines looks at their words and their order, too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

from rowen.papers.flow.pages import FLOW_CHARACTERS, FLOW_LINES, Paragraph, without_marks

_BLANK = re.compile(r"\n[^\S\n]*+\n\s*+")
_VISIBLE = re.compile(r"\S")
_LONG = 120  # characters: a block with a longer line has one paragraph per line
_FRONT = 8  # the first paragraphs, among which the title is
_TITLE = range(3, 40)  # words
_TITLE_LINES = 3
_NO_TITLE = re.compile(
    r"@|https?:|www\.|\bdoi\b|\bissn\b|\bvol(?:ume|\.)|©|\bjournal\b|\bproceedings\b|\bpreprint\b"
    r"|\b(?:19|20)\d\d\b|\b(?:received|accepted|published|open access)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])\.?\s+)?[A-Z][^.!?]*$"  # a capital, no sentence
)
_HEADING_WORDS = 9
_LABELS = (re.compile(r"\[(\d{1,3})\]\s"), re.compile(r"(?:^|(?<=[.\])\d/]\s))(\d{1,3})\.\s"))
_LISTED = 3  # numbers that count up, at least, make a list
_TITLE_SIZE, _HEADING_SIZE = 16.0, 11.0


def text_paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text, separated by blank lines; form feeds separate pages.

    In blocks with long lines each line is a paragraph: such texts wrap no lines. Reading stops soon
    after the limits; the last paragraph then exceeds them, so that the caller can warn.
    """
    paragraphs: list[Paragraph] = []
    lines, characters = FLOW_LINES, FLOW_CHARACTERS  # still to be read
    plain = without_marks(text)
    for block, new_page in _blocks(plain.replace("\r\n", "\n").replace("\r", "\n")):
        first = len(paragraphs)
        paragraphs += _parted(block, lines, characters)
        if new_page:
            paragraphs[first] = replace(paragraphs[first], new_page=True)
        for paragraph in paragraphs[first:]:
            lines -= len(paragraph.lines)
            characters -= sum(map(len, paragraph.lines))
        if lines < 0 or characters < 0:
            break
    return _titled([_headed(paragraph) for paragraph in paragraphs])


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """The blocks between blank lines, each with whether it is the first on its page."""
    at = 0
    # A generator over `find` and `rfind`: of a hostile text only the part that is read is split.
    while seen := _VISIBLE.search(text, at):
        start = max(text.rfind("\f", at, seen.start()) + 1, at)
        end = text.find("\f", seen.start())
        at = len(text) if end < 0 else end + 1
        page = text[start : at if end < 0 else end].strip("\n")
        gaps = (gap.span() for gap in _BLANK.finditer(page))
        new_page = True
        after = 0
        for gap_start, gap_end in chain(gaps, [(len(page), 0)]):
            block, after = page[after:gap_start], gap_end
            if block.strip():
                yield block, new_page
                new_page = False


def _parted(block: str, most_lines: int, most: int) -> list[Paragraph]:
    """The paragraphs of a block, up to a line or a character beyond the limits."""
    lines: list[str] = []
    for line in block.split("\n", most_lines + 1)[: most_lines + 1]:
        if line.strip():
            lines.append(line[: most + 1])
            most -= len(lines[-1])
            if most < 0:
                break
    if any(len(line) > _LONG for line in lines):
        return [Paragraph((part,)) for line in lines for part in _listed(line)]
    return [Paragraph(tuple(lines))]


def _listed(line: str) -> list[str]:
    """The items of a numbered list that is written on one line, as converters do."""
    for form in _LABELS:
        starts: list[int] = []
        number = -1
        for label in form.finditer(line):
            if not starts or int(label[1]) == number + 1:
                starts.append(label.start())
                number = int(label[1])
        if len(starts) >= _LISTED:
            return [line[a:b] for a, b in pairwise([0, *starts, len(line)]) if line[a:b].strip()]
    return [line]


def _headed(paragraph: Paragraph) -> Paragraph:
    """A paragraph of one short line that is no sentence, in the type of a heading."""
    [line, *more] = paragraph.lines
    short = 0 < len(line.split()) <= _HEADING_WORDS and any(map(str.isalpha, line))
    if more or not short or not _HEADING.match(line.strip()):
        return paragraph
    return replace(paragraph, size=_HEADING_SIZE, bold=True)


def _titled(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The paragraphs with the likely title in larger type.

    Of a paragraph with more than three lines only the first can be the title.
    """
    for i, paragraph in enumerate(paragraphs[:_FRONT]):
        whole = len(paragraph.lines) <= _TITLE_LINES
        lines = paragraph.lines if whole else paragraph.lines[:1]
        shown = " ".join(lines)
        if len(shown.split()) in _TITLE and not _NO_TITLE.search(shown):
            title = Paragraph(lines, _TITLE_SIZE, bold=True, new_page=paragraph.new_page)
            remaining = [] if whole else [Paragraph(paragraph.lines[1:])]
            return [*paragraphs[:i], title, *remaining, *paragraphs[i + 1 :]]
    return paragraphs

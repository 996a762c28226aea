"""The paragraphs of a plain text, with what must be its title and headings set as such."""

import re
from dataclasses import replace
from itertools import pairwise

from rowen.scholar.flow.pages import MARKS, Paragraph

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_LONG = 120  # characters: where lines are that long, each is a paragraph
_FRONT = 8  # paragraphs among which the title is looked for
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
_LISTED = 3  # labels that count up make a list
_TITLE_SIZE, _HEADING_SIZE = 16.0, 11.0


def text_paragraphs(text: str) -> list[Paragraph]:
    """What blank lines part, or the lines themselves where they are long; form feeds part pages."""
    found: list[Paragraph] = []
    plain = text.translate(MARKS).replace("\r\n", "\n").replace("\r", "\n")
    for page in plain.split("\f"):
        first = len(found)
        for block in _BLANK.split(page.strip("\n")):
            lines = [line for line in block.split("\n") if line.strip()]
            if any(len(line) > _LONG for line in lines):
                found += [Paragraph((part,)) for line in lines for part in _listed(line)]
            elif lines:
                found.append(Paragraph(tuple(lines)))
        if len(found) > first:
            found[first] = replace(found[first], new_page=True)
    return _titled([_headed(paragraph) for paragraph in found])


def _listed(line: str) -> list[str]:
    """The items of a numbered list that was made one line of."""
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
    """A line that stands alone, short and no sentence, as a heading."""
    [line, *more] = paragraph.lines
    short = 0 < len(line.split()) <= _HEADING_WORDS and any(map(str.isalpha, line))
    if more or not short or not _HEADING.match(line.strip()):
        return paragraph
    return replace(paragraph, size=_HEADING_SIZE, bold=True)


def _titled(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """The first of the paragraphs in front that may be a title set larger; perhaps but a line."""
    for i, paragraph in enumerate(paragraphs[:_FRONT]):
        whole = len(paragraph.lines) <= _TITLE_LINES
        lines = paragraph.lines if whole else paragraph.lines[:1]
        shown = " ".join(lines)
        if len(shown.split()) in _TITLE and not _NO_TITLE.search(shown):
            title = Paragraph(lines, _TITLE_SIZE, bold=True, new_page=paragraph.new_page)
            rest = [] if whole else [Paragraph(paragraph.lines[1:])]
            return [*paragraphs[:i], title, *rest, *paragraphs[i + 1 :]]
    return paragraphs

"""Sections of a paper's body, from lines labelled `heading` and `body`.

    heading   3 Results of                 a new section
    heading   the Experiments              the same type, close below, no number: the same heading
    body      As shown before [1], ...     its text; divided words are rejoined
    heading   3.1 Speed                    a new section: a number begins it

Lines before the first heading are a section without one.
"""

import re
from dataclasses import dataclass
from typing import Any

from rowen.citations.markers import Marker
from rowen.papers.structure.elements import Box, Paragraph, place
from rowen.papers.zones import Zones
from rowen.pdf import Line
from rowen.pdf.passages import Passage, joined, passage_of

_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the body: heading, text and markers. The first may have no heading.

    >>> section = Section("Results", "As shown before [1].", (Marker(16, 19, (0,)),))
    >>> section.text[section.markers[0].start : section.markers[0].end]
    '[1]'
    """

    heading: str | None
    text: str
    markers: tuple[Marker, ...] = ()
    """The places where works are cited."""
    level: int = 1
    """The depth of the heading, from 1."""
    number: str | None = None
    """The number of the heading, such as 3.1; the heading has it, too."""
    kind: str | None = None
    """What a section is by its heading: `acknowledgements`, `funding`, `appendix` and so on."""
    paragraphs: tuple[Paragraph, ...] = ()
    """The paragraphs, as spans of the text."""
    page: int | None = None
    """The page on which it begins, from 1; None where there is no layout."""
    boxes: tuple[Box, ...] = ()
    """The boxes of the lines of its heading."""

    def to_dict(self) -> dict[str, Any]:
        """The section as a dict for JSON.

        >>> Section("Results", "None.").to_dict()["heading"]
        'Results'
        """
        return {
            "heading": self.heading,
            "level": self.level,
            "number": self.number,
            "kind": self.kind,
            "text": self.text,
            "paragraphs": [paragraph.to_dict() for paragraph in self.paragraphs],
            "markers": [marker.to_dict() for marker in self.markers],
            **place(self.page, self.boxes),
        }


def headed_passages(zones: Zones) -> list[tuple[str | None, Passage]]:
    """The passages of the body, each with the heading above it."""
    sections: list[tuple[list[Line], list[Line]]] = [([], [])]
    before = ""
    for line, label in zones.labelled:
        heading, lines = sections[-1]
        if label == "heading":
            if before == "heading" and not lines and _one_heading(heading[-1], line):
                heading.append(line)
            else:
                sections.append(([line], []))
        elif label == "body":
            lines.append(line)
        before = label
    return [
        (joined(heading) or None, passage_of(lines)) for heading, lines in sections
        if heading or lines
    ]  # fmt: skip


def _one_heading(line: Line, below: Line) -> bool:
    """Whether two lines are one heading, not the heading of a chapter and that of its section."""
    alike = line.font == below.font and abs(line.size - below.size) < 0.3
    near = line.block == below.block and line.baseline - below.baseline < 1.5 * line.size
    return alike and near and not _NUMBERED.match(below.text)

"""Sections of a paper's body, from lines labelled `heading` and `body`.

    heading   3 Results of                 a new section
    heading   the Experiments              the same type, close below, no number: the same heading
    body      As shown before [1], ...     its text; divided words are rejoined
    heading   3.1 Speed                    a new section: a number begins it

Lines before the first heading are a section without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rowen.citations.markers import Marker
from rowen.elements.element import Box, Paragraph, place, places_of
from rowen.elements.kinds import kind_of_section
from rowen.papers.zones import Zones
from rowen.papers.zones.outline import Heading
from rowen.pdf import Line
from rowen.pdf.passages import Passage, passage_of


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


@dataclass(frozen=True, slots=True)
class Headed:
    """A passage of the body and the heading above it; the first may have none."""

    heading: Heading | None
    passage: Passage


def headed_passages(zones: Zones) -> list[Headed]:
    """The passages of the body, each with the heading above it."""
    firsts = {id(heading.lines[0]): heading for heading in zones.headings()}
    sections: list[tuple[Heading | None, list[Line]]] = [(None, [])]
    for line, label in zones.labelled:
        if label == "heading" and id(line) in firsts:
            sections.append((firsts[id(line)], []))
        elif label == "body":
            sections[-1][1].append(line)
    return [Headed(heading, passage_of(lines)) for heading, lines in sections if heading or lines]


def sections_of(
    headed: Sequence[Headed],
    markers: Sequence[tuple[Marker, ...]],
    paragraphs: Sequence[tuple[Paragraph, ...]],
    *,
    placed: bool,
) -> tuple[Section, ...]:
    """Sections from passages with their headings, markers and paragraphs."""
    sections: list[Section] = []
    before: str | None = None
    for own, cited, parts in zip(headed, markers, paragraphs, strict=True):
        text = own.passage.text
        if own.heading is None:
            first = places_of(own.passage.lines[:1]) if placed else {}
            page = first.get("page")
            sections.append(Section(None, text, cited, paragraphs=parts, page=page))
            continue
        heading = own.heading
        kind = kind_of_section(heading.text, heading.number, before)
        before = kind
        place_of = places_of(heading.lines) if placed else {}
        sections.append(
            Section(
                heading.text, text, cited, heading.level, heading.number, kind, parts, **place_of
            )
        )
    return tuple(sections)

"""The body of a paper in sections."""

import re
from dataclasses import dataclass
from typing import Any

from rowen.scholar.layout import Line
from rowen.scholar.markers import Marker
from rowen.scholar.passages import Passage, joined, passage_of
from rowen.scholar.zones import Zones

_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the body with its heading; the first may have none."""

    heading: str | None
    text: str
    markers: tuple[Marker, ...] = ()
    """Where works are cited, and which."""

    def to_json(self) -> dict[str, Any]:
        """The section as the contract has it, with its markers."""
        return {
            "heading": self.heading,
            "text": self.text,
            "markers": [marker.to_json() for marker in self.markers],
        }


def headed_passages(zones: Zones) -> list[tuple[str | None, Passage]]:
    """The body's passages between headings, each with the one above it."""
    found: list[tuple[list[Line], list[Line]]] = [([], [])]
    before = ""
    for line, label in zones.labelled:
        heading, lines = found[-1]
        if label == "heading":
            if before == "heading" and not lines and _one_heading(heading[-1], line):
                heading.append(line)
            else:
                found.append(([line], []))
        elif label == "body":
            lines.append(line)
        before = label
    return [
        (joined(heading) or None, passage_of(lines)) for heading, lines in found
        if heading or lines
    ]  # fmt: skip


def _one_heading(line: Line, below: Line) -> bool:
    """Whether a heading takes two lines: a heading of a part may stand over that of a section."""
    alike = line.font == below.font and abs(line.size - below.size) < 0.3
    near = line.block == below.block and line.baseline - below.baseline < 1.5 * line.size
    return alike and near and not _NUMBERED.match(below.text)

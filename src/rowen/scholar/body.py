"""The body of a paper in sections."""

from dataclasses import dataclass
from typing import Any

from rowen.scholar.layout import Line
from rowen.scholar.markers import Marker
from rowen.scholar.passages import Passage, passage_of
from rowen.scholar.zones import Zones


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
    found: list[tuple[str | None, list[Line]]] = [(None, [])]
    before = ""
    for line, label in zones.labelled:
        if label == "heading":
            heading, lines = found[-1]
            if before == "heading" and not lines and heading is not None:  # it takes two lines
                found[-1] = (f"{heading} {line.text}", lines)
            else:
                found.append((line.text, []))
        elif label == "body":
            found[-1][1].append(line)
        before = label
    return [(heading, passage_of(lines)) for heading, lines in found if heading or lines]

"""Headings: the type of a heading differs from the body's, so other lines lose the label."""

import re
from collections.abc import Sequence

from rowen.papers.zones.features import body_size, usual_face
from rowen.pdf import Line

_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5})[.)]?\s+\W*[A-Z]")
_PLAIN = 45  # letters: a longer line in the type of the body belongs to the body


def without_plain_headings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which a heading has another type than the body, is in capitals, or is short."""
    face, size = usual_face(lines), body_size(lines)
    return [
        "body" if label == "heading" and _plain(line, face, size) else label
        for line, label in zip(lines, labels, strict=True)
    ]


def _plain(line: Line, face: str, size: float) -> bool:
    """Whether a line looks like the body: its font and size, not all capitals, and not short."""
    alike = line.font == face and not line.bold and line.size < size + 0.6
    short = len(line.text) <= _PLAIN and (
        bool(_NUMBERED.match(line.text)) or not line.text.endswith((".", ",", ";"))
    )
    return alike and not line.text.isupper() and not short

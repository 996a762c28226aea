"""Headings are set apart from what they stand over: lines that are not were taken for them."""

import re
from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.zones.columns import body_size, usual_face

_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5})[.)]?\s+\W*[A-Z]")
_PLAIN = 45  # letters: a line of the body's type that is longer is one of its lines


def without_plain_headings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which only what is set unlike the body, or numbered and short, is a heading."""
    face, size = usual_face(lines), body_size(lines)
    return [
        "body" if label == "heading" and _plain(line, face, size) else label
        for line, label in zip(lines, labels, strict=True)
    ]


def _plain(line: Line, face: str, size: float) -> bool:
    alike = line.font == face and not line.bold and line.size < size + 0.6
    short = len(line.text) <= _PLAIN and (
        bool(_NUMBERED.match(line.text)) or not line.text.endswith((".", ",", ";"))
    )
    return alike and not line.text.isupper() and not short

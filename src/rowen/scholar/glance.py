"""What can be told of a paper before its lines are made and understood."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from rowen.scholar.layout import Line, lines_on
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.zones.words import beginning_of

_HEADING = 60
"""No heading of references has so many characters; most lines of a paper have more."""


def plain_text(pages: Iterable[PageCharacters]) -> str:
    """All characters in the order of the file, which is nearly that of reading."""
    return "\n".join(
        page.codes.astype(np.dtype("<u4")).tobytes().decode("utf-32-le", "replace")
        for page in pages
    )


def first_lines(pages: Sequence[PageCharacters]) -> Iterator[Line]:
    """The lines in reading order, a page at a time, as far as they are asked for."""
    return (line for page in pages for line in lines_on(page))


def front_text(lines: Iterable[Line], *, words: int) -> str:
    """The lines that the first words stand on, and where the size of the type changes.

    The same words in other sizes may be another header.
    """
    found: list[str] = []
    size, count = 0, 0
    for line in lines:
        if round(line.size) != size:
            size = round(line.size)
            found.append(f"size{size}")
        found.append(line.text)
        count += len(line.text.split())
        if count >= words:
            break
    return "\n".join(found)


def reference_text(text: str) -> str:
    """A text from its first heading of references on; all of it where there is none."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if len(line) < _HEADING and beginning_of(line) == "references":
            return "\n".join(lines[number:])
    return text

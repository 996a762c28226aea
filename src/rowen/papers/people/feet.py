"""Affiliations in notes: in small type at the foot of the title's page.

    *Department of Mathematics, University of London, UK. ada@example.org
    A. Lovelace is with the University of London, UK (e-mail: ada@example.org).
    Authors' addresses: Ada Lovelace, University of London, UK; Grace Hopper, Yale ...

Notes of other kinds are near: grants, dates, permissions. So only lines are taken that have an
address or a word for an organisation, with the lines beside them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rowen.papers.people.words import kind_of
from rowen.papers.zones import Zones
from rowen.papers.zones.features import body_size
from rowen.pdf import Line

_OPEN = frozenset({"body", "header", "footnote", "affiliation"})  # the labels of such lines
_SMALLER = 0.7  # points by which notes are smaller than the body, at least
_WORD = re.compile(r"[^\W\d_]+")
_NOTE_LINES = 40  # of a page: more of them are no notes


def noted_lines(zones: Zones, page: int) -> frozenset[int]:
    """The indexes of the lines of a page's notes that may have affiliations."""
    labelled = zones.labelled
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for i, (line, label) in enumerate(labelled):
        # A page number may be below the notes; if it was not recognized, it has no letters.
        if line.page == page and label != "furniture" and _WORD.search(line.text):
            columns[line.block].append(i)
    heights = [labelled[i][0].baseline for column in columns.values() for i in column]
    middle = (max(heights) + min(heights)) / 2 if heights else 0.0
    feet = [foot for column in columns.values() if (foot := _foot(zones, column, middle))]
    if not feet:
        return frozenset()
    size = body_size([line for line, _ in labelled]) - _SMALLER
    return frozenset(i for foot in feet for i in _telling(labelled, _small(labelled, foot, size)))


def _foot(zones: Zones, column: Sequence[int], middle: float) -> list[int]:
    """The lines at the end of a column that are below the middle of the page."""
    foot: list[int] = []
    for i in reversed(column):
        line, label = zones.labelled[i]
        if label not in _OPEN or line.baseline > middle or len(foot) == _NOTE_LINES:
            break
        foot.append(i)
    return foot[::-1]


def _small(labelled: Sequence[tuple[Line, str]], foot: Sequence[int], size: float) -> list[int]:
    """The last lines of a foot that are smaller than a size."""
    start = len(foot)
    while start and labelled[foot[start - 1]][0].size <= size:
        start -= 1
    return list(foot[start:])


def _telling(labelled: Sequence[tuple[Line, str]], foot: Sequence[int]) -> Iterator[int]:
    """The lines with addresses or words for organisations, and the lines beside them."""
    clues = [k for k, i in enumerate(foot) if _has_clue(labelled[i][0].text)]
    near = {k for clue in clues for k in (clue - 1, clue, clue + 1)}
    return (foot[k] for k in sorted(near) if 0 <= k < len(foot))


def _has_clue(text: str) -> bool:
    words = _WORD.findall(text.lower())
    return "@" in text or any(kind_of(word) == "organisation" for word in words)

"""Footnotes: lines in small type at the foot of a column, the first of them with a mark.

Rules find them alone: the CRF's training data (`training/alignment.py`) has no such label.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from rowen.papers.zones.features import body_size
from rowen.pdf import Line

_MARK = re.compile(r"(?:[*†‡§¶#∗]|\d{1,2})\s?[^\W\d_]")
_OPEN = frozenset({"body", "header"})  # the labels that the CRF gives to footnotes
_OPEN_LATER = _OPEN | {"author", "affiliation", "after"}  # the same behind the first page
_SMALLER = 0.7  # points by which footnotes are smaller than the body, at least
_LETTERS = 20  # per line, on average: cells of tables have fewer
_FOOT = 0.45  # of the height of a column, from its last line: footnotes are below this


def with_footnotes(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which the lines of footnotes have the label `footnote`."""
    size = body_size(lines) - _SMALLER
    corrected = list(labels)
    for indexes in _columns(lines).values():
        foot = _foot([i for i in indexes if labels[i] != "furniture"], lines, labels, size)
        starts = [k for k, i in enumerate(foot) if _marked(lines[i])]
        notes = foot[starts[0] :] if starts else []
        if sum(len(lines[i].text) for i in notes) > _LETTERS * len(notes):
            for i in notes:
                corrected[i] = "footnote"
    return corrected


def _columns(lines: Sequence[Line]) -> dict[int, list[int]]:
    """The indexes of the lines of each block, from top to bottom."""
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        columns[line.block].append(i)
    return columns


def _foot(
    column: Sequence[int], lines: Sequence[Line], labels: Sequence[str], size: float
) -> list[int]:
    """The small lines at the end of a column; none where the whole column is small."""
    if not column:
        return []
    top, bottom = lines[column[0]].baseline, lines[column[-1]].baseline
    lowest = bottom + _FOOT * (top - bottom)
    foot: list[int] = []
    for i in reversed(column):
        open_ = _OPEN_LATER if lines[i].page else _OPEN
        if labels[i] not in open_ or lines[i].size > size or lines[i].baseline > lowest:
            break
        foot.append(i)
    return foot[::-1] if len(foot) < len(column) else []


def _marked(line: Line) -> bool:
    """Whether a line begins with a footnote mark: raised, or a sign or number before a letter."""
    raised = bool(line.raised) and line.raised[0][0] == 0
    return raised or bool(_MARK.match(line.text))

"""Footnotes: lines in small type at the foot of a column, the first of them with a mark."""

import re
from collections import defaultdict
from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.zones.columns import body_size

_MARK = re.compile(r"(?:[*†‡§¶#∗]|\d{1,2})\s?[^\W\d_]")
_OPEN = frozenset({"body", "header"})  # what lines of footnotes are taken for
_SMALLER = 0.7  # points that footnotes are set smaller by, at least
_LETTERS = 20  # a line, on average: cells of tables have fewer
_FOOT = 0.45  # of the height that a page's lines take: footnotes are below


def with_footnotes(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which lines that are footnotes are told as such."""
    size = body_size(lines) - _SMALLER
    found = list(labels)
    for indexes in _columns(lines).values():
        foot = _foot([i for i in indexes if labels[i] != "furniture"], lines, labels, size)
        starts = [k for k, i in enumerate(foot) if _marked(lines[i])]
        notes = foot[starts[0] :] if starts else []
        if sum(len(lines[i].text) for i in notes) > _LETTERS * len(notes):
            for i in notes:
                found[i] = "footnote"
    return found


def _columns(lines: Sequence[Line]) -> dict[int, list[int]]:
    """The lines of each block, from top to bottom."""
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        columns[line.block].append(i)
    return columns


def _foot(
    column: Sequence[int], lines: Sequence[Line], labels: Sequence[str], size: float
) -> list[int]:
    """The small lines that a column ends with."""
    if not column:
        return []
    top, bottom = lines[column[0]].baseline, lines[column[-1]].baseline
    lowest = bottom + _FOOT * (top - bottom)
    foot: list[int] = []
    for i in reversed(column):
        if labels[i] not in _OPEN or lines[i].size > size or lines[i].baseline > lowest:
            break
        foot.append(i)
    return foot[::-1] if len(foot) < len(column) else []


def _marked(line: Line) -> bool:
    raised = bool(line.raised) and line.raised[0][0] == 0
    return raised or bool(_MARK.match(line.text))

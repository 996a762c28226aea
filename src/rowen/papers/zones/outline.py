"""The headings of a paper, with their numbers and levels.

    heading                 number   level
    2 Methods               2        1       the depth of the number
    2.1 Data of             2.1      2
        both years                           the same type, close below: the same heading
    Rinsing. We rinsed ...  none     3       run into its paragraph: weaker than the type of 2.1

A heading without a number has the level of its type: size, capitals, bold, italic, run in or not.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line
from rowen.pdf.passages import joined

_NUMBER = re.compile(
    r"(?i:(?:section|chapter|appendix|kapitel|anhang|chapitre|capítulo|§)\s+)?"
    r"(?P<number>(?P<digits>\d{1,2}(?:\.\d{1,2}){0,4})(?=[.):]*\s|[.):]+\S)"
    r"|(?P<path>[IVX]{1,5}(?:\.[A-Z](?:\.\d{1,2})?)(?=\.?\s))"
    r"|(?P<roman>[IVX]{1,5})(?=[.)]|\s+[A-Z]{2})|(?P<letter>[A-Z](?:(?:\.\d{1,2})+(?=[.):]*\s)|(?=[.):]))))"
    r"(?P<sign>[.):]*)\s*"
)
_TOP = frozenset({"introduction", "section", "end", "references", "abstract"})
_LEADING = 1.5  # of the size: lines further apart are two headings
_FEW_WORDS = 3  # of well-known headings: `Background and Related Work` may be of any level

_Type: TypeAlias = tuple[float, bool, bool, bool, bool]
"""Size, capitals, bold, upright, on a line of its own: the larger, the higher the level."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its lines, text, number as printed, and level; that of sections is 1."""

    lines: tuple[Line, ...]
    text: str
    number: str | None
    level: int
    run_in: bool = False
    """Whether the text of the section goes on in the heading's last line."""


def headings_of(labelled: Sequence[tuple[Line, str]]) -> list[Heading]:
    """The headings among labelled lines, in order."""
    groups: list[list[Line]] = []
    run_in: list[bool] = []
    before = ""
    for i, (line, label) in enumerate(labelled):
        if label == "heading":
            if before == "heading" and one_heading(groups[-1][-1], line):
                groups[-1].append(line)
            else:
                groups.append([line])
                run_in.append(False)
            run_in[-1] = i + 1 < len(labelled) and runs_on(line, labelled[i + 1][0])
        before = label
    texts = [joined(lines) for lines in groups]
    numbers = [_NUMBER.match(text) for text in texts]
    depths = _depths(numbers)
    types = [_type(lines[0], run_in=own) for lines, own in zip(groups, run_in, strict=True)]
    levels = _levels(types, depths, texts)
    return [
        Heading(
            tuple(lines), text, number["number"] if number else None, depth or levels[type_], own
        )
        for lines, text, number, depth, type_, own in zip(
            groups, texts, numbers, depths, types, run_in, strict=True
        )
    ]


def one_heading(line: Line, below: Line) -> bool:
    """Whether two lines are one heading, not the heading of a chapter and that of its section."""
    alike = line.font == below.font and abs(line.size - below.size) < 0.3
    near = line.block == below.block and 0 < line.baseline - below.baseline < _LEADING * line.size
    return alike and near and not _NUMBER.match(below.text)


def runs_on(heading: Line, after: Line) -> bool:
    """Whether two lines are parts of one line of the page."""
    return heading.baseline == after.baseline and heading.block == after.block


def _type(line: Line, *, run_in: bool) -> _Type:
    return round(2 * line.size) / 2, line.text.isupper(), line.bold, not line.italic, not run_in


def _depths(numbers: Sequence[re.Match[str] | None]) -> list[int | None]:
    """The level that each number shows: I, A and 1) are three levels, as in IEEE's papers."""
    romans = sum(bool(number and number["roman"]) for number in numbers) > 1
    depths: list[int | None] = []
    for number in numbers:
        if number is None:
            depths.append(None)
        elif number["digits"]:
            alone = "." not in number["digits"] and number["sign"] == ")"
            depths.append(3 if romans and alone else number["digits"].count(".") + 1)
        elif number["path"]:
            depths.append(number["path"].count(".") + 1)
        elif number["letter"] and "." not in number["letter"]:
            depths.append(2 if romans and number["letter"] not in "IVX" else 1)
        else:
            depths.append((number["letter"] or "").count(".") + 1)
    return depths


def _levels(
    types: Sequence[_Type], depths: Sequence[int | None], texts: Sequence[str]
) -> dict[_Type, int]:
    """The level of each type: by its numbers, by well-known headings, or below a larger type."""
    shown: defaultdict[_Type, Counter[int]] = defaultdict(Counter)
    for type_, depth, text in zip(types, depths, texts, strict=True):
        if depth is not None:
            shown[type_][depth] += 1
        elif beginning_of(text) in _TOP and type_[-1] and len(text.split()) <= _FEW_WORDS:
            shown[type_][1] += 1
    levels: dict[_Type, int] = {}
    deepest = 0
    for type_ in sorted(set(types), reverse=True):
        counts = shown.get(type_)
        levels[type_] = counts.most_common(1)[0][0] if counts else deepest + 1
        deepest = max(deepest, levels[type_])
    return levels

"""Captions: lines that begin with a label such as `Table 2`, and the lines that continue them.

Figure 2. Two pages        label `Figure 2`, then a sign: a caption
and their regions.         the same size of type, close below: part of it
Figure 2 shows that ...    a sentence of the body: its first line is like those around it
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rowen.elements.prose import is_prose
from rowen.pdf import Line
from rowen.pdf.passages import joined

CAPTION_LINES = 60
"""Limit: lines of a caption; the longest of real papers fill half a page."""

OPEN = frozenset({"body", "caption", "heading", "after", "header", "footnote"})
"""The labels that lines of captions, tables and figures may have been given."""

_LEADING = 1.6  # of the size: lines further apart are not of one caption
_ALIKE = 0.6  # points: sizes that differ by less count as equal
_COLUMN = 200.0  # points: a line of running text is about as wide
_PASSED = 200  # lines of a drawing may come between a label and its caption
_NEEDED = 3  # the least sum of evidence for a caption


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: whether it is a table's, its label, its text, and the indexes of its lines."""

    is_table: bool
    label: str
    text: str
    indexes: tuple[int, ...]


def captions_of(lines: Sequence[Line], labels: Sequence[str], size: float) -> list[Caption]:
    """The captions of a paper in order; `size` is that of the body's type."""
    captions: list[Caption] = []
    taken = -1
    for i, line in enumerate(lines):
        if i <= taken or labels[i] not in OPEN:
            continue
        match = _form().match(line.text)
        if match is None or _evidence(lines, labels, i, match, size) < _NEEDED:
            continue
        indexes = _extent(lines, labels, i, match)
        text = joined([lines[k] for k in indexes])
        start = _form().match(text) or match
        caption = text[start.end() :].lstrip(" .:|—–-\u2002\u2003)")
        label = " ".join(start["label"].split())
        captions.append(Caption(start["table"] is not None, label, caption, tuple(indexes)))
        taken = indexes[-1]
    return captions


@cache
def _form() -> re.Pattern[str]:
    """The pattern of a label: a word, a number, and what follows."""
    table = tomllib.loads(files(__package__).joinpath("captions.toml").read_text("utf-8"))

    def either(name: str) -> str:
        words = sorted(table[name]["words"], key=len, reverse=True)
        return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)

    number = r"(?:s?\d{1,3}(?:[.-]\d{1,3})*[a-z]?|[ivxl]{1,6}|[a-z]\.?\d{1,3}(?:\.\d{1,2})?|[a-z])"
    return re.compile(
        rf"\W{{0,2}}(?P<label>(?:(?:{either('before')})\s+)?"
        rf"(?:(?P<table>{either('table')})|(?:{either('figure')}))(?![^\W\d_])\.?\s*{number})"
        rf"(?P<sign>\s*[.:|—–)]|\s+[-–—]\s|\s*$)?(?=\W|$)",
        re.IGNORECASE,
    )


def _evidence(
    lines: Sequence[Line], labels: Sequence[str], i: int, match: re.Match[str], size: float
) -> int:
    """How much speaks for a caption: its label, its sign, its type, and that it stands alone."""
    line = lines[i]
    follows = line.text[match.end() :].lstrip()
    sign = match["sign"]
    alone = _stands_alone(lines, labels, i)
    if not alone and _goes_on(lines[i - 1], size):
        return 0
    evidence = 2 * (labels[i] == "caption") + 2 * alone
    evidence += 2 * bool(sign and sign.strip() != ")") + (match.end("label") in line.gaps)
    evidence += abs(line.size - size) > _ALIKE or line.bold or line.lead is not None
    # `Table 2 shows` and `Figure 3 and` go on with a small letter.
    if not sign and follows[:1].islower():
        evidence -= 3
    if not follows and sign is not None and not alone:
        evidence -= 2
    return evidence


def _goes_on(before: Line, size: float) -> bool:
    """Whether running text ends in the middle of a sentence: `as shown (Supplementary`."""
    ends = before.text.rstrip().endswith((".", "!", "?", ":", ")", ";"))
    return not ends and is_prose(before, size, _COLUMN)


def _stands_alone(lines: Sequence[Line], labels: Sequence[str], i: int) -> bool:
    """Whether a line does not continue the line above it."""
    if i == 0 or lines[i - 1].block != lines[i].block or labels[i - 1] == "furniture":
        return True
    before, line = lines[i - 1], lines[i]
    fall = before.baseline - line.baseline
    if fall <= 0 or fall > _LEADING * max(before.size, line.size):
        return True
    return abs(before.size - line.size) > _ALIKE


def _extent(
    lines: Sequence[Line], labels: Sequence[str], first: int, match: re.Match[str]
) -> list[int]:
    """The indexes of the lines of the caption that begins at `first`."""
    indexes = [first]
    usual: float | None = None  # the distance of the first two lines
    begin = first + 1
    if not lines[first].text[match.end() :].strip(" .:"):
        begin = _right_below(lines, labels, first)
    for i in range(begin, min(begin + CAPTION_LINES, len(lines))):
        before, line = lines[indexes[-1]], lines[i]
        if labels[i] == "furniture" and line.page == before.page:
            continue
        fall = before.baseline - line.baseline
        level = abs(fall) < 0.3 * line.size and line.left > before.right
        close = 0 < fall <= (_LEADING * line.size if usual is None else 1.2 * usual)
        if line.page != before.page or labels[i] not in OPEN or _form().match(line.text):
            break
        # A label on a line of its own may have another size than the text below it.
        alone = len(indexes) == 1 and not lines[first].text[match.end() :].strip(" .:")
        alike = abs(before.size - line.size) < _ALIKE or alone
        beside = line.left < lines[first].right and line.right > lines[first].left
        if not ((close and beside) or level) or not alike or len(line.gaps) > 1:
            break
        if labels[i] != "caption" and labels[indexes[-1]] == "caption" and _ends(lines, indexes):
            break
        if close and not level and usual is None:
            usual = fall
        indexes.append(i)
    return indexes


def _right_below(lines: Sequence[Line], labels: Sequence[str], label: int) -> int:
    """The index of the line right below a label that is alone; words of a drawing, which may come
    first in reading order, are passed over.
    """
    own = lines[label]
    for i in range(label + 1, min(label + _PASSED, len(lines))):
        line = lines[i]
        if line.page != own.page:
            break
        fall = own.baseline - line.baseline
        aligned = abs(line.left - own.left) < 2 and abs(line.size - own.size) < _ALIKE
        if 0 < fall <= _LEADING * own.size and aligned and labels[i] in OPEN:
            return i
    return label + 1


def _ends(lines: Sequence[Line], indexes: Sequence[int]) -> bool:
    """Whether the last line of a caption ends a sentence and is shorter than the longest."""
    last = lines[indexes[-1]]
    longest = max(lines[i].right for i in indexes)
    ended = last.text.rstrip().endswith((".", "!", "?", ")"))
    return ended and (len(indexes) == 1 or last.right < longest - 2 * last.size)

"""The lines of the keywords: from the word that opens them to the end of their paragraph.

A list goes on where its last line is open: it ends in a hyphen or a comma, or it is as wide as the
column. It may go on in the next column or on the next page.
"""

import re
from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.zones.words import beginning_of

_PAGES = 2
_MOST = 12  # lines: lists of keywords with one on each have no more
_BETWEEN = 12  # lines of footnotes and the like, where a list goes on behind them
_HEADING = 18  # letters of a heading that stands alone, at most
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph
_BELOW_HEADING = 3.0  # the same below a heading that stands alone
_EVEN = 0.15  # of the size: how much steps from line to line differ in one list
_SHORT = 0.85  # of the widest line: a paragraph ends with one that is shorter
_COLUMN = 30  # lines around that show how wide the column is
_DIVIDED = re.compile(r"[^\W\d_]{2}[-‐]$")
_SEPARATORS = re.compile(r"[;,·•|]")
_OPEN = (",", ";", "·", "•", "|")
_OTHER_PARTS = frozenset({"heading", "title", "author", "footnote", "furniture", "caption"})

Labelled = Sequence[tuple[Line, str]]


def keyword_lines(labelled: Labelled) -> list[Line]:
    """The keywords' lines with the word that opens them; as labelled where no word does."""
    front = [(line, label) for line, label in labelled if line.page < _PAGES]
    starts = [i for i, (line, _) in enumerate(front) if beginning_of(line.text) == "keywords"]
    told = [i for i in starts if front[i][1] == "keywords"] or starts
    if not told:
        return [line for line, label in front if label == "keywords"]
    first = told[0]
    found = [front[first][0]]
    alone = len(found[0].text) <= _HEADING
    width = _column_width(front, first)
    i = first + 1
    while i < len(front) and len(found) <= _MOST:
        line, label = front[i]
        if _goes_on(found, line, label, alone=alone, width=width):
            found.append(line)
            i += 1
        elif (further := _further(front, i, found, alone=alone)) is not None:
            i = further
            found.append(front[i][0])
            i += 1
        else:
            break
    return found


def _column_width(front: Labelled, at: int) -> float:
    """How wide the lines of the same block around a line are."""
    block = front[at][0].block, front[at][0].page
    near = [line for line, _ in front[max(0, at - _COLUMN) : at + _COLUMN]]
    return max(line.right - line.left for line in near if (line.block, line.page) == block)


def _goes_on(found: Sequence[Line], line: Line, label: str, *, alone: bool, width: float) -> bool:
    """Whether a line of the same block belongs to keywords so far."""
    last = found[-1]
    text = found[1:] if alone else found
    most = _LEADING if text else _BELOW_HEADING
    if last.block != line.block or not 0 <= last.baseline - line.baseline < most * line.size:
        return False
    if beginning_of(line.text) or (text and abs(text[0].size - line.size) > 0.6):
        return False
    if not text or _is_open(last):
        return True
    if alone and not _SEPARATORS.search(" ".join(one.text for one in text)):
        return label == "keywords" or _evenly(text, line)
    if alone:
        return label == "keywords" or (_fills(last, width) and last.font == line.font)
    widest = max(one.right for one in (*found, line)) - last.left
    return last.right - last.left > _SHORT * widest and not last.text.endswith(".")


def _is_open(line: Line) -> bool:
    """Whether a line shows that a list goes on behind it."""
    text = line.text.rstrip()
    return text.endswith(_OPEN) or _DIVIDED.search(text) is not None


def _fills(line: Line, width: float) -> bool:
    return line.right - line.left > _SHORT * width and not line.text.endswith(".")


def _evenly(text: Sequence[Line], line: Line) -> bool:
    """Whether a line is set as those of a list with one keyword on each, and as far below."""
    if len(text) < 2 or line.font != text[-1].font or abs(line.left - text[-1].left) > line.size:
        return False
    step, usual = text[-1].baseline - line.baseline, text[-2].baseline - text[-1].baseline
    return abs(step - usual) < _EVEN * line.size


def _further(front: Labelled, start: int, found: Sequence[Line], *, alone: bool) -> int | None:
    """Where a list that is open goes on, in another column or on the next page."""
    last = found[-1]
    if not _is_open(last) or (alone and len(found) == 1):
        return None
    divided = _DIVIDED.search(last.text.rstrip()) is not None
    for i in range(start, min(start + _BETWEEN, len(front))):
        line, label = front[i]
        if (line.page, line.block) == (last.page, last.block):
            continue
        if beginning_of(line.text) == "introduction":
            return None
        alike = line.font == last.font and abs(line.size - last.size) < 0.3
        begins = line.text[:1].islower() if divided else line.text[:1].isalnum()
        if alike and begins and label not in _OTHER_PARTS:
            return i
    return None

"""The lines of the keywords: from the opening word to the end of their paragraph.

The list goes on while its last line is open: the line ends in a hyphen or a separator, or it is as
wide as the column. It may go on in the next column or on the next page.

    Keywords: wrappers, web pages, simu-     opens the list; a divided word: it goes on
    lation, recycling                        ends: the line is short and has no separator at its end
    1 Introduction
"""

import re
from collections.abc import Sequence

from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_PAGES = 2  # pages that are searched: a list may go on on the second page
_MOST = 12  # lines: a list with one keyword per line has no more
_BETWEEN = 12  # lines of footnotes and other parts before the list goes on in the next column
_HEADING = 18  # letters, at most, of a heading on a line of its own
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph
_BELOW_HEADING = 3.0  # the same, below a heading on a line of its own
_EVEN = 0.15  # of the size: by how much line distances differ within a list
_SHORT = 0.85  # of the widest line: a shorter line ends a paragraph
_COLUMN = 30  # lines before and after that show the width of the column
_DIVIDED = re.compile(r"[^\W\d_]{2}[-‐]$")
_SEPARATORS = re.compile(r"[;,·•|]")
_OPEN = (",", ";", "·", "•", "|")
_OTHER_PARTS = frozenset({"heading", "title", "author", "footnote", "furniture", "caption"})

Labelled = Sequence[tuple[Line, str]]


def keyword_lines(labelled: Labelled) -> list[Line]:
    """The lines of the keywords with their opening word; without one, the lines labelled so."""
    front = [(line, label) for line, label in labelled if line.page < _PAGES]
    starts = [i for i, (line, _) in enumerate(front) if beginning_of(line.text) == "keywords"]
    openings = [i for i in starts if front[i][1] == "keywords"] or starts
    if not openings:
        # Keywords that no word announces stand above the introduction, whatever the labels say.
        kinds = [beginning_of(line.text) for line, _ in front]
        end = kinds.index("introduction") if "introduction" in kinds else len(front)
        unannounced = [line for line, label in front[:end] if label == "keywords"]
        listed = any(_SEPARATORS.search(line.text) or line.gaps for line in unannounced)
        return unannounced if listed or len(unannounced) > 1 else []
    first = openings[0]
    keywords = [front[first][0]]
    alone = len(keywords[0].text) <= _HEADING
    width = _column_width(front, first)
    i = first + 1
    while i < len(front) and len(keywords) <= _MOST:
        line, label = front[i]
        if _goes_on(keywords, line, label, alone=alone, width=width):
            keywords.append(line)
            i += 1
        elif (further := _further(front, i, keywords, alone=alone)) is not None:
            i = further
            keywords.append(front[i][0])
            i += 1
        else:
            break
    return keywords


def _column_width(front: Labelled, at: int) -> float:
    """The width of the widest line near a line, in the same block."""
    block = front[at][0].block, front[at][0].page
    near = [line for line, _ in front[max(0, at - _COLUMN) : at + _COLUMN]]
    return max(line.right - line.left for line in near if (line.block, line.page) == block)


def _goes_on(
    keywords: Sequence[Line], line: Line, label: str, *, alone: bool, width: float
) -> bool:
    """Whether a line continues the list of keywords; `alone`: the heading has its own line."""
    last = keywords[-1]
    text = keywords[1:] if alone else keywords
    most = _LEADING if text else _BELOW_HEADING
    if last.block != line.block or not 0 <= last.baseline - line.baseline < most * line.size:
        return False
    if beginning_of(line.text) or (text and abs(text[0].size - line.size) > 0.6):
        return False
    if not text or _is_open(last):
        return True
    # Measured: with the CRF's labels alone, such a list ended too early in 14 of the 25 papers of
    # JuliaCon. So the form of the lines decides, and a label can only add to it.
    if alone and not _SEPARATORS.search(" ".join(member.text for member in text)):
        return label == "keywords" or _evenly(text, line)
    if alone:
        return label == "keywords" or (_fills(last, width) and last.font == line.font)
    widest = max(member.right for member in (*keywords, line)) - last.left
    return last.right - last.left > _SHORT * widest and not last.text.endswith(".")


def _is_open(line: Line) -> bool:
    """Whether a line ends in a separator or a divided word, so that the list goes on."""
    text = line.text.rstrip()
    return text.endswith(_OPEN) or _DIVIDED.search(text) is not None


def _fills(line: Line, width: float) -> bool:
    """Whether a line is as wide as its column and does not end in a full stop."""
    return line.right - line.left > _SHORT * width and not line.text.endswith(".")


def _evenly(text: Sequence[Line], line: Line) -> bool:
    """Whether a line has the font, indent and distance of a list with one keyword per line."""
    if len(text) < 2 or line.font != text[-1].font or abs(line.left - text[-1].left) > line.size:
        return False
    step, usual = text[-1].baseline - line.baseline, text[-2].baseline - text[-1].baseline
    return abs(step - usual) < _EVEN * line.size


def _further(front: Labelled, start: int, keywords: Sequence[Line], *, alone: bool) -> int | None:
    """The index at which an open list continues in the next column or on the next page, if any."""
    last = keywords[-1]
    if not _is_open(last) or (alone and len(keywords) == 1):
        return None
    divided = _DIVIDED.search(last.text.rstrip()) is not None
    for i in range(start, min(start + _BETWEEN, len(front))):
        line, label = front[i]
        if (line.page, line.block) == (last.page, last.block):
            continue
        if beginning_of(line.text) == "introduction":
            return None
        alike = line.font == last.font and abs(line.size - last.size) < 0.3
        # The second half of a divided word begins in lower case.
        begins = line.text[:1].islower() if divided else line.text[:1].isalnum()
        if alike and begins and label not in _OTHER_PARTS:
            return i
    return None

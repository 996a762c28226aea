"""The paragraphs of a section: where its lines begin anew.

The last line of one is short.     ends a sentence before the column does
  The first of the next            is indented, or further below,
is followed by others.
  - An item begins with a bullet   and the others hang
    below its text.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from rowen.elements.columns import Columns
from rowen.elements.element import Paragraph, places_of
from rowen.pdf import Line
from rowen.pdf.passages import Passage

_BULLET = re.compile(r"[•‣◦▪▫■□●○∙·⁃➢➤❖✓–—-]\s+\S|[•▪●■]\S")
_COUNTED = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,2}\]|[A-Z]\))\s+\S")
_SENTENCE = re.compile(r"[.!?:;)\]”\"'’»。！？]\s*\d{0,3}\s*$")
_INDENT = (0.6, 5.0)  # of the size: an indent of a first line
_SHORT = 1.8  # of the size: a line that ends earlier is a last line
_FURTHER = 1.3  # of the usual distance of lines: a gap between paragraphs


def paragraphs_of(
    passage: Passage,
    columns: Columns,
    *,
    placed: bool,
    starts: Callable[[Line], bool],
) -> tuple[Paragraph, ...]:
    """The paragraphs of a passage; `starts` says which lines begin one where there is no layout."""
    lines = passage.lines
    usual = _usual_fall(lines)
    spans: list[tuple[int, int]] = []  # indexes of lines
    items: list[bool] = []
    for i, line in enumerate(lines):
        item = _is_item(line, lines[i - 1] if i else None, columns) if placed else _listed(line)
        if i == 0 or (_begins(lines, i, columns, usual, item=item) if placed else starts(line)):
            spans.append((i, i + 1))
            items.append(item)
        else:
            spans[-1] = (spans[-1][0], i + 1)
    paragraphs = []
    for (first, last), item in zip(spans, items, strict=True):
        start, end = passage.parts[first][0], passage.parts[last - 1][1]
        if start < end:
            own = places_of(lines[first:last]) if placed else {}
            paragraphs.append(Paragraph(start, end, "item" if item else "text", **own))
    return tuple(paragraphs)


def _usual_fall(lines: Sequence[Line]) -> float:
    """The usual distance of two lines of one block."""
    falls = [
        above.baseline - below.baseline
        for above, below in pairwise(lines)
        if above.block == below.block and 0 < above.baseline - below.baseline < 3 * above.size
    ]
    return median(falls) if falls else 0.0


def _listed(line: Line) -> bool:
    return bool(_BULLET.match(line.text) or _COUNTED.match(line.text))


def _is_item(line: Line, before: Line | None, columns: Columns) -> bool:
    """Whether a line begins an item of a list."""
    if _BULLET.match(line.text):
        # A dash may be in the middle of a sentence that is broken there.
        return line.text[0] not in "–—-" or before is None or _ended(before, columns)
    if not _COUNTED.match(line.text):
        return False
    return before is None or _ended(before, columns) or _SENTENCE.search(before.text) is not None


def _ended(line: Line, columns: Columns) -> bool:
    """Whether a line ends a sentence or before its column does."""
    short = line.right < columns.edges(line).right - _SHORT * line.size
    return short or line.text.rstrip().endswith((".", ":", ";"))


def _begins(lines: Sequence[Line], i: int, columns: Columns, usual: float, *, item: bool) -> bool:
    """Whether a paragraph begins with a line."""
    before, line = lines[i - 1], lines[i]
    if item:
        return True
    if line.block != before.block or line.baseline > before.baseline:
        return _begins_elsewhere(before, line, columns)
    fall = before.baseline - line.baseline
    sentence = _SENTENCE.search(before.text) is not None
    edges = columns.edges(line)
    if usual and fall > 2.2 * usual:
        # Something was between them, such as a formula or a figure.
        return sentence and not line.text[:1].islower()
    if usual and fall > _FURTHER * usual and sentence:
        return True
    short = before.right < edges.right - _SHORT * before.size
    indent = (line.left - before.left) / max(line.size, 1)
    indented = line.left > edges.left + _INDENT[0] * line.size
    least, most = _INDENT
    if least < indent < most and indented and sentence and before.left < edges.left + 3 * line.size:
        return True
    return short and sentence and line.text[:1].isupper() and indent < least


def _begins_elsewhere(before: Line, line: Line, columns: Columns) -> bool:
    """Whether a paragraph begins with the first line of a column or page."""
    if line.text[:1].islower() or _SENTENCE.search(before.text) is None:
        return False
    short = before.right < columns.edges(before).right - _SHORT * before.size
    indented = line.left > columns.edges(line).left + _INDENT[0] * line.size
    return short or indented

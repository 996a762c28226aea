"""The lines of the keywords: from the word that opens them to the end of their paragraph."""

from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.zones.words import beginning_of

_PAGES = 2
_MOST = 12  # lines: lists of keywords with one on each have no more
_HEADING = 18  # letters of a heading that stands alone, at most
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph
_SHORT = 0.85  # of the widest line: a paragraph ends with one that is shorter

Labelled = Sequence[tuple[Line, str]]


def keyword_lines(labelled: Labelled) -> list[Line]:
    """The keywords' lines with the word that opens them; as labelled where no word does."""
    front = [(line, label) for line, label in labelled if line.page < _PAGES]
    starts = [i for i, (line, _) in enumerate(front) if beginning_of(line.text) == "keywords"]
    told = [i for i in starts if front[i][1] == "keywords"] or starts
    if not told:
        return [line for line, label in front if label == "keywords"]
    found = [front[told[0]][0]]
    alone = len(found[0].text) <= _HEADING
    for line, label in front[told[0] + 1 : told[0] + 1 + _MOST]:
        if not _goes_on(found, line, label, alone=alone):
            break
        found.append(line)
    return found


def _goes_on(found: Sequence[Line], line: Line, label: str, *, alone: bool) -> bool:
    """Whether a line belongs to keywords so far; under a heading each may have its own line."""
    last = found[-1]
    text = found[1:] if alone else found
    if last.block != line.block or not 0 <= last.baseline - line.baseline < _LEADING * line.size:
        return False
    if beginning_of(line.text) or (text and abs(text[0].size - line.size) > 0.6):
        return False
    if alone:
        return not text or label == "keywords"
    widest = max(one.right for one in (*found, line)) - last.left
    return last.right - last.left > _SHORT * widest and not last.text.endswith(".")

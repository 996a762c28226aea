"""The lists of references: each is one stretch of lines, even where single labels are wrong.

Each line gets a score for being part of a list, and a list ends where the sum is largest. It begins
below a heading such as `References`; without a heading it is the stretch with the largest sum.

    line                    label       score   sum
    References              heading                     the list begins below
    1. Smith A. Wrappers.   reference    +1.5   1.5
    J. Webs, 2004.          body         +0.1   1.6     the same size of type
    2. Doe B. Pages. 2010.  reference    +1.5   3.1     the largest sum: the list ends here
    Appendix                heading      -2.5   0.6
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rowen.citations.counted import counted_lists
from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_LEAST = 1.0  # the least sum of scores of a list
_LATE = 0.5  # of a paper's lines: a heading after these needs no further evidence
_LIKE = 0.3  # points by which the sizes of lines of one list may differ
_LARGER = 2.0  # points: a line that is larger than the list by more is no reference
_FIRST = 4  # the first lines of a list, which show its size of type
_EDGE = 6  # lines at each end of a list without a heading, fewer of which may have another label
_DATES = 0.06  # of the lines of a list: so many have a year, or that the work has not appeared yet
_ENTRIES = 0.4  # of the lines of a list: so many may end as those of a table of contents do
_DATED = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|[\u0660-\u0669\u06f0-\u06f9]{4}|in press|forthcoming"
    r"|im Erscheinen|n\.\s?d\.|o\.\s?J\.|s\.\s?d\.|doi|https?:",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"(?:\.\s?){4,}\s*[\divxl]+\s*$|…+\s*\d+\s*$")
_SURE = 0.5  # of the lines before a table: fewer references are a part of another table
_BEHIND = frozenset({"caption", "end"})
_PASSED = frozenset({"furniture", "caption"})


def with_bibliography(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which lists of references are complete, and no other line is a reference."""
    lists = [
        (start, end) for start, end in _headed(lines, labels) or _without_heading(lines, labels)
        if _plausible(lines[start:end])
    ]  # fmt: skip
    settled = ["body" if label == "reference" else label for label in labels]
    for start, end in lists:
        size = _size(lines[start:end])
        for i in range(start, end):
            like = abs(lines[i].size - size) < 2 * _LIKE or (
                labels[i] == "reference" and lines[i].size < size + _LARGER
            )
            # Running heads and captions may interrupt a list.
            if like and labels[i] not in _PASSED:
                settled[i] = "reference"
        if start and beginning_of(lines[start - 1].text) == "references":
            settled[start - 1] = "reference heading"
    return settled


def _plausible(lines: Sequence[Line]) -> bool:
    """Whether lines may be references: works have years, and are no entries of a list of contents.

    Without this, tables of contents, forms and lists of names come out as references.
    """
    dated = sum(bool(_DATED.search(line.text)) for line in lines)
    entries = sum(bool(_ENTRY.search(line.text)) for line in lines)
    return dated >= _DATES * len(lines) and entries <= _ENTRIES * len(lines)


def _headed(lines: Sequence[Line], labels: Sequence[str]) -> list[tuple[int, int]]:
    """The lists below headings, as (first, end) indexes of lines."""
    headings = [
        i for i, line in enumerate(lines)
        if beginning_of(line.text) == "references" and labels[i] != "furniture"
    ]  # fmt: skip
    lists = []
    for start, bound in pairwise([*headings, len(lines)]):
        end = _end(lines, labels, start + 1, bound)
        own = [label for label in labels[start + 1 : end] if label not in _PASSED]
        likely = sum(label in {"reference", "after"} for label in own)
        if own and (likely > 0.3 * len(own) or start > _LATE * len(lines)):
            cut = _without_floats(lines, start + 1, end)
            found = labels[start + 1 : cut].count("reference")
            sure = found > _SURE * (cut - start - 1) or _plausible(lines[start + 1 : end])
            lists.append((start + 1, cut if sure else end))
    return lists


def _end(lines: Sequence[Line], labels: Sequence[str], start: int, bound: int) -> int:
    """The end of the list that begins at `start`: where the sum of the scores is largest."""
    size = _size(lines[start : start + _FIRST])
    best, total, end = _LEAST, 0.0, start
    other = False
    for i in range(start, bound):
        # The list may go on behind another part: at the end of a body, columns may be mixed up.
        unlike = abs(lines[i].size - size) > 2 * _LIKE
        other = unlike and (other or _opens_other(lines, labels, i, bound, size))
        total += -1.0 if other else _worth(lines[i], labels[i], size)
        if total >= best:
            best, end = total, i + 1
    return end


def _without_floats(lines: Sequence[Line], start: int, end: int) -> int:
    """The end of a list without the tables, figures and appendices that follow it in its type.

    Manuscripts have these behind the references. After a caption inside a list, its works go on.
    """
    for i in range(start + 1, end):
        if beginning_of(lines[i].text) in _BEHIND and not _plausible(lines[i:end]):
            return i
    return end


def _opens_other(
    lines: Sequence[Line], labels: Sequence[str], i: int, bound: int, size: float
) -> bool:
    """Whether a line is larger than those of the list, and those below it have another size, too.

    Then another part begins, whatever the labels say; running heads and captions are no part.
    """
    if lines[i].size <= size + 1 or labels[i] in _PASSED:
        return False
    below = [
        lines[k] for k in range(i + 1, min(i + 1 + _FIRST, bound))
        if labels[k] not in _PASSED and lines[k].block == lines[i].block
    ]  # fmt: skip
    return len(below) == _FIRST and all(abs(line.size - size) > 2 * _LIKE for line in below)


def _size(lines: Iterable[Line]) -> float:
    sizes = sorted(line.size for line in lines)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _worth(line: Line, label: str, size: float) -> float:
    """The score of a line for being part of a list whose type has this size."""
    if label in _PASSED:
        return 0.0
    if label != "reference" and (label == "heading" or beginning_of(line.text) == "end"):
        return -2.5
    like = 0.5 if abs(line.size - size) < _LIKE else -0.6
    return like + (1.0 if label == "reference" else -0.4)


def _without_heading(lines: Sequence[Line], labels: Sequence[str]) -> list[tuple[int, int]]:
    """The stretch of lines that the CRF calls references, or a numbered list that holds more."""
    unheaded = _unheaded(lines, labels)
    counted = counted_lists(lines, lambda text: bool(_DATED.search(text)))
    longer = sum(b - a for a, b in counted) > sum(b - a for a, b in unheaded)
    return counted if longer else unheaded


def _unheaded(lines: Sequence[Line], labels: Sequence[str]) -> list[tuple[int, int]]:
    """The stretch of lines with the largest sum: +1 for a reference, -1 for another line.

    Kadane's algorithm: a sum that fell to 0 or below can't help any stretch after it. A few lines
    before and after a list in smaller type than the body belong to it, if they have that type.
    """
    best, stretch = _LEAST, (0, 0)
    total, start = 0.0, 0
    for i, label in enumerate(labels):
        if total <= 0:
            total, start = 0.0, i
        total += 1.0 if label == "reference" else 0.0 if label in _PASSED else -1.0
        if total > best:
            best, stretch = total, (start, i + 1)
    if not stretch[1]:
        return []
    first, end = stretch
    size = _size(lines[first:end])
    if size < body_size(lines) - _LIKE:
        before = next(
            (k for k in range(_EDGE) if not _goes_on(lines, labels, first - 1 - k, size)), _EDGE
        )
        after = next((k for k in range(_EDGE) if not _goes_on(lines, labels, end + k, size)), _EDGE)
        # More lines of this type are another part, such as acknowledgements.
        first -= before if before < _EDGE else 0
        end += after if after < _EDGE else 0
    return [(first, end)]


def _goes_on(lines: Sequence[Line], labels: Sequence[str], i: int, size: float) -> bool:
    """Whether a line next to a list is part of it: it has the list's size and no other part."""
    if not 0 <= i < len(lines) or labels[i] not in {"reference", "body", "after"}:
        return False
    return abs(lines[i].size - size) < _LIKE and beginning_of(lines[i].text) != "end"

"""Where the lists of references are: labels of single lines waver, but a list is one stretch.

From a heading on, a list goes as far as labels and type speak for it. Without any heading it is
the stretch that has most of the lines taken for references, and few others.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rowen.scholar.layout import Line
from rowen.scholar.zones.words import beginning_of

_LEAST = 1.0  # what must speak for a list, in lines
_LATE = 0.5  # of a paper's lines: a heading behind them needs no more to be believed
_LIKE = 0.3  # points that the sizes of lines of one list may differ by
_FIRST = 4  # lines that tell the size of a list's type
_PASSED = frozenset({"furniture", "caption"})


def with_bibliography(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which lists of references are whole, and references are nowhere else."""
    lists = _headed(lines, labels) or _unheaded(labels)
    settled = ["body" if label == "reference" else label for label in labels]
    for start, end in lists:
        size = _size(lines[start:end])
        for i in range(start, end):
            like = labels[i] == "reference" or abs(lines[i].size - size) < 2 * _LIKE
            if like and labels[i] not in _PASSED:
                settled[i] = "reference"
        if start and beginning_of(lines[start - 1].text) == "references":
            settled[start - 1] = "reference heading"
    return settled


def _headed(lines: Sequence[Line], labels: Sequence[str]) -> list[tuple[int, int]]:
    """The lists that stand under a heading of their own."""
    headings = [
        i for i, line in enumerate(lines)
        if beginning_of(line.text) == "references" and labels[i] != "furniture"
    ]  # fmt: skip
    found = []
    for start, bound in pairwise([*headings, len(lines)]):
        end = _end(lines, labels, start + 1, bound)
        own = [label for label in labels[start + 1 : end] if label not in _PASSED]
        told = sum(label in {"reference", "after"} for label in own)
        if own and (told > 0.3 * len(own) or start > _LATE * len(lines)):
            found.append((start + 1, end))
    return found


def _end(lines: Sequence[Line], labels: Sequence[str], start: int, bound: int) -> int:
    """Where most speaks for a list that begins at a line."""
    size = _size(lines[start : start + _FIRST])
    best, total, end = _LEAST, 0.0, start
    for i in range(start, bound):
        total += _worth(lines[i], labels[i], size)
        if total >= best:
            best, end = total, i + 1
    return end


def _size(lines: Iterable[Line]) -> float:
    sizes = sorted(line.size for line in lines)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _worth(line: Line, label: str, size: float) -> float:
    if label in _PASSED:
        return 0.0
    if label != "reference" and (label == "heading" or beginning_of(line.text) == "end"):
        return -2.5
    like = 0.5 if abs(line.size - size) < _LIKE else -0.6
    return like + (1.0 if label == "reference" else -0.4)


def _unheaded(labels: Sequence[str]) -> list[tuple[int, int]]:
    """The stretch with most lines that were taken for references."""
    best, found = _LEAST, (0, 0)
    total, start = 0.0, 0
    for i, label in enumerate(labels):
        if total <= 0:
            total, start = 0.0, i
        total += 1.0 if label == "reference" else 0.0 if label in _PASSED else -1.0
        if total > best:
            best, found = total, (start, i + 1)
    return [found] if found[1] else []

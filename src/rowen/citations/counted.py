"""Numbered references without a heading, as in journals of physics: labels that count up.

The list may be at the foot of both columns, with body text between its two halves:

    We thank the technicians.          depends on random couplings.
    [1] A. Smith, Wrappers,            [3] C. Roe, Webs,
        J. Webs 3, 14 (2001).              J. Webs 4, 2 (2002).
    [2] B. Doe, Pages (2010).          [4] D. Low, Trees (2003).
"""

import re
from collections.abc import Callable, Sequence

from rowen.pdf import Line

_LABEL = re.compile(r"\s*\[\s?(\d{1,3})\s?\](?=\s?\S)")
_LEAST = 4  # references of a list, at least
_LIKE = 0.3  # points by which the sizes of a list's lines may differ
_ALIGNED = 12.0  # points by which the labels of a column may differ: `[9]` and `[10]`
_MOST_LINES = 12  # of a reference: longer ones are no references
_LEADING = 1.7  # of the size: a line further below belongs to something else
_DATED_SHARE = 0.6  # of the references have a year


def counted_lists(lines: Sequence[Line], dated: Callable[[str], bool]) -> list[tuple[int, int]]:
    """The parts of the longest list whose labels count up from 1, as (first, end) of lines."""
    labels = [
        (i, int(label.group(1))) for i, line in enumerate(lines)
        if (label := _LABEL.match(line.text))
    ]  # fmt: skip
    best: list[int] = []
    for k, (_, number) in enumerate(labels):
        if number == 1:
            own = _counting(lines, labels[k:])
            if len(own) > len(best):
                best = own
    if len(best) < _LEAST:
        return []
    parts = [(first, _end(lines, first, after)) for first, after in _pairs(best, len(lines))]
    years = sum(dated(" ".join(line.text for line in lines[a:b])) for a, b in parts)
    return _joined(parts) if years >= _DATED_SHARE * len(parts) else []


def _pairs(starts: Sequence[int], end: int) -> list[tuple[int, int]]:
    return list(zip(starts, [*starts[1:], end], strict=True))


def _counting(lines: Sequence[Line], labels: Sequence[tuple[int, int]]) -> list[int]:
    """The lines that count up from the first label, in its type and aligned in each column."""
    first = lines[labels[0][0]]
    own = [labels[0][0]]
    wanted = 2
    for i, number in labels[1:]:
        line, last = lines[i], lines[own[-1]]
        if number != wanted or abs(line.size - first.size) > _LIKE:
            continue
        if line.block == last.block and abs(line.left - last.left) > _ALIGNED:
            continue
        own.append(i)
        wanted += 1
    return own


def _end(lines: Sequence[Line], first: int, after: int) -> int:
    """The end of a reference: lines that follow closely in its type, also in the next column."""
    label = lines[first]
    end = first + 1
    while end < min(after, first + _MOST_LINES):
        above, line = lines[end - 1], lines[end]
        near = 0 < above.baseline - line.baseline < _LEADING * label.size
        beside = line.block == above.block and near
        if abs(line.size - label.size) > _LIKE or not (beside or end + 1 == after):
            break
        end += 1
    # The last line before the next label may be at the top of the next column.
    return end


def _joined(parts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """References that follow each other as one part."""
    joined: list[tuple[int, int]] = []
    for first, end in parts:
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return joined

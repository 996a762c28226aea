"""Stretches: consecutive lines of one block, close together and of one size, such as a title.

    On the origin      size 18                    stretch 0, lines 0 and 1
    of long titles     size 18, close below
    Ada Lovelace       size 12                    stretch 1
    We study titles.   size 12, far below         stretch 2

They are features of the CRF, and the candidates for the title.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

import numpy as np

from rowen.pdf import Line

_LEADING = 1.75  # of the size: lines further apart belong to two stretches
_ALIKE = 0.6  # points: sizes that differ by less count as equal
_SET = attrgetter("block", "size", "baseline")


@dataclass(frozen=True, slots=True)
class Stretch:
    """The lines `first` to `end` of a paper, their median size and their number of letters."""

    first: int
    end: int
    page: int
    size: float
    letters: int

    @property
    def long(self) -> bool:
        """Whether this may be running text: more than three lines, more than 30 letters each."""
        return self.end - self.first > 3 and self.letters > 30 * (self.end - self.first)


def stretches_of(lines: Sequence[Line]) -> list[Stretch]:
    """The stretches of a paper's lines, in order; each line is in exactly one."""
    if not lines:
        return []
    # Arrays, not a loop: a paper has about a thousand lines.
    block, size, baseline = np.array(list(map(_SET, lines))).T
    fall = baseline[:-1] - baseline[1:]
    goes_on = (
        (block[1:] == block[:-1])
        & (np.abs(size[:-1] - size[1:]) < _ALIKE)
        & (fall >= 0)
        & (fall < _LEADING * np.maximum(size[:-1], size[1:]))
    )
    starts = (np.flatnonzero(~goes_on) + 1).tolist()
    return list(_cut(lines, [0, *starts, len(lines)]))


def _cut(lines: Sequence[Line], places: Sequence[int]) -> Iterator[Stretch]:
    for first, end in pairwise(places):
        own = lines[first:end]
        sizes = sorted(line.size for line in own)
        yield Stretch(
            first, end, own[0].page, sizes[len(sizes) // 2], sum(len(line.text) for line in own)
        )

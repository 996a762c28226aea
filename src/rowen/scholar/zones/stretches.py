"""Stretches: lines that follow each other closely in one size of type, as those of a title."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.scholar.layout import Line

_LEADING = 1.75  # of the size: lines that are further apart belong to two stretches


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some lines of a paper, from an index up to another."""

    first: int
    end: int
    page: int
    size: float
    letters: int

    @property
    def long(self) -> bool:
        """Whether this may be running text."""
        return self.end - self.first > 3 and self.letters > 30 * (self.end - self.first)


def stretches_of(lines: Sequence[Line]) -> list[Stretch]:
    """The stretches that lines make up, in their order."""
    starts = [
        i for i, (before, line) in enumerate(pairwise(lines), 1) if not _goes_on(before, line)
    ]
    return list(_cut(lines, [0, *starts, len(lines)])) if lines else []


def _cut(lines: Sequence[Line], places: Sequence[int]) -> Iterator[Stretch]:
    for first, end in pairwise(places):
        own = lines[first:end]
        sizes = sorted(line.size for line in own)
        yield Stretch(
            first, end, own[0].page, sizes[len(sizes) // 2], sum(len(line.text) for line in own)
        )


def _goes_on(before: Line, line: Line) -> bool:
    size = max(before.size, line.size)
    return (
        before.block == line.block
        and abs(before.size - line.size) < 0.6
        and 0 <= before.baseline - line.baseline < _LEADING * size
    )

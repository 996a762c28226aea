"""What each line of a paper is part of: title, authors, abstract, body, references and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.scholar.layout import Layout, Line
from rowen.scholar.tagging import Model, shipped
from rowen.scholar.zones.columns import columns_of


@dataclass(frozen=True, slots=True)
class Zones:
    """The lines of a paper with their labels."""

    labelled: list[tuple[Line, str]]

    def __getitem__(self, label: str) -> list[Line]:
        return [line for line, own in self.labelled if own == label]

    @property
    def title(self) -> list[Line]:
        """The stretch of title lines that is set largest, with neighbours of the same type.

        Others are mentions. Where no line was taken for a title, it is what is set largest on the
        first page, if that is not a single word.
        """
        runs = self._runs("title", pages=2, apart=1)
        if runs:
            return self._whole(max(runs, key=lambda run: max(line.size for line in run)))
        first = [line for line, label in self.labelled if line.page == 0 and label in _FRONT]
        largest = max((line.size for line in first), default=0.0)
        lines = [line for line in first if line.size > largest - 0.3]
        return self._whole(lines[:1]) if sum(len(line.text.split()) for line in lines) > 1 else []

    def _whole(self, run: list[Line]) -> list[Line]:
        """A run with the lines before and after it that are set alike, in its block."""
        lines = [line for line, _ in self.labelled]
        start, end = lines.index(run[0]), lines.index(run[-1])
        while start > 0 and _alike(lines[start - 1], lines[start]):
            start -= 1
        while end + 1 < len(lines) and _alike(lines[end + 1], lines[end]):
            end += 1
        return lines[start : end + 1]

    @property
    def abstract(self) -> list[Line]:
        """The longest stretch of the abstract's lines."""
        runs = self._runs("abstract", pages=2, apart=4)
        return max(runs, key=lambda run: sum(len(line.text) for line in run)) if runs else []

    def _runs(self, label: str, *, pages: int, apart: int) -> list[list[Line]]:
        """Stretches of a label's lines on the first pages; a few others may stand between."""
        runs: list[list[Line]] = []
        last = -apart - 2
        for i, (line, own) in enumerate(self.labelled):
            if own == label and line.page < pages:
                if i - last > apart + 1:
                    runs.append([])
                runs[-1].append(line)
                last = i
        return runs


_FRONT = frozenset({"title", "header", "heading", "body", "author"})


def _alike(one: Line, other: Line) -> bool:
    """Whether two lines are set in one type and follow each other closely."""
    close = abs(one.baseline - other.baseline) < 1.8 * max(one.size, other.size)
    same = one.font == other.font and abs(one.size - other.size) < 0.3
    return same and close and one.block == other.block


def zones_of(layout: Layout, *, model: Model | None = None) -> Zones:
    """The lines of a paper, labelled."""
    labels: Sequence[str] = (model or shipped("zones")).label(columns_of(layout))
    return Zones(list(zip(layout.lines, labels, strict=True)))

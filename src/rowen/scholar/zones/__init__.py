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
        """The stretch of title lines that is set largest, others are mentions."""
        runs = self._runs("title", pages=2, apart=1)
        return max(runs, key=lambda run: max(line.size for line in run)) if runs else []

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


def zones_of(layout: Layout, *, model: Model | None = None) -> Zones:
    """The lines of a paper, labelled."""
    labels: Sequence[str] = (model or shipped("zones")).label(columns_of(layout))
    return Zones(list(zip(layout.lines, labels, strict=True)))

"""What each line of a paper is part of: title, authors, abstract, body, references and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.scholar.layout import Layout, Line
from rowen.scholar.tagging import Model, shipped
from rowen.scholar.zones.abstract import abstract_lines
from rowen.scholar.zones.bibliography import with_bibliography
from rowen.scholar.zones.columns import columns_of
from rowen.scholar.zones.headings import without_plain_headings
from rowen.scholar.zones.title import title_lines


@dataclass(frozen=True, slots=True)
class Zones:
    """The lines of a paper with their labels."""

    labelled: list[tuple[Line, str]]

    def __getitem__(self, label: str) -> list[Line]:
        return [line for line, own in self.labelled if own == label]

    @property
    def title(self) -> list[Line]:
        """The title's lines."""
        return title_lines(self.labelled)

    @property
    def abstract(self) -> list[Line]:
        """The abstract's lines, without a heading that is a line of its own."""
        return abstract_lines(self.labelled)


def zones_of(layout: Layout, *, model: Model | None = None) -> Zones:
    """The lines of a paper, labelled."""
    labels: Sequence[str] = (model or shipped("zones")).label(columns_of(layout))
    settled = without_plain_headings(layout.lines, with_bibliography(layout.lines, labels))
    return Zones(list(zip(layout.lines, settled, strict=True)))

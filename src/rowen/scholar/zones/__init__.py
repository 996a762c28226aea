"""What each line of a paper is part of: title, authors, abstract, body, references and so on."""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.scholar.layout import Layout, Line
from rowen.scholar.tagging import Model, shipped
from rowen.scholar.zones.abstract import abstract_lines
from rowen.scholar.zones.bibliography import with_bibliography
from rowen.scholar.zones.columns import WordRows, columns_of, word_rows
from rowen.scholar.zones.footnotes import with_footnotes
from rowen.scholar.zones.headings import without_plain_headings
from rowen.scholar.zones.keywords import keyword_lines
from rowen.scholar.zones.title import title_lines
from rowen.scholar.zones.words import beginning_of


@dataclass(frozen=True, slots=True)
class Zones:
    """The lines of a paper with their labels."""

    labelled: list[tuple[Line, str]]

    def __getitem__(self, label: str) -> list[Line]:
        return [line for line, own in self.labelled if own == label]


def zones_of(layout: Layout, *, model: Model | None = None, words: WordRows = word_rows) -> Zones:
    """The lines of a paper, labelled."""
    labels: Sequence[str] = (model or shipped("zones")).label(columns_of(layout, words=words))
    return Zones(list(zip(layout.lines, settled(layout.lines, labels), strict=True)))


def settled(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which parts are whole: single lines waver, but a title or a list is one stretch."""
    found = without_plain_headings(lines, with_bibliography(lines, labels))
    for label, other, part in (
        ("title", "header", title_lines),
        ("abstract", "body", abstract_lines),
        ("keywords", "header", keyword_lines),
    ):
        own = {id(line) for line in part(list(zip(lines, found, strict=True)))}
        found = [
            label if id(line) in own else other if now == label else now
            for line, now in zip(lines, found, strict=True)
        ]
    return with_footnotes(lines, _with_heading_of_abstract(lines, found))


def _with_heading_of_abstract(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    found = list(labels)
    if "abstract" in found:
        before = found.index("abstract") - 1
        if before >= 0 and beginning_of(lines[before].text) == "abstract":
            found[before] = "abstract heading"
    return found

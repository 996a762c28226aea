"""A paper's body as blocks in order: paragraphs and items, with the elements that stand among them.

A formula in the middle of a paragraph cuts it in two; figures and tables come after a paragraph.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from rowen.citations.markers import Marker
from rowen.elements.element import Box, Figure, Footnote, Formula, PaperTable, Paragraph
from rowen.papers.body import Section
from rowen.papers.paper import Paper

Element: TypeAlias = Figure | PaperTable | Formula


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of a section's text; `begins` is false for what follows a formula."""

    start: int
    end: int
    is_item: bool
    begins: bool
    boxes: tuple[Box, ...]


Block: TypeAlias = Words | Element


class Blocks:
    """The blocks of each section of a paper."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._elements: defaultdict[int, list[Element]] = defaultdict(list)
        self._notes: defaultdict[int, list[Footnote]] = defaultdict(list)
        elements: list[Element] = [*paper.formulas, *paper.figures, *paper.tables]
        for element in elements:
            self._elements[_known(element.section, paper)].append(element)
        for note in paper.footnotes:
            self._notes[_known(note.section, paper)].append(note)

    def of(self, number: int) -> Iterator[Block]:
        """The blocks of a section, by its number."""
        section = self._paper.body[number]
        pending = sorted(self._elements[number], key=lambda element: element.at or 0)
        for paragraph in section.paragraphs or _whole(section):
            start = paragraph.start
            item = paragraph.kind == "item"
            while pending and (pending[0].at or 0) < paragraph.end:
                element = pending.pop(0)
                at = max(start, element.at or 0)
                if section.text[start:at].strip():
                    begins = start == paragraph.start
                    yield Words(start, at, item, begins, paragraph.boxes)
                start = at
                yield element
            if section.text[start : paragraph.end].strip():
                begins = start == paragraph.start
                yield Words(start, paragraph.end, item, begins, paragraph.boxes)
        yield from pending

    def notes(self, number: int) -> list[Footnote]:
        """The footnotes whose marks are in a section."""
        return self._notes[number]

    def elsewhere(self) -> list[Element]:
        """The elements that belong to no section."""
        return self._elements[-1]


def _known(section: int | None, paper: Paper) -> int:
    return -1 if section is None or section >= len(paper.body) else section


def _whole(section: Section) -> tuple[Paragraph, ...]:
    return (Paragraph(0, len(section.text)),) if section.text else ()


def pieces(
    section: Section, words: Words, notes: list[Footnote]
) -> Iterator[tuple[str, Marker | Footnote | None]]:
    """The text of a stretch in pieces: each with the marker or footnote mark that it is."""
    marks: list[tuple[int, int, Marker | Footnote]] = [
        (marker.start, marker.end, marker) for marker in section.markers
    ]
    marks += [(*note.span, note) for note in notes if note.span is not None]
    at = words.start
    for start, end, mark in sorted(marks, key=lambda mark: mark[:2]):
        if start < at or end > words.end or start >= end:
            continue
        if at < start:
            yield section.text[at:start], None
        yield section.text[start:end], mark
        at = end
    if at < words.end:
        yield section.text[at : words.end], None

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
from rowen.text.sentences import sentences_of

Element: TypeAlias = Figure | PaperTable | Formula


@dataclass(frozen=True, slots=True)
class Words:
    """A stretch of a section's text; `begins` is false for what follows a formula."""

    start: int
    end: int
    is_item: bool
    begins: bool
    boxes: tuple[Box, ...]
    """Those of the paragraph's lines; of a part of them where it is a part of a paragraph."""


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
            while pending and (pending[0].at or 0) < paragraph.end:
                element = pending.pop(0)
                at = max(start, element.at or 0)
                if section.text[start:at].strip():
                    yield _stretch(paragraph, start, at)
                start = at
                yield element
            if section.text[start : paragraph.end].strip():
                yield _stretch(paragraph, start, paragraph.end)
        yield from pending

    def sentences(self, number: int, words: Words) -> Iterator[Words]:
        """The sentences of a stretch of a section; no marker and no footnote mark is divided."""
        section = self._paper.body[number]
        marks = [(marker.start, marker.end) for marker in section.markers]
        marks += [note.span for note in self._notes[number] if note.span is not None]
        inside = [
            (start - words.start, end - words.start)
            for start, end in marks
            if words.start <= start and end <= words.end
        ]
        whole = Paragraph(words.start, words.end, boxes=words.boxes)
        for start, end in sentences_of(section.text[words.start : words.end], inside):
            yield _stretch(whole, words.start + start, words.start + end)

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


def _stretch(paragraph: Paragraph, start: int, end: int) -> Words:
    """A part of a paragraph.

    Which letters are on which line is not known here: the boxes are cut as if all letters had one
    width, which is right to about three letters.
    """
    boxes = paragraph.boxes
    length = paragraph.end - paragraph.start
    is_item = paragraph.kind == "item"
    begins = start == paragraph.start
    if (begins and end == paragraph.end) or length <= 0:
        return Words(start, end, is_item, begins, boxes)
    width = sum(right - left for _, left, _, right, _ in boxes)
    first = (start - paragraph.start) / length * width
    last = (end - paragraph.start) / length * width
    cut: list[Box] = []
    for page, left, bottom, right, top in boxes:
        begin, finish = max(left, left + first), min(right, left + last)
        if begin < finish:
            cut.append((page, round(begin, 1), bottom, round(finish, 1), top))
        first -= right - left
        last -= right - left
    return Words(start, end, is_item, begins, tuple(cut))


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

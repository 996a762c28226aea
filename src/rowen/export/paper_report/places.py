"""Where the parts of a paper are on its pages: the kind of each line, marks in it, and areas."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rowen.elements.element import Box, around
from rowen.papers.paper import Reading
from rowen.pdf import Line

FIELDS = {
    "author": "author", "editor": "author", "title": "title", "container": "container",
    "series": "container", "date": "date", "volume": "numbers", "issue": "numbers",
    "pages": "numbers", "edition": "numbers", "publisher": "publisher", "location": "publisher",
    "institution": "publisher", "doi": "link", "id": "link", "url": "link",
}  # fmt: skip
"""The kind that each field of a reference is shown as."""

_LABELS = {
    "author": "author", "affiliation": "affiliation", "keywords": "keywords", "heading": "heading",
    "reference": "reference", "caption": "caption", "furniture": "furniture", "table": "table",
    "figure": "figure", "formula": "formula", "footnote": "footnote",
}  # fmt: skip

_TOOLTIP = 400  # characters of a reference
_BESIDE = 12.0  # points: boxes of one column are less far apart


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a line: its kind, its anchor, the anchor that it links to, and its tooltip."""

    start: int
    end: int
    kind: str
    anchor: str = ""
    goal: str = ""
    tooltip: str = ""


class Area(NamedTuple):
    """A part of a page that is one thing: a paragraph, a figure, the cells of a table."""

    kind: str
    anchor: str
    box: Box


class Places:
    """Kind, anchor and marks of each line of a paper; anchors begin with the paper's own prefix."""

    def __init__(self, reading: Reading, prefix: str) -> None:
        self._reading = reading
        self._prefix = prefix
        self._kinds: dict[int, str] = {}
        self._anchors: dict[int, str] = {}
        self._marks: defaultdict[int, list[Mark]] = defaultdict(list)
        self._areas: defaultdict[int, list[Area]] = defaultdict(list)
        self.anchored: set[str] = set()
        """The anchors that are on some line."""
        self.cited: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        """For each reference the anchors of its markers, and their pages."""
        for line, label in reading.zones.labelled:
            if label in _LABELS:
                self._kinds[id(line)] = _LABELS[label]
        self._place_header()
        self._place_sections()
        self._place_references()
        self._place_elements()

    def kind(self, line: Line) -> str:
        """The kind of a line; empty for plain text."""
        return self._kinds.get(id(line), "")

    def anchor(self, line: Line) -> str:
        """The anchor of the part that begins with a line, if there is one."""
        return self._anchors.get(id(line), "")

    def marks(self, line: Line) -> list[Mark]:
        """The marks of a line from left to right; of two that overlap, the first stays."""
        marks: list[Mark] = []
        for mark in sorted(self._marks[id(line)], key=lambda mark: (mark.start, -mark.end)):
            if not marks or mark.start >= marks[-1].end:
                marks.append(mark)
        return marks

    def areas(self, page: int) -> Sequence[Area]:
        """The areas of a page, whose number counts from 0."""
        return self._areas[page]

    def _place_header(self) -> None:
        zones, paper = self._reading.zones, self._reading.paper
        first = [line for line in self._reading.layout.lines if line.page < 2]
        for kind, lines in (("title", zones["title"]), ("abstract", zones["abstract"])):
            self._name_lines(lines, kind)
            for line in lines:
                self._kinds[id(line)] = kind
        self._name_lines(zones["keywords"], "keywords")
        for i, author in enumerate(paper.authors):
            self._find(zones["author"], author.family, "person", f"author{i}")
            if author.email:
                self._find(first, author.email, "fact", f"email{i}")
        for value, name in ((paper.doi, "doi"), (paper.date, "date")):
            if value:
                self._find(first, value, "fact", name)
        for name, value in paper.ids.items():
            self._find(first, value, "fact", f"id-{name}")

    def _place_sections(self) -> None:
        headings = iter(self._reading.zones["heading"])
        count = 0
        for i, (section, passage) in enumerate(
            zip(self._reading.paper.body, self._reading.sections, strict=True)
        ):
            if section.heading is not None:
                self._name_heading(headings, section.heading, f"section{i}")
            for marker in section.markers:
                anchor = self._prefix + f"marker{count}"
                count += 1
                goal = f"{self._prefix}cited{marker.citations[0]}" if marker.citations else ""
                kind = "marker" if marker.citations else "loose"
                tooltip = self._tooltip(marker.citations)
                pieces = list(passage.places(marker.start, marker.end))
                for k, (line, start, end) in enumerate(pieces):
                    name = "" if k else anchor
                    self._marks[id(line)].append(Mark(start, end, kind, name, goal, tooltip))
                for citation in marker.citations if pieces else ():
                    self.cited[citation].append((anchor, pieces[0][0].page + 1))

    def _tooltip(self, citations: Sequence[int]) -> str:
        if not citations:
            return "no reference found"
        listed = self._reading.paper.citations
        return "\n".join(listed[citation].raw[:_TOOLTIP] for citation in citations[:5])

    def _place_references(self) -> None:
        for i, (citation, passage) in enumerate(
            zip(self._reading.paper.citations, self._reading.references, strict=True)
        ):
            self._name_lines(passage.lines, f"reference{i}")
            goal = f"{self._prefix}cited{i}"
            for name, spans in citation.spans.items():
                if name not in FIELDS:
                    continue
                for span in spans:
                    for line, start, end in passage.places(*span):
                        mark = Mark(start, end, FIELDS[name], goal=goal, tooltip=name)
                        self._marks[id(line)].append(mark)

    def _place_elements(self) -> None:
        """The areas of paragraphs, figures, tables, formulas and footnotes."""
        paper = self._reading.paper
        for i, section in enumerate(paper.body):
            for k, paragraph in enumerate(section.paragraphs):
                self._name_area("paragraph", f"paragraph{i}-{k}", paragraph.boxes)
        for i, figure in enumerate(paper.figures):
            self._name_area("figure", f"figure{i}", _alone(figure.graphic) or figure.boxes)
        for i, table in enumerate(paper.tables):
            self._name_area("table", f"table{i}", _alone(table.area) or table.boxes)
        for i, formula in enumerate(paper.formulas):
            self._name_area("formula", f"formula{i}", formula.boxes)
        for i, note in enumerate(paper.footnotes):
            self._name_area("footnote", f"footnote{i}", note.boxes)
            if note.section is not None and note.span is not None:
                self._mark_note(i, note.section, note.span)

    def _mark_note(self, number: int, section: int, span: tuple[int, int]) -> None:
        goal = f"{self._prefix}footnote{number}"
        for line, start, end in self._reading.sections[section].places(*span):
            self._marks[id(line)].append(Mark(start, end, "note", goal=goal, tooltip="footnote"))

    def _name_area(self, kind: str, name: str, boxes: Sequence[Box]) -> None:
        """The areas of one thing, one per column; its anchor is on the first."""
        anchor = self._prefix + name
        for box in _by_columns(boxes):
            self._areas[box[0] - 1].append(Area(kind, anchor, box))
            self.anchored.add(anchor)
            anchor = ""

    def _name_lines(self, lines: Sequence[Line], name: str) -> None:
        """Put an anchor on the first of some lines; a line keeps its first anchor."""
        anchor = self._prefix + name
        if lines and self._anchors.setdefault(id(lines[0]), anchor) == anchor:
            self.anchored.add(anchor)

    def _name_heading(self, headings: Iterable[Line], text: str, name: str) -> None:
        """Put an anchor on the next heading line that the text begins with."""
        for line in headings:
            if text.startswith(line.text):
                self._name_lines([line], name)
                return

    def _find(self, lines: Sequence[Line], value: str, kind: str, name: str) -> None:
        """Mark the first occurrence of a value that has no mark yet: authors may share a name."""
        for line in lines:
            # Folding may lengthen a text (ß is ss); then its offsets are not those of the line.
            if len(line.text.casefold()) != len(line.text):
                continue
            for match in re.finditer(re.escape(value.casefold()), line.text.casefold()):
                start, end = match.span()
                marks = self._marks[id(line)]
                if start < end and all(
                    end <= placed.start or start >= placed.end for placed in marks
                ):
                    anchor, goal = self._prefix + name, f"{self._prefix}field-{name}"
                    tooltip = name.rstrip("0123456789").removeprefix("id-")
                    marks.append(Mark(start, end, kind, anchor, goal, tooltip))
                    self.anchored.add(anchor)
                    return


def _alone(box: Box | None) -> tuple[Box, ...]:
    return () if box is None else (box,)


def _by_columns(boxes: Sequence[Box]) -> Iterable[Box]:
    """One box around those of lines that follow each other in one column of one page."""
    column = 0
    keyed: list[tuple[int, Box]] = []
    for box in boxes:
        if keyed and not _continues(keyed[-1][1], box):
            column += 1
        keyed.append((column, box))
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        own = [box for _, box in group]
        yield around(own[0][0] - 1, [box[1:] for box in own])


def _continues(before: Box, box: Box) -> bool:
    beside = box[1] < before[3] + _BESIDE and box[3] > before[1] - _BESIDE
    return box[0] == before[0] and beside and box[2] < before[4]

"""The elements of a body beside its text: paragraphs, figures, tables, formulas, footnotes.

Each has its place on the pages, and most have an anchor: the section that they belong to, and the
place in its text that they stand at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.pdf import Line

Box: TypeAlias = tuple[int, float, float, float, float]
"""The page, from 1, and left, bottom, right and top in points; y grows upwards."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or an item of a list: a span of its section's text.

    >>> Paragraph(0, 12, kind="item").to_dict()
    {'span': [0, 12], 'kind': 'item'}
    """

    start: int
    end: int
    kind: str = "text"
    """`text`, or `item` for an item of a list."""
    page: int | None = None
    boxes: tuple[Box, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The paragraph as a dict for JSON; `page` and `boxes` only where there is a layout."""
        return {"span": [self.start, self.end], "kind": self.kind, **place(self.page, self.boxes)}


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure, or a scheme, an algorithm, a listing: label, caption and place.

    >>> Figure("Figure 1", "The data flow.").to_dict()["label"]
    'Figure 1'
    """

    label: str | None
    caption: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    """Of the lines of the caption."""
    graphic: Box | None = None
    """Around what is drawn; None where nothing was found."""
    section: int | None = None
    """The index, from 0, of the section that the figure is in."""
    at: int | None = None
    """Where it stands in the text of that section."""

    def to_dict(self) -> dict[str, Any]:
        """The figure as a dict for JSON."""
        graphic = {} if self.graphic is None else {"graphic": list(self.graphic)}
        return {
            "label": self.label,
            "caption": self.caption,
            **place(self.page, self.boxes),
            **graphic,
            **anchor(self.section, self.at),
        }


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table: label, caption, place, and the texts of its cells where they were found.

    >>> PaperTable("Table 1", "Speeds.", cells=(("a", "b"), ("1", "2"))).to_dict()["cells"]
    [['a', 'b'], ['1', '2']]
    """

    label: str | None
    caption: str
    cells: tuple[tuple[str, ...], ...] = ()
    """Rows of equal length; an empty text stands for an empty cell. The first rows are the head."""
    head: int = 0
    """How many rows are the head."""
    notes: str | None = None
    """What is printed below the table."""
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    """Of the lines of the caption."""
    area: Box | None = None
    """Around the cells; None where they were not found."""
    section: int | None = None
    at: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The table as a dict for JSON; `cells` only where they were found."""
        cells = {"cells": [list(row) for row in self.cells], "head": self.head}
        area = {} if self.area is None else {"area": list(self.area)}
        return {
            "label": self.label,
            "caption": self.caption,
            **(cells if self.cells else {}),
            "notes": self.notes,
            **place(self.page, self.boxes),
            **area,
            **anchor(self.section, self.at),
        }


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula on lines of its own, as the text layer has it, and the number that it is cited by.

    >>> Formula("(1)", "a = b").to_dict()
    {'label': '(1)', 'text': 'a = b'}
    """

    label: str | None
    text: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    section: int | None = None
    at: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The formula as a dict for JSON."""
        return {
            "label": self.label,
            "text": self.text,
            **place(self.page, self.boxes),
            **anchor(self.section, self.at),
        }


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote, and the span of a section's text that has its mark.

    >>> Footnote("2", "By hand.", section=0, span=(10, 11)).to_dict()
    {'mark': '2', 'text': 'By hand.', 'section': 0, 'span': [10, 11]}
    """

    mark: str | None
    text: str
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    section: int | None = None
    """The section whose text has the mark; None where it was not found."""
    span: tuple[int, int] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The footnote as a dict for JSON; `section` and `span` only where the mark was found."""
        tied = {} if self.span is None else {"section": self.section, "span": list(self.span)}
        return {"mark": self.mark, "text": self.text, **place(self.page, self.boxes), **tied}


def place(page: int | None, boxes: Iterable[Box]) -> dict[str, Any]:
    """Page and boxes for JSON; nothing where there is no layout."""
    return {} if page is None else {"page": page, "boxes": [list(box) for box in boxes]}


def anchor(section: int | None, at: int | None) -> dict[str, Any]:
    """Section and place for JSON; nothing where they are unknown."""
    return {} if section is None else {"section": section, "at": at}


def box_of(line: Line, start: int = 0, end: int | None = None) -> Box:
    """The box of a line, or of a part of its text."""
    whole = start == 0 and end is None
    edges = line.box if whole else line.box_of(start, len(line.text) if end is None else end)
    left, bottom, right, top = (round(edge, 1) for edge in edges)
    return line.page + 1, left, bottom, right, top


def places_of(lines: Sequence[Line]) -> dict[str, Any]:
    """Page and boxes of lines, as arguments of an element."""
    return {"page": lines[0].page + 1, "boxes": tuple(map(box_of, lines))} if lines else {}


def around(page: int, boxes: Iterable[tuple[float, float, float, float]]) -> Box:
    """The box around others on one page, whose number counts from 0."""
    left, bottom, right, top = zip(*boxes, strict=True)
    edges = (min(left), min(bottom), max(right), max(top))
    first, second, third, fourth = (round(edge, 1) for edge in edges)
    return page + 1, first, second, third, fourth

"""Figures, tables and formulas among the labelled lines of a paper.

Lines that the CRF took for the body are often cells of tables, words in drawings, or formulas. This
step gives them labels of their own (`table`, `figure`, `formula`), so that the text of sections is
running text only:

    line                  before    after
    Table 1: Speeds       body      caption
    anchor 100 1.2        body      table
    Speeds are high.      body      body
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rowen.elements.captions import Caption, captions_of
from rowen.elements.cells import grid_of
from rowen.elements.columns import Columns
from rowen.elements.drawings import Drawing, drawing_of
from rowen.elements.element import (
    Box,
    Figure,
    Formula,
    PaperTable,
    around,
    places_of,
)
from rowen.elements.figures import FigureFinder
from rowen.elements.formulas import (
    formula_lines,
    is_number,
    number_of,
    without_number,
)
from rowen.elements.prose import is_prose
from rowen.elements.tables import TableFinder
from rowen.papers.zones import Zones
from rowen.papers.zones.features import body_size
from rowen.pdf import Layout, Line
from rowen.pdf.passages import Passage, joined

_COLUMN = 200.0  # points: an orphan line of a caption that is wider may be running text
_NO_SHAPES = b""

Anchored = TypeVar("Anchored", Figure, PaperTable, Formula)


@dataclass(slots=True)
class Arrangement:
    """The labels of lines with those of tables, figures and formulas, and these elements."""

    zones: Zones
    columns: Columns
    figures: list[tuple[int, Figure]] = field(default_factory=list)
    """Each with the index of its first line."""
    tables: list[tuple[int, PaperTable]] = field(default_factory=list)
    formulas: list[tuple[int, Formula]] = field(default_factory=list)


def arranged(layout: Layout, zones: Zones) -> Arrangement:
    """Find the captions, tables, figures and formulas of a paper."""
    lines = [line for line, _ in zones.labelled]
    labels = [label for _, label in zones.labelled]
    size = body_size([line for line, label in zones.labelled if label == "body"])
    captions = captions_of(lines, labels, size)
    work = _Work(layout, lines, labels, size, captions)
    work.name_captions()
    if layout.placed:
        work.place_elements()
    columns = Columns(lines, labels)
    formulas = work.name_formulas(columns) if layout.placed else []
    arrangement = Zones(list(zip(lines, labels, strict=True)))
    return Arrangement(arrangement, columns, work.figures, work.tables, formulas)


def anchored(
    elements: Sequence[tuple[int, Anchored]],
    lines: Sequence[Line],
    passages: Sequence[Passage],
    ends: Sequence[Sequence[int]],
) -> tuple[Anchored, ...]:
    """Elements tied to the text: after the last line of a section that comes before them.

    `ends` are the ends of the paragraphs of each section: a figure or table may be printed in the
    middle of a paragraph, but stands after it.
    """
    places: dict[int, tuple[int, int]] = {}
    for section, passage in enumerate(passages):
        for line, (_, end) in zip(passage.lines, passage.parts, strict=True):
            places[id(line)] = section, end
    tied: list[Anchored] = []
    last: tuple[int, int] | None = None
    at = 0
    for index, element in sorted(elements, key=lambda pair: pair[0]):
        while at < index:
            last = places.get(id(lines[at]), last)
            at += 1
        if last is None:
            tied.append(element)
            continue
        section, end = last
        if not isinstance(element, Formula):
            end = next((stop for stop in ends[section] if stop >= end), end)
        tied.append(replace(element, section=section, at=end))
    return tuple(tied)


class _Work:
    """The labels of a paper while they are changed."""

    def __init__(
        self,
        layout: Layout,
        lines: Sequence[Line],
        labels: list[str],
        size: float,
        captions: Sequence[Caption],
    ) -> None:
        self._layout = layout
        self._lines = lines
        self._labels = labels
        self._size = size
        self._captions = captions
        self.figures: list[tuple[int, Figure]] = []
        self.tables: list[tuple[int, PaperTable]] = []

    def name_captions(self) -> None:
        """Label the lines of captions, and give lines that only looked like one to the body."""
        own = {i for caption in self._captions for i in caption.indexes}
        for i, label in enumerate(self._labels):
            if i in own:
                self._labels[i] = "caption"
            elif label == "caption" and is_prose(self._lines[i], self._size, _COLUMN):
                self._labels[i] = "body"
        if not self._layout.placed:
            for caption in self._captions:
                element = (PaperTable if caption.is_table else Figure)(caption.label, caption.text)
                self._add(caption, element)

    def place_elements(self) -> None:
        """Find the tables and figures of each page that has captions."""
        pages: defaultdict[int, list[Caption]] = defaultdict(list)
        for caption in self._captions:
            pages[self._lines[caption.indexes[0]].page].append(caption)
        indexes: defaultdict[int, list[int]] = defaultdict(list)
        for i, line in enumerate(self._lines):
            if line.page in pages:
                indexes[line.page].append(i)
        for page, captions in pages.items():
            shapes = self._layout.shapes[page] if page < len(self._layout.shapes) else _NO_SHAPES
            drawing = drawing_of(shapes, *self._layout.pages[page])
            self._place_tables(page, captions, indexes[page], drawing)
            self._place_figures(page, captions, indexes[page], drawing)

    def _place_tables(
        self, page: int, captions: Sequence[Caption], indexes: Sequence[int], drawing: Drawing
    ) -> None:
        finder = TableFinder(self._lines, self._labels, indexes, drawing, self._size)
        taken = {i for caption in captions for i in caption.indexes}
        for caption in captions:
            if not caption.is_table:
                continue
            area = finder.area(caption, frozenset(taken))
            table = PaperTable(caption.label, caption.text, **self._places(caption))
            if area is not None:
                grid = grid_of(area, self._lines)
                cells, head = ((), 0) if grid is None else (grid.cells, grid.head)
                notes = joined([self._lines[i] for i in area.notes]) or None
                box = around(page, [area.edges])
                table = replace(table, cells=cells, head=head, notes=notes, area=box)
                taken.update(area.indexes, area.notes)
                for i in (*area.indexes, *area.notes):
                    self._labels[i] = "table"
            self._add(caption, table)

    def _place_figures(
        self, page: int, captions: Sequence[Caption], indexes: Sequence[int], drawing: Drawing
    ) -> None:
        size = self._layout.pages[page]
        finder = FigureFinder(
            self._lines, self._labels, indexes, drawing, size=self._size, page=size
        )
        taken = {i for caption in captions for i in caption.indexes}
        taken.update(i for i in indexes if self._labels[i] == "table")
        for caption in captions:
            if caption.is_table:
                continue
            edges = finder.area(caption, frozenset(taken))
            graphic: Box | None = None
            if edges is not None:
                inside = finder.inside(edges, frozenset(taken))
                graphic = around(page, [edges, *(self._lines[i].box for i in inside)])
                taken.update(inside)
                for i in inside:
                    self._labels[i] = "figure"
            places = self._places(caption)
            self._add(caption, Figure(caption.label, caption.text, graphic=graphic, **places))

    def _add(self, caption: Caption, element: Figure | PaperTable) -> None:
        if isinstance(element, PaperTable):
            self.tables.append((caption.indexes[0], element))
        else:
            self.figures.append((caption.indexes[0], element))

    def _places(self, caption: Caption) -> dict[str, Any]:
        return places_of([self._lines[i] for i in caption.indexes])

    def name_formulas(self, columns: Columns) -> list[tuple[int, Formula]]:
        """Label the lines of formulas."""
        formulas = []
        for group in formula_lines(self._lines, self._labels, columns):
            own = [self._lines[i] for i in group]
            for i in group:
                self._labels[i] = "formula"
            numbers = [number for line in own if (number := number_of(line.text))]
            texts = [without_number(line.text) for line in own]
            text = " ".join(filter(None, texts))
            label = numbers[0] if len(numbers) == 1 else None
            formulas.append((group[0], Formula(label, text, **places_of(own))))
        return self._with_numbers(formulas, columns)

    def _with_numbers(
        self, formulas: list[tuple[int, Formula]], columns: Columns
    ) -> list[tuple[int, Formula]]:
        """Formulas with the numbers that are on lines of their own, level with them."""
        for i, line in enumerate(self._lines):
            if self._labels[i] != "body" or not is_number(line.text):
                continue
            level = [
                k for k, (first, formula) in enumerate(formulas)
                if formula.label is None and formula.page == line.page + 1
                and _is_level(line, formula, self._lines[first], columns)
            ]  # fmt: skip
            if level:
                first, formula = formulas[level[0]]
                formulas[level[0]] = first, replace(formula, label=line.text.strip())
                self._labels[i] = "formula"
        return formulas


def _is_level(number: Line, formula: Formula, first: Line, columns: Columns) -> bool:
    """Whether a number is at the height of a formula, in its column or right beside it."""
    low = min(box[2] for box in formula.boxes) - number.size
    high = max(box[4] for box in formula.boxes) + number.size
    right = max(box[3] for box in formula.boxes)
    beside = 0 < number.left - right < 1.2 * (columns.edges(first).right - first.left + 100)
    return low <= number.baseline <= high and beside

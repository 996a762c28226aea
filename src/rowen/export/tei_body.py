"""The body of a paper as TEI, as GROBID has it: sections, figures, tables, formulas, footnotes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rowen.citations.markers import Marker
from rowen.elements.element import Box, Figure, Footnote, Formula, PaperTable
from rowen.elements.kinds import KINDS
from rowen.export.marker_parts import parts_of
from rowen.export.paper_blocks import Blocks, Words, pieces
from rowen.export.tei_options import TeiOptions
from rowen.export.xml_elements import Elements, attribute, element, escaped, leaf
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.text.sentences import sentences_of

_NUMBER = re.compile(r"(?:(\d+(?:\.\d+)*)\.?|([A-Z]|[IVX]+)\.)\s+(?=\S)")
_LABEL = re.compile(r"[\dIVXLA-Z][\w.-]*$")
_BACK = {
    "acknowledgements": "acknowledgement",
    "funding": "funding",
    "data availability": "availability",
    "appendix": "annex",
}
"""The kinds of sections that are in the back, by GROBID's names."""


class BodyWriter:
    """Writes the body and the back of a paper, but its references."""

    def __init__(self, paper: Paper, options: TeiOptions) -> None:
        self._paper = paper
        self._options = options
        self._counts: Counter[str] = Counter()
        self._blocks = Blocks(paper)
        self._formulas = {id(formula): i for i, formula in enumerate(paper.formulas)}
        self._notes = {id(note): i for i, note in enumerate(paper.footnotes)}

    def body(self) -> Elements:
        """The sections, then figures, tables and footnotes."""
        elements: Elements = []
        for number, section in enumerate(self._paper.body):
            if section.kind not in _BACK:
                name = (section.kind or "").replace(" ", "-")
                kind = f' type="{name}"' if section.kind in KINDS else ""
                elements += element("div", self._division(number), kind)
        if not elements:  # figures and footnotes alone are no body
            elements += element("div", element("p", []))
        for i, figure in enumerate(self._paper.figures):
            elements += self._figure(i, figure)
        for i, table in enumerate(self._paper.tables):
            elements += self._table(i, table)
        for i, note in enumerate(self._paper.footnotes):
            elements += self._note(i, note)
        return elements

    def back(self) -> Elements:
        """Acknowledgements, funding, availability of data and appendices."""
        elements: Elements = []
        for number, section in enumerate(self._paper.body):
            if section.kind in _BACK:
                inner = element("div", self._division(number))
                elements += element("div", inner, f' type="{_BACK[section.kind]}"')
        return elements

    def _coords(self, name: str, boxes: Iterable[Box]) -> str:
        return self._options.coords(name, boxes, self._paper.pages)

    def named(self, name: str) -> str:
        """The attribute with an identifier for the next element of this name, if wanted."""
        if not self._options.ids:
            return ""
        self._counts[name] += 1
        return f' xml:id="_{name}{self._counts[name]}"'

    def sentences(self, text: str) -> str:
        """A text without marks, divided into sentences if that was asked for."""
        if not self._options.sentences:
            return escaped(text)
        return " ".join(
            f"<s{self.named('s')}>{escaped(text[start:end])}</s>"
            for start, end in sentences_of(text)
        )

    def _division(self, number: int) -> Elements:
        section = self._paper.body[number]
        head = self._head(section)
        elements = [*head]
        items: Elements = []
        for block in self._blocks.of(number):
            if isinstance(block, Words) and block.is_item and block.begins:
                items.append(f"<item>{self._words(number, block)}</item>")
                continue
            elements += _listed(items)
            items = []
            if isinstance(block, Words):
                place = self._coords("p", block.boxes) + self.named("p")
                elements.append(f"<p{place}>{self._words(number, block)}</p>")
            elif isinstance(block, Formula):
                # A div has no formulas of its own in TEI.
                elements.append(f"<p>{self._formula(block)}</p>")
        elements += _listed(items)
        # A heading alone is no division.
        return elements if len(elements) > len(head) else [*elements, "<p />"]

    def _head(self, section: Section) -> Elements:
        """A heading; its number is an attribute."""
        place = self._coords("head", section.boxes)
        if section.heading:
            place += self.named("head")
        if section.level > 1:
            place += f' type="level{section.level}"'
        number = _NUMBER.match(section.heading or "")
        if section.heading is None or number is None:
            return leaf("head", section.heading, place)
        shown = f' n="{number[1] or number[2]}"{place}'
        return leaf("head", section.heading[number.end() :], shown)

    def _words(self, number: int, words: Words) -> str:
        # One string, not lines of its own: blanks between lines would become part of the text.
        section, notes = self._paper.body[number], self._blocks.notes(number)
        if not self._options.sentences:
            return "".join(self._inline(section, words, notes))
        return " ".join(
            f"<s{self._coords('s', part.boxes)}{self.named('s')}>"
            f"{''.join(self._inline(section, part, notes))}</s>"
            for part in self._blocks.sentences(number, words)
        )

    def _inline(self, section: Section, words: Words, notes: list[Footnote]) -> Iterator[str]:
        for text, mark in pieces(section, words, notes):
            if isinstance(mark, Marker):
                place = self._coords("ref", mark.boxes)
                listed = range(len(self._paper.citations))
                cited = [citation for citation in mark.citations if citation in listed]
                for piece, citation in parts_of(text, cited):
                    shown = "" if citation is None else f' target="#b{citation}"'
                    yield f'<ref type="bibr"{shown}{place}>{escaped(piece)}</ref>'
            elif isinstance(mark, Footnote):
                target = f"#foot_{self._notes[id(mark)]}"
                yield f'<ref type="foot" target="{target}">{escaped(text)}</ref>'
            else:
                yield escaped(text)

    def _formula(self, formula: Formula) -> str:
        name = f' xml:id="formula_{self._formulas[id(formula)]}"'
        number = f' n="{attribute(formula.label)}"' if formula.label else ""
        place = self._coords("formula", formula.boxes)
        # A formula of TEI has no label inside.
        label = "".join(leaf("label", formula.label))
        return f"<formula{name}{number}{place}>{escaped(formula.text)}</formula>{label}"

    def _figure(self, number: int, figure: Figure) -> Elements:
        boxes = (*figure.boxes, *([figure.graphic] if figure.graphic else []))
        name = f' xml:id="fig_{number}"{self._coords("figure", boxes)}'
        described = [*_labelled(figure.label), *_described(figure.caption)]
        return element("figure", described, name)

    def _table(self, number: int, table: PaperTable) -> Elements:
        boxes = (*table.boxes, *([table.area] if table.area else []))
        name = f' type="table" xml:id="tab_{number}"{self._coords("figure", boxes)}'
        rows = chain.from_iterable(
            element("row", [f"<cell>{escaped(cell)}</cell>" for cell in row], role)
            for row, role in _roles(table)
        )
        # On one line: some readers take blanks between rows for rows. They expect a table, too.
        cells = "".join(line.strip() for line in rows) or "<row><cell /></row>"
        inner = [*_labelled(table.label), *_described(table.caption)]
        inner.append(f"<table>{cells}</table>")
        return element("figure", [*inner, *leaf("note", table.notes)], name)

    def _note(self, number: int, note: Footnote) -> Elements:
        mark = f' n="{attribute(note.mark)}"' if note.mark else ""
        place = self._coords("note", note.boxes)
        shown = f' place="foot"{mark} xml:id="foot_{number}"{place}'
        return leaf("note", note.text, shown) or [f"<note{shown} />"]


def _listed(items: Elements) -> Elements:
    """Items as a list in a paragraph: what reads only paragraphs has them, too."""
    return element("p", element("list", items)) if items else []


def _roles(table: PaperTable) -> Iterator[tuple[Sequence[str], str]]:
    for i, row in enumerate(table.cells):
        yield row, ' role="label"' if i < table.head else ""


def _labelled(label: str | None) -> Elements:
    number = _LABEL.search(label or "")
    return [*leaf("head", label), *leaf("label", number.group() if number else None)]


def _described(caption: str) -> Elements:
    return leaf("figDesc", caption) or ["<figDesc />"]

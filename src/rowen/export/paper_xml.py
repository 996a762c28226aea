"""Papers as XML in a plain form: all of the JSON form, with its names.

    "keywords": ["a", "b"]            <keyword>a</keyword><keyword>b</keyword>
    "dates": {"received": "2020"}     <dates name="received">2020</dates>
    "span": [3, 8]                    start="3" end="8"
    "boxes": [[1, 72, 90, 300, 99]]   <box page="1" left="72" bottom="90" right="300" top="99" />

What is empty or unknown is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from rowen.citations.citation import Citation, Name
from rowen.elements.element import Box, Figure, Footnote, Formula, PaperTable
from rowen.export.xml_elements import Elements, attribute, element, escaped, leaf, written
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author


def plain_xml(paper: Paper, *, file: str) -> str:
    """The paper as an element with the names of the JSON form."""
    inner = [
        *leaf("title", paper.title),
        *chain.from_iterable(element("author", _author(author)) for author in paper.authors),
        *leaf("abstract", paper.abstract),
        *chain.from_iterable(leaf("keyword", keyword) for keyword in paper.keywords),
        *leaf("doi", paper.doi),
        *leaf("date", paper.date),
        *_facts("ids", paper.ids),
        *_facts("dates", paper.dates),
        *leaf("language", paper.language),
        *leaf("licence", paper.licence),
        *_certainty("confidence", paper.confidence),
        *chain.from_iterable(leaf("warning", warning) for warning in paper.warnings),
    ]
    inner += (f'<page width="{width:g}" height="{height:g}" />' for width, height in paper.pages)
    for citation in paper.citations:
        sure = _attributes(confidence=citation.confidence, page=citation.page)
        doubt = "" if citation.is_reference else ' is_reference="false"'
        inner += element("citation", _citation(citation), sure + doubt)
    for section in paper.body:
        facts = {"level": section.level, "number": section.number, "kind": section.kind}
        inner += element("section", _section(section), _attributes(**facts, page=section.page))
    for figure in paper.figures:
        inner += element("figure", _figure(figure), _anchored(figure))
    for table in paper.tables:
        inner += element("table", _table(table), _anchored(table))
    for formula in paper.formulas:
        own = [*leaf("label", formula.label), *leaf("text", formula.text), *_boxes(formula.boxes)]
        inner += element("formula", own, _anchored(formula))
    for note in paper.footnotes:
        inner += element("footnote", _footnote(note), _tied(note))
    inner += leaf("text", paper.text)
    return written(element("paper", inner, f' file="{attribute(file)}"'))


def _facts(tag: str, facts: Mapping[str, str]) -> Elements:
    """An element for each fact; its name is an attribute, since names may be any text."""
    return list(
        chain.from_iterable(
            leaf(tag, value, _attributes(name=name)) for name, value in facts.items()
        )
    )


def _certainty(tag: str, probabilities: Mapping[str, float]) -> Elements:
    return _facts(tag, {name: str(probability) for name, probability in probabilities.items()})


def _attributes(**values: object) -> str:
    """Attributes; a value that is not known has none."""
    return "".join(
        f' {name}="{attribute(str(value))}"' for name, value in values.items() if value is not None
    )


def _anchored(element_of_body: Figure | PaperTable | Formula) -> str:
    tied = {} if element_of_body.section is None else {"at": element_of_body.at}
    return _attributes(page=element_of_body.page, section=element_of_body.section, **tied)


def _tied(note: Footnote) -> str:
    if note.span is None:
        return _attributes(page=note.page)
    start, end = note.span
    return _attributes(page=note.page, section=note.section, start=start, end=end)


def _boxes(boxes: Iterable[Box], tag: str = "box") -> Elements:
    return [
        f"<{tag}{_attributes(page=page, left=left, bottom=bottom, right=right, top=top)} />"
        for page, left, bottom, right, top in boxes
    ]


def _section(section: Section) -> Elements:
    elements = [*leaf("heading", section.heading), *_boxes(section.boxes)]
    elements += leaf("text", section.text)
    for paragraph in section.paragraphs:
        facts = {"start": paragraph.start, "end": paragraph.end, "kind": paragraph.kind}
        attributes = _attributes(**facts, page=paragraph.page)
        elements += element("paragraph", _boxes(paragraph.boxes), attributes)
    for marker in section.markers:
        cited = " ".join(map(str, marker.citations))
        attributes = _attributes(
            start=marker.start, end=marker.end, citations=cited, page=marker.page
        )
        elements += element("marker", _boxes(marker.boxes), attributes)
    return elements


def _figure(figure: Figure) -> Elements:
    graphic = [] if figure.graphic is None else [figure.graphic]
    return [
        *leaf("label", figure.label), *leaf("caption", figure.caption), *_boxes(figure.boxes),
        *_boxes(graphic, "graphic"),
    ]  # fmt: skip


def _table(table: PaperTable) -> Elements:
    rows = chain.from_iterable(
        element(
            "row",
            [f"<cell>{escaped(cell)}</cell>" for cell in row],
            ' head="true"' if i < table.head else "",
        )
        for i, row in enumerate(table.cells)
    )
    area = [] if table.area is None else [table.area]
    return [
        *leaf("label", table.label), *leaf("caption", table.caption), *rows,
        *leaf("notes", table.notes), *_boxes(table.boxes), *_boxes(area, "area"),
    ]  # fmt: skip


def _footnote(note: Footnote) -> Elements:
    return [*leaf("mark", note.mark), *leaf("text", note.text), *_boxes(note.boxes)]


def _author(author: Author) -> Elements:
    affiliations = (leaf("affiliation", affiliation) for affiliation in author.affiliations)
    return [
        *leaf("given", author.given),
        *leaf("family", author.family),
        *chain.from_iterable(affiliations),
        *leaf("email", author.email),
    ]


def _names(tag: str, names: Iterable[Name]) -> Elements:
    elements: Elements = []
    for name in names:
        elements += element(tag, [*leaf("given", name.given), *leaf("family", name.family)])
    return elements


def _citation(citation: Citation) -> Elements:
    return [
        *_names("author", citation.authors),
        *leaf("title", citation.title),
        *leaf("container", citation.container),
        *leaf("year", citation.year),
        *leaf("volume", citation.volume),
        *leaf("issue", citation.issue),
        *leaf("pages", citation.pages),
        *leaf("publisher", citation.publisher),
        *leaf("place", citation.place),
        *_names("editor", citation.editors),
        *leaf("doi", citation.doi),
        *leaf("url", citation.url),
        *leaf("note", citation.note),
        *leaf("raw", citation.raw),
        *_spans(citation.spans),
        *_certainty("field_confidence", citation.field_confidence),
        *_boxes(citation.boxes),
    ]


def _spans(spans: Mapping[str, Sequence[tuple[int, int]]]) -> Elements:
    """Where each field is in the string."""
    return [
        f"<spans{_attributes(name=name, start=start, end=end)} />"
        for name, places in spans.items() for start, end in places
    ]  # fmt: skip

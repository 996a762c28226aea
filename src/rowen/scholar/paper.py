"""A scholarly paper: from its PDF, HTML or text to header, citations, body and text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from rowen.documents.charset import read_page
from rowen.documents.sniffing import HTML, PDF, SNIFFED_BYTES, media_type_of
from rowen.limits import FLOW_CHARACTERS, FLOW_LINES
from rowen.model.errors import DocumentError
from rowen.scholar.body import Section, headed_passages
from rowen.scholar.citations.citation import Citation
from rowen.scholar.citations.parser import parse_citations
from rowen.scholar.flow import (
    MARKS,
    Declared,
    Paragraph,
    declared_in,
    html_paragraphs,
    paged,
    paragraph_starts,
    text_paragraphs,
)
from rowen.scholar.header import abstract_of, date_of, doi_of, keywords_of, title_of
from rowen.scholar.layout import Layout, Line, read_layout
from rowen.scholar.layout.document import PageLines
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.markers import find_markers
from rowen.scholar.parts import Parts
from rowen.scholar.passages import Passage, joined, passage_of
from rowen.scholar.people import Author, authors_of
from rowen.scholar.references import cut_references, footnoted_references
from rowen.scholar.tagging import Model
from rowen.scholar.zones import Zones, zones_of
from rowen.scholar.zones.columns import word_rows

Glance: TypeAlias = Callable[[Sequence[PageCharacters], int], None]
"""Looks at the pages of a PDF, and how many there are; what it raises ends the reading."""

_NO_LAYOUT = "no layout: the parts of this text are told by its words and their order alone"


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper says of itself, what it cites, and its text in reading order."""

    title: str | None
    authors: tuple[Author, ...]
    abstract: str | None
    keywords: tuple[str, ...]
    doi: str | None
    date: str | None
    citations: tuple[Citation, ...]
    body: tuple[Section, ...]
    text: str
    warnings: tuple[str, ...] = ()
    """What could not be read of the document, or may be wrong."""

    def to_json(self) -> dict[str, Any]:
        """The paper as the contract has it; warnings only where there are some."""
        return {
            "title": self.title,
            "authors": [
                {**asdict(author), "affiliations": list(author.affiliations)}
                for author in self.authors
            ],
            "abstract": self.abstract,
            "keywords": list(self.keywords),
            "doi": self.doi,
            "date": self.date,
            "citations": [citation.to_json() for citation in self.citations],
            "body": [section.to_json() for section in self.body],
            "text": self.text,
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper with the lines that it was read from, to show where everything stands."""

    paper: Paper
    layout: Layout
    zones: Zones
    sections: tuple[Passage, ...]
    """The text of each section of the body."""
    references: tuple[Passage, ...]
    """The text of each citation."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The paper's."""
        return self.paper.warnings


def read_paper(source: str | Path | bytes) -> Paper:
    """A paper from its PDF, HTML or plain text; DocumentError where it can't be read."""
    return read_closely(source).paper


def read_closely(
    source: str | Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    parts: Parts | None = None,
    glance: Glance | None = None,
) -> Reading:
    """The same with the lines.

    `opened` is told the number of pages to be read. What `parts` knows is not made again; `glance`
    sees the pages of a PDF before any line is made of them.
    """
    given = source if isinstance(source, bytes) else Path(source)
    name = "the document" if isinstance(source, bytes) else str(source)
    kind = _kind(given)
    if kind != PDF:
        content = given if isinstance(given, bytes) else given.read_bytes()
        return read_flow(read_page(content, name).text, html=kind == HTML, opened=opened)
    reader = None if parts is None else _Reader(parts, glance)
    layout = read_layout(given, opened=opened, reader=reader)
    if not layout.lines:
        raise DocumentError(name, "it has no text that can be read on its pages")
    return _examined(layout, parts)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes the lines of pages that are not known."""

    parts: Parts
    look: Glance | None

    def glance(self, pages: Sequence[PageCharacters], total: int) -> None:
        if self.look is not None:
            self.look(pages, total)

    def lines_on(self, page: PageCharacters, first: int) -> PageLines:
        return self.parts.lines_on(page, first)


def _examined(layout: Layout, parts: Parts | None) -> Reading:
    words = word_rows if parts is None else parts.words
    return examine(layout, zones_of(layout, words=words), parts=parts)


def read_flow(
    text: str,
    *,
    html: bool,
    opened: Callable[[int], None] | None = None,
    parts: Parts | None = None,
    glance: Callable[[Layout, Declared], None] | None = None,
) -> Reading:
    """A paper from plain text or HTML, which say little of how it looks.

    What the tags of an HTML page declare of the paper goes before what its words seem to say.
    `glance` is given both before they are understood.
    """
    paragraphs = html_paragraphs(text) if html else text_paragraphs(text)
    kept, warnings = _within_limits(paragraphs)
    layout = paged(kept, (_NO_LAYOUT, *warnings))
    if opened is not None:
        opened(len(layout.pages))
    declared = declared_in(text) if html else Declared()
    if glance is not None:
        glance(layout, declared)
    reading = _examined(layout, parts)
    shown = "\n\n".join("\n".join(paragraph.lines) for paragraph in paragraphs) if html else text
    paper = replace(reading.paper, text=shown.translate(MARKS))
    if html:
        paper = _with_declared(paper, declared)
    return replace(reading, paper=paper)


def _kind(given: Path | bytes) -> str:
    """What a file is; a PDF where it is nothing else, so that pdfium says what is wrong with it."""
    try:
        if isinstance(given, bytes):
            head = given[:SNIFFED_BYTES]
        else:
            with given.open("rb") as file:
                head = file.read(SNIFFED_BYTES)
        return media_type_of(head) if head.strip() else PDF
    except (OSError, DocumentError):
        return PDF


def _within_limits(paragraphs: list[Paragraph]) -> tuple[list[Paragraph], tuple[str, ...]]:
    """The paragraphs that are read, the last perhaps in part, and what there is to say of it."""
    kept: list[Paragraph] = []
    characters, count = FLOW_CHARACTERS, FLOW_LINES
    for paragraph in paragraphs:
        lines = []
        for line in paragraph.lines[:count]:
            lines.append(line[:characters])
            characters -= len(lines[-1])
        count -= len(lines)
        kept.append(replace(paragraph, lines=tuple(lines)))
        if kept[-1] != paragraph:
            told = (
                f"only the first {FLOW_CHARACTERS:,} characters and {FLOW_LINES:,} lines were read"
            )
            return kept, (told,)
    return kept, ()


def _with_declared(paper: Paper, declared: Declared) -> Paper:
    found = {(author.family.lower(), author.given[:1].lower()): author for author in paper.authors}

    def completed(author: Author) -> Author:
        other = found.get((author.family.lower(), author.given[:1].lower()))
        if other is None:
            return author
        return replace(
            author,
            affiliations=author.affiliations or other.affiliations,
            email=author.email or other.email,
        )

    return replace(
        paper,
        title=declared.title or paper.title or declared.page_title,
        authors=tuple(map(completed, declared.authors)) or paper.authors,
        abstract=declared.abstract or paper.abstract or declared.description,
        keywords=declared.keywords or paper.keywords,
        doi=declared.doi or paper.doi,
        date=declared.date or paper.date,
    )


def assemble(layout: Layout, zones: Zones, *, people: Model | None = None) -> Paper:
    """The paper that labelled lines make up; `people` is another model than the one that ships."""
    return examine(layout, zones, people=people).paper


def examine(
    layout: Layout, zones: Zones, *, people: Model | None = None, parts: Parts | None = None
) -> Reading:
    """The same with the lines; citations that `parts` knows are not parsed."""
    first = [line for line in layout.lines if line.page == 0]
    begun = frozenset() if layout.placed else paragraph_starts(layout.lines)
    groups = cut_references(zones["reference"], paragraphs=begun)
    groups = groups or footnoted_references(zones["footnote"])
    references = tuple(map(passage_of, groups))
    parse = parse_citations if parts is None else parts.citations
    parsed = parse([passage.text for passage in references])
    citations = tuple(_placed(parsed, references) if layout.placed else parsed)
    headed = headed_passages(zones)
    sections = tuple(passage for _, passage in headed)
    markers = find_markers(sections, citations)
    paper = Paper(
        title=title_of(zones["title"]),
        authors=tuple(authors_of(zones, model=people)),
        abstract=abstract_of(zones["abstract"]),
        keywords=tuple(keywords_of(zones["keywords"])),
        doi=doi_of(first),
        date=date_of(first),
        citations=citations,
        body=tuple(
            Section(heading, passage.text, own)
            for (heading, passage), own in zip(headed, markers, strict=True)
        ),
        text=_text(zones),
        warnings=layout.warnings,
    )
    return Reading(paper, layout, zones, sections, references)


def _placed(citations: Sequence[Citation], references: Sequence[Passage]) -> Iterator[Citation]:
    """Citations with where they stand on the PDF."""
    for citation, passage in zip(citations, references, strict=True):
        boxes = tuple(_box(line) for line in passage.lines)
        yield replace(citation, page=passage.lines[0].page + 1, boxes=boxes)


def _box(line: Line) -> tuple[int, float, float, float, float]:
    left, bottom, right, top = (round(edge, 1) for edge in line.box)
    return line.page + 1, left, bottom, right, top


def _text(zones: Zones) -> str:
    """All but the furniture, in paragraphs as the blocks of the pages part them."""
    paragraphs: list[list[Line]] = []
    before = ("", -1)
    for line, label in zones.labelled:
        if label == "furniture":
            continue
        if (label, line.block) != before or label == "heading":
            paragraphs.append([])
        paragraphs[-1].append(line)
        before = (label, line.block)
    return "\n\n".join(joined(lines) for lines in paragraphs)

"""Reading a scholarly paper: PDF, HTML or plain text to header, citations, body and text.

The stages follow CiteSeerExtractor, each in a package of its own:

    PDF -> lines in reading order      rowen.pdf
    lines -> zones (title, author, abstract, body, reference, ...)     papers.zones
    author lines -> authors            papers.people
    reference lines -> strings -> citations      citations.segmentation, citations.parser
    body lines -> sections with markers          papers.body, citations.markers
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from rowen.citations.citation import Citation
from rowen.citations.markers import Marker, find_markers
from rowen.citations.markers.years import dated
from rowen.citations.parser import parse_citations
from rowen.citations.references import references_of
from rowen.crf.tagger import Model
from rowen.elements.element import Box, Figure, Footnote, Formula, PaperTable, box_of
from rowen.elements.notes import footnotes_of
from rowen.elements.paragraphs import paragraphs_of
from rowen.facts import dates_of, ids_of, language_of, licence_of
from rowen.facts.language import LANGUAGE_CHARACTERS
from rowen.markup import Written
from rowen.markup.jats import read_jats
from rowen.markup.latex import read_latex
from rowen.model.errors import DocumentError
from rowen.papers.arrangement import anchored, arranged
from rowen.papers.body import Section, headed_passages, sections_of
from rowen.papers.flow import (
    Declared,
    Paragraph,
    declared_in,
    html_paragraphs,
    paged,
    paragraph_starts,
    text_paragraphs,
    without_marks,
)
from rowen.papers.flow.pages import FLOW_CHARACTERS, FLOW_LINES, FLOW_REFERENCES
from rowen.papers.header import (
    abstract_of,
    date_of,
    doi_of,
    evidence_for,
    header_certainty,
    keywords_of,
    title_of,
)
from rowen.papers.parts import Parts
from rowen.papers.people import Author, authors_of
from rowen.papers.zones import Zones, zones_of
from rowen.papers.zones.features import word_rows
from rowen.pdf import Layout, Line, read_layout
from rowen.pdf.characters import PageCharacters
from rowen.pdf.document import PageLines
from rowen.pdf.passages import Passage, joined, passage_of
from rowen.pdf.pictures import Picture, pictures_of
from rowen.text.charset import read_page
from rowen.text.formats import JATS, LATEX, format_of, refusal_of
from rowen.text.html_tokens import tokenize
from rowen.text.sniffing import HTML, PDF, SNIFFED_BYTES, media_type_of

Glance: TypeAlias = Callable[[Sequence[PageCharacters], int], None]
"""Called with the characters of a PDF's pages and their number; an exception ends the reading."""

_NO_LAYOUT = "no layout: the parts of this text are found by its words and their order alone"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: header, citations, body in sections, and the text in reading order.

    >>> import rowen
    >>> paper = rowen.read_paper("rowen-demo/papers/jose.00050.pdf")
    >>> paper.title, paper.authors[0].family
    ('Emacs-reveal: A software bundle to create OER presentations', 'Lechtenbörger')
    """

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
    """Messages about parts that could not be read or may be wrong."""
    figures: tuple[Figure, ...] = ()
    tables: tuple[PaperTable, ...] = ()
    formulas: tuple[Formula, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    ids: dict[str, str] = field(default_factory=dict)
    """Identifiers beside the DOI: `arxiv`, `issn`, `pmid`, `pmcid`."""
    dates: dict[str, str] = field(default_factory=dict)
    """Dates by what happened then (`received`, `revised`, `accepted`, `published`): ISO 8601 where
    a date has one reading, otherwise as it is printed."""
    pages: tuple[tuple[float, float], ...] = ()
    """Width and height of each page in points, to which boxes refer; empty without a layout."""
    language: str | None = None
    """The language of the text, by its code (`en`)."""
    licence: str | None = None
    """The licence, by its short name (`CC BY 4.0`)."""

    confidence: dict[str, float] = field(default_factory=dict)
    """How probable it is that each field of the header is right, of those that were found."""

    def _repr_html_(self) -> str:
        from rowen.elements.page_drawing import page_drawing
        from rowen.records.notebook import fact_table

        facts = {
            "authors": [f"{author.given} {author.family}".strip() for author in self.authors],
            "date": self.date,
            "doi": self.doi,
            "keywords": ", ".join(self.keywords),
            "abstract": self.abstract,
            "sections": [section.heading for section in self.body if section.heading],
            "figures": [figure.caption or figure.label for figure in self.figures],
            "tables": [table.caption or table.label for table in self.tables],
            "citations": len(self.citations),
            "warnings": list(self.warnings),
        }
        return fact_table(self.title or "untitled", facts) + page_drawing(self.pages, self._parts())

    def _parts(self) -> Iterator[tuple[str, str, tuple[Box, ...]]]:
        """The kind, the name and the places of each part."""
        for section in self.body:
            for paragraph in section.paragraphs:
                yield "paragraph", section.heading or "text", paragraph.boxes
            yield "heading", section.heading or "", section.boxes
        yield from (("figure", figure.label or "figure", figure.boxes) for figure in self.figures)
        yield from (("table", table.label or "table", table.boxes) for table in self.tables)
        yield from (("formula", one.label or "formula", one.boxes) for one in self.formulas)
        yield from (("footnote", note.text, note.boxes) for note in self.footnotes)
        yield from (("citation", cited.raw, cited.boxes) for cited in self.citations)

    def to_dict(self) -> dict[str, Any]:
        """The paper as a dict for JSON; `warnings` is left out if there are none."""
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
            "citations": [citation.to_dict() for citation in self.citations],
            "body": [section.to_dict() for section in self.body],
            "figures": [figure.to_dict() for figure in self.figures],
            "tables": [table.to_dict() for table in self.tables],
            "formulas": [formula.to_dict() for formula in self.formulas],
            "footnotes": [footnote.to_dict() for footnote in self.footnotes],
            "ids": self.ids,
            "dates": self.dates,
            "pages": [list(size) for size in self.pages],
            "language": self.language,
            "licence": self.licence,
            "confidence": self.confidence,
            "text": self.text,
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper with its lines, which show the position of everything."""

    paper: Paper
    layout: Layout
    zones: Zones
    sections: tuple[Passage, ...]
    """The passage of each section of the body."""
    references: tuple[Passage, ...]
    """The passage of each citation."""
    pictures: tuple[Picture | None, ...] = ()
    """Pictures of the first pages, where they were asked for."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the paper."""
        return self.paper.warnings


def read_paper(source: str | Path | bytes) -> Paper:
    r"""Read a paper from its PDF, HTML or plain text; DocumentError if it can't be read.

    >>> paper = read_paper(b"A Study of Wrappers\n\nAda Lovelace\n\nAbstract\n\nWe study.\n")
    >>> paper.text.splitlines()[0]
    'A Study of Wrappers'
    """
    return read_closely(source).paper


def read_closely(
    source: str | Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    parts: Parts | None = None,
    glance: Glance | None = None,
) -> Reading:
    """Read a paper and keep its lines.

    `opened` is called with the number of pages. `parts` caches parts of papers. `glance` sees the
    pages of a PDF before lines are made.
    """
    document = source if isinstance(source, bytes) else Path(source)
    name = "the document" if isinstance(source, bytes) else str(source)
    kind = _kind(document)
    if kind != PDF:
        content = document if isinstance(document, bytes) else document.read_bytes()
        return read_flow(read_page(content, name).text, html=kind == HTML, opened=opened)
    # Without `parts` nothing looks at the pages first, and lines are made as pages are read.
    reader = None if parts is None else _Reader(parts, glance)
    layout = read_layout(document, opened=opened, reader=reader)
    if not layout.lines:
        raise DocumentError(name, "it has no readable text")
    return _examined(layout, parts)


def read_excerpt(content: bytes, chosen: slice, opened: Callable[[int], None]) -> Paper | None:
    """Read some pages of a PDF as if there were no others; None where they have no text."""
    total = 0

    def count(pages: int) -> None:
        nonlocal total
        total = pages
        opened(pages)

    try:
        layout = read_layout(content, opened=count, chosen=chosen)
    except DocumentError:
        if total:
            raise
        return None
    return _examined(layout, None).paper if layout.lines else None


def pictured(reading: Reading, content: bytes) -> Reading:
    """A reading with pictures of its pages; `content` is its PDF."""
    return replace(reading, pictures=pictures_of(content, reading.layout.turns))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Makes the lines of a PDF's pages, or takes them from the cache (a `PageReader`)."""

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
    """Read a paper from plain text or HTML, which have no layout.

    Meta tags of an HTML page take precedence over its words. `glance` sees the layout and the meta
    tags before zones are labelled.
    """
    if (written := _written(text)) is not None:
        return _read_written(written, opened)
    tokens = tokenize(text) if html else None
    paragraphs = text_paragraphs(text) if tokens is None else html_paragraphs(tokens)
    declared = Declared() if tokens is None else declared_in(tokens)
    limited, warnings = _within_limits(paragraphs)
    layout = paged(limited, (_NO_LAYOUT, *warnings, *declared.warnings))
    if opened is not None:
        opened(len(layout.pages))
    if glance is not None:
        glance(layout, declared)
    reading = _examined(layout, parts)
    shown = "\n\n".join("\n".join(paragraph.lines) for paragraph in paragraphs) if html else text
    paper = replace(reading.paper, text=without_marks(shown))
    if html:
        paper = _with_declared(paper, declared)
    return replace(reading, paper=paper)


def _written(text: str) -> Written | None:
    """What a source says that names its parts, or None; DocumentError for other formats."""
    form = format_of(text)
    if form is None:
        return None
    if form == JATS:
        return read_jats(text, "the document")
    if form == LATEX:
        return read_latex(text)
    raise DocumentError("the document", refusal_of(form))


def _read_written(written: Written, opened: Callable[[int], None] | None) -> Reading:
    """The reading of a source that names its parts: no label is guessed."""
    labelled = list(_labelled(written))
    if not labelled:
        raise DocumentError("the document", "it has no readable text")
    layout = paged([paragraph for _, paragraph in labelled])
    if opened is not None:
        opened(len(layout.pages))
    labels = [label for label, own in labelled for _ in paged([own]).lines]
    zones = Zones(list(zip(layout.lines, labels, strict=True)))
    bodies = iter([headed.passage for headed in headed_passages(zones)])
    sections = tuple(next(bodies, passage_of([])) for _ in written.sections)
    references = tuple(map(passage_of, _paragraphs(zones["reference"])))[: len(written.citations)]
    paper = Paper(
        title=written.title,
        authors=tuple(
            Author(author.given, author.family, author.affiliations, author.email)
            for author in written.authors
        ),
        abstract=written.abstract,
        keywords=written.keywords,
        doi=written.doi,
        date=written.date,
        citations=written.citations,
        body=tuple(
            Section(section.heading, section.text, section.markers, level=section.level)
            for section in written.sections
        ),
        text=_text(zones),
        figures=written.figures,
        tables=written.tables,
        ids=written.ids,
        dates=written.dates,
        language=written.language,
        licence=written.licence,
    )
    return Reading(paper, layout, zones, sections, references)


def _labelled(written: Written) -> Iterator[tuple[str, Paragraph]]:
    """The paragraphs of a source with their labels, in reading order."""
    if written.title:
        yield "title", Paragraph((written.title,), 16.0, bold=True)
    for author in written.authors:
        yield "author", Paragraph((f"{author.given} {author.family}".strip(),))
        for affiliation in author.affiliations:
            yield "author", Paragraph((affiliation,))
    if written.abstract:
        yield "abstract", Paragraph((written.abstract,))
    if written.keywords:
        yield "keywords", Paragraph((", ".join(written.keywords),))
    for section in written.sections:
        if section.heading:
            yield "heading", Paragraph((section.heading,), 12.0, bold=True)
        if section.text:
            yield "body", Paragraph((section.text,))
    for citation in written.citations:
        yield "reference", Paragraph((citation.raw,))


def _paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    begun = paragraph_starts(lines)
    groups: list[list[Line]] = []
    for line in lines:
        if id(line) in begun or not groups:
            groups.append([])
        groups[-1].append(line)
    return groups


def _kind(document: Path | bytes) -> str:
    """The media type of a file; PDF where it is unclear, so that pdfium reports what is wrong."""
    try:
        if isinstance(document, bytes):
            head = document[:SNIFFED_BYTES]
        else:
            with document.open("rb") as file:
                head = file.read(SNIFFED_BYTES)
        return media_type_of(head) if head.strip() else PDF
    except (OSError, DocumentError):
        return PDF


def _within_limits(paragraphs: list[Paragraph]) -> tuple[list[Paragraph], tuple[str, ...]]:
    """The paragraphs within the limits, the last one cut if necessary, and warnings."""
    limited: list[Paragraph] = []
    characters, count = FLOW_CHARACTERS, FLOW_LINES
    for paragraph in paragraphs:
        lines = []
        for line in paragraph.lines[:count]:
            lines.append(line[:characters])
            characters -= len(lines[-1])
        count -= len(lines)
        limited.append(replace(paragraph, lines=tuple(lines)))
        if limited[-1] != paragraph:
            warning = (
                f"only the first {FLOW_CHARACTERS:,} characters and {FLOW_LINES:,} lines were read"
            )
            return limited, (warning,)
    return limited, ()


def _with_declared(paper: Paper, declared: Declared) -> Paper:
    """A paper with declared metadata in place of what was found on the page.

    Affiliations and addresses that the meta tags lack come from the author on the page with the
    same family name and initial. The title and description that pages of any kind have are used
    only where nothing else was found.
    """
    printed_authors = {
        (author.family.lower(), author.given[:1].lower()): author for author in paper.authors
    }

    def completed(author: Author) -> Author:
        printed = printed_authors.get((author.family.lower(), author.given[:1].lower()))
        if printed is None:
            return author
        return replace(
            author,
            affiliations=author.affiliations or printed.affiliations,
            email=author.email or printed.email,
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


def examine(
    layout: Layout, zones: Zones, *, people: Model | None = None, parts: Parts | None = None
) -> Reading:
    """Make a paper from labelled lines; `people` replaces the CRF that finds authors."""
    # Labelling cuts some lines in two, such as headings that run into their paragraphs.
    layout = replace(layout, lines=[line for line, _ in zones.labelled])
    first = [line for line in layout.lines if line.page == 0]
    # In text and HTML a new paragraph is evidence for a new reference; PDFs show it by layout.
    begun = frozenset() if layout.placed else paragraph_starts(layout.lines)
    listed = references_of(
        zones["reference"],
        zones["footnote"],
        headed=bool(zones["reference heading"]),
        paragraphs=begun,
        limit=None if layout.placed else FLOW_REFERENCES,
        parse=parse_citations if parts is None else parts.citations,
    )
    references = listed.passages
    if listed.list_is_none:
        zones = zones.without_references()
    doubt = zones.doubt() if layout.placed else None
    warnings = layout.warnings if doubt is None else (*layout.warnings, doubt)
    if listed.more:
        count = FLOW_REFERENCES + listed.more
        warnings += (f"only the first {FLOW_REFERENCES:,} of {count:,} references were read",)
    placed = _placed(listed.citations, references)
    citations = tuple(placed) if layout.placed else listed.citations
    arrangement = arranged(layout, zones)
    zones = arrangement.zones
    headed = headed_passages(zones)
    sections = tuple(own.passage for own in headed)
    by_year = dated if parts is None else parts.dated
    markers = find_markers(sections, citations, by_year=by_year)
    if layout.placed:
        markers = [
            tuple(_marked(own, passage)) for own, passage in zip(markers, sections, strict=True)
        ]
    begins = paragraph_starts(layout.lines) if not layout.placed else frozenset()
    paragraphs = [
        paragraphs_of(
            passage,
            arrangement.columns,
            placed=layout.placed,
            starts=lambda line: id(line) in begins,
        )
        for passage in sections
    ]
    ends = [[paragraph.end for paragraph in own] for own in paragraphs]
    title = title_of(zones["title"])
    authors = tuple(_authors(zones, people, parts))
    abstract = abstract_of(zones["abstract"])
    keywords = tuple(keywords_of(zones["keywords"]))
    evidence = evidence_for(
        zones, title=title, authors=authors, abstract=abstract, keywords=keywords
    )
    paper = Paper(
        title=title,
        authors=authors,
        abstract=abstract,
        keywords=keywords,
        confidence=header_certainty(evidence) if layout.placed else {},
        doi=doi_of(first),
        date=date_of(first),
        citations=citations,
        body=sections_of(headed, markers, paragraphs, placed=layout.placed),
        text=_text(zones),
        warnings=warnings,
        figures=anchored(arrangement.figures, layout.lines, sections, ends),
        tables=anchored(arrangement.tables, layout.lines, sections, ends),
        formulas=anchored(arrangement.formulas, layout.lines, sections, ends),
        footnotes=footnotes_of(zones["footnote"], sections),
        pages=_sizes(layout),
        **_facts(layout, sections),
    )
    return Reading(paper, layout, zones, sections, references)


def _sizes(layout: Layout) -> tuple[tuple[float, float], ...]:
    if not layout.placed:
        return ()
    return tuple((round(width, 1), round(height, 1)) for width, height in layout.pages)


def _facts(layout: Layout, sections: Sequence[Passage]) -> dict[str, Any]:
    """Identifiers, dates and licence from the first pages and the last one; the language."""
    edges = {0, 1, len(layout.pages) - 1}
    texts = defaultdict(list)
    for line in layout.lines:
        if line.page in edges:
            texts[line.page].append(line.text)
    ends = "\n".join(" ".join(texts[page]) for page in sorted(edges))
    front = f"{' '.join(texts[0])} {layout.sideways}"
    body = " ".join(passage.text[:LANGUAGE_CHARACTERS] for passage in sections[:8])
    return {
        "ids": ids_of(front),
        "dates": dates_of(ends),
        "licence": licence_of(ends),
        "language": language_of(body if len(body) > len(front) else front),
    }


def _marked(markers: Sequence[Marker], passage: Passage) -> Iterator[Marker]:
    """Markers with their positions in the PDF."""
    for marker in markers:
        pieces = list(passage.places(marker.start, marker.end))
        boxes = tuple(box_of(line, start, end) for line, start, end in pieces)
        yield replace(marker, page=boxes[0][0] if boxes else None, boxes=boxes)


def _authors(zones: Zones, people: Model | None, parts: Parts | None) -> list[Author]:
    if parts is None or people is not None:
        return authors_of(zones, model=people)
    return parts.authors(zones)


def _placed(citations: Sequence[Citation], references: Sequence[Passage]) -> Iterator[Citation]:
    """Citations with their positions in the PDF."""
    for citation, passage in zip(citations, references, strict=True):
        boxes = tuple(map(box_of, passage.lines))
        yield replace(citation, page=passage.lines[0].page + 1, boxes=boxes)


def _text(zones: Zones) -> str:
    """The text in reading order without furniture; each block and label is a paragraph."""
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

"""A scholarly paper: from its PDF to header, citations, body and text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rowen.model.errors import DocumentError
from rowen.scholar.body import Section, headed_passages
from rowen.scholar.citations.citation import Citation
from rowen.scholar.citations.parser import parse_citations
from rowen.scholar.header import abstract_of, date_of, doi_of, keywords_of, title_of
from rowen.scholar.layout import Glance, Layout, Line, read_layout
from rowen.scholar.markers import find_markers
from rowen.scholar.passages import Passage, joined, passage_of
from rowen.scholar.people import Author, authors_of
from rowen.scholar.references import cut_references, footnoted_references
from rowen.scholar.tagging import Model
from rowen.scholar.zones import Zones, zones_of


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
    """What could not be read of the PDF, or may be wrong."""

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
    """A paper from its PDF; raises DocumentError where there is none, or it has no text."""
    return read_closely(source).paper


def read_closely(
    source: str | Path | bytes,
    *,
    opened: Callable[[int], None] | None = None,
    glance: Glance | None = None,
) -> Reading:
    """The same with the lines of the PDF.

    `opened` is told the number of pages to be read; then `glance` sees their characters.
    """
    given = source if isinstance(source, bytes) else Path(source)
    layout = read_layout(given, opened=opened, glance=glance)
    if not layout.lines:
        name = "PDF" if isinstance(source, bytes) else str(source)
        raise DocumentError(name, "it has no text that can be read on its pages")
    return examine(layout, zones_of(layout))


def assemble(layout: Layout, zones: Zones, *, people: Model | None = None) -> Paper:
    """The paper that labelled lines make up; `people` is another model than the one that ships."""
    return examine(layout, zones, people=people).paper


def examine(layout: Layout, zones: Zones, *, people: Model | None = None) -> Reading:
    """The same with the lines."""
    first = [line for line in layout.lines if line.page == 0]
    groups = cut_references(zones["reference"]) or footnoted_references(zones["footnote"])
    references = tuple(map(passage_of, groups))
    citations = tuple(_citations(references))
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


def _citations(references: Sequence[Passage]) -> Iterator[Citation]:
    parsed = parse_citations([passage.text for passage in references])
    for citation, passage in zip(parsed, references, strict=True):
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

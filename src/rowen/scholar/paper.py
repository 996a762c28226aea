"""A scholarly paper: from its PDF to header, citations, body and text."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rowen.model.errors import DocumentError
from rowen.scholar.citations.citation import Citation
from rowen.scholar.citations.parser import parse_citations
from rowen.scholar.header import abstract_of, date_of, doi_of, keywords_of, title_of
from rowen.scholar.layout import Layout, Line, read_layout
from rowen.scholar.passages import joined
from rowen.scholar.people import Author, authors_of
from rowen.scholar.references import cut_references
from rowen.scholar.tagging import Model
from rowen.scholar.zones import Zones, zones_of


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the body with its heading; the first may have none."""

    heading: str | None
    text: str


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

    def to_json(self) -> dict[str, Any]:
        """The paper as the contract has it."""
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
            "body": [asdict(section) for section in self.body],
            "text": self.text,
        }


def read_paper(source: str | Path | bytes) -> Paper:
    """A paper from its PDF; raises DocumentError where there is none, or it has no text."""
    given = source if isinstance(source, bytes) else Path(source)
    layout = read_layout(given)
    if not layout.lines:
        name = "PDF" if isinstance(source, bytes) else str(source)
        raise DocumentError(name, "it has no text layer: its pages are pictures, or empty")
    return assemble(layout, zones_of(layout))


def assemble(layout: Layout, zones: Zones, *, people: Model | None = None) -> Paper:
    """The paper that labelled lines make up; `people` is another model than the one that ships."""
    first = [line for line in layout.lines if line.page == 0]
    return Paper(
        title=title_of(zones.title),
        authors=tuple(authors_of(zones, model=people)),
        abstract=abstract_of(zones.abstract),
        keywords=tuple(keywords_of(zones["keywords"])),
        doi=doi_of(first),
        date=date_of(first),
        citations=tuple(_citations(zones["reference"])),
        body=tuple(_sections(zones)),
        text=_text(zones),
    )


def _citations(lines: Sequence[Line]) -> list[Citation]:
    groups = cut_references(lines)
    parsed = parse_citations([joined(group) for group in groups])
    return [
        replace(
            citation,
            page=group[0].page + 1,
            boxes=tuple(_box(line) for line in group),
        )
        for citation, group in zip(parsed, groups, strict=True)
    ]


def _box(line: Line) -> tuple[int, float, float, float, float]:
    left, bottom, right, top = (round(edge, 1) for edge in line.box)
    return line.page + 1, left, bottom, right, top


def _sections(zones: Zones) -> list[Section]:
    found: list[tuple[str | None, list[Line]]] = [(None, [])]
    before = ""
    for line, label in zones.labelled:
        if label == "heading":
            heading, lines = found[-1]
            if before == "heading" and not lines and heading is not None:  # it takes two lines
                found[-1] = (f"{heading} {line.text}", lines)
            else:
                found.append((line.text, []))
        elif label == "body":
            found[-1][1].append(line)
        before = label
    return [Section(heading, joined(lines)) for heading, lines in found if heading or lines]


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

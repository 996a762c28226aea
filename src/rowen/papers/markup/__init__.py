r"""Papers from sources that name their parts: JATS XML and LaTeX.

    <article-title>On Pages</article-title>     title      On Pages
    \section{Results} as shown \cite{ada}       section    Results, with a marker

Nothing is guessed but the fields of reference strings, where the source does not mark them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rowen.citations.citation import Citation
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, PaperTable
from rowen.papers.flow.pages import Paragraph
from rowen.papers.people import Author

_TITLE_SIZE, _HEADING_SIZE = 16.0, 12.0


@dataclass(frozen=True, slots=True)
class WrittenSection:
    """A section: heading, depth from 1, and the text of its paragraphs with markers."""

    heading: str | None
    level: int
    text: str
    markers: tuple[Marker, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """A paper as its source has it."""

    title: str | None = None
    authors: tuple[Author, ...] = ()
    abstract: str | None = None
    keywords: tuple[str, ...] = ()
    doi: str | None = None
    date: str | None = None
    language: str | None = None
    licence: str | None = None
    ids: dict[str, str] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)
    sections: tuple[WrittenSection, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[PaperTable, ...] = ()
    citations: tuple[Citation, ...] = ()

    def paragraphs(self) -> Iterator[tuple[str, Paragraph]]:
        """The paragraphs of the paper with their labels, in reading order."""
        if self.title:
            yield "title", Paragraph((self.title,), _TITLE_SIZE, bold=True)
        for author in self.authors:
            yield "author", Paragraph((f"{author.given} {author.family}".strip(),))
            for affiliation in author.affiliations:
                yield "author", Paragraph((affiliation,))
        if self.abstract:
            yield "abstract", Paragraph((self.abstract,))
        if self.keywords:
            yield "keywords", Paragraph((", ".join(self.keywords),))
        for section in self.sections:
            if section.heading:
                yield "heading", Paragraph((section.heading,), _HEADING_SIZE, bold=True)
            if section.text:
                yield "body", Paragraph((section.text,))
        for citation in self.citations:
            yield "reference", Paragraph((citation.raw,))

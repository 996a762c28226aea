r"""Papers from sources that name their parts: JATS XML and LaTeX.

    <article-title>On Pages</article-title>     title      On Pages
    \section{Results} as shown \cite{ada}       section    Results, with a marker

Nothing is guessed but the fields of reference strings, where the source does not mark them.
"""

from dataclasses import dataclass, field

from rowen.citations.citation import Citation
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, PaperTable

WRITTEN_REFERENCES = 4_000
"""Limit: references of a JATS or LaTeX source that are read. The longest reviews have 3,000."""

WRITTEN_CELLS = 100_000
"""Limit: cells of one table of a JATS source. One long row makes all others as long, so that a file
of 1 MB could ask for 400 million; larger tables keep their caption."""


@dataclass(frozen=True, slots=True)
class WrittenAuthor:
    """An author with the affiliations and the address that the source names."""

    given: str
    family: str
    affiliations: tuple[str, ...] = ()
    email: str | None = None


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
    authors: tuple[WrittenAuthor, ...] = ()
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

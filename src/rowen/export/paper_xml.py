"""Papers as XML in a plain form, with the names of the JSON form."""

from collections.abc import Iterable
from itertools import chain

from rowen.citations.citation import Citation, Name
from rowen.export.xml_elements import Elements, attribute, element, leaf, written
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
    ]
    for citation in paper.citations:
        inner += element("citation", _citation(citation))
    for section in paper.body:
        inner += element("section", _section(section))
    return written(element("paper", inner, f' file="{attribute(file)}"'))


def _section(section: Section) -> Elements:
    markers = [
        f'<marker start="{marker.start}" end="{marker.end}"'
        f' citations="{" ".join(map(str, marker.citations))}" />'
        for marker in section.markers
    ]
    return [*leaf("heading", section.heading), *leaf("text", section.text), *markers]


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
    ]

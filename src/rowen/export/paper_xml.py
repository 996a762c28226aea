"""Papers as XML: in a plain form with the names of the JSON form, and as TEI, as GROBID does."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from rowen.citations.citation import Citation, Name
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TEI = "http://www.tei-c.org/ns/1.0"
_IN_ATTRIBUTES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}

PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'

Elements: TypeAlias = list[str]
"""Elements as lines: one string per start tag, end tag or element with text.

Papers are written as often as they are read, and building trees of elements took half of that time.
"""


def plain_xml(paper: Paper, *, file: str) -> str:
    """The paper as an element with the names of the JSON form."""
    inner = [
        *_leaf("title", paper.title),
        *chain.from_iterable(_element("author", _author(author)) for author in paper.authors),
        *_leaf("abstract", paper.abstract),
        *chain.from_iterable(_leaf("keyword", keyword) for keyword in paper.keywords),
        *_leaf("doi", paper.doi),
        *_leaf("date", paper.date),
    ]
    for citation in paper.citations:
        inner += _element("citation", _citation(citation))
    for section in paper.body:
        inner += _element("section", _section(section))
    return _written(_element("paper", inner, f' file="{_attribute(file)}"'))


def tei_xml(paper: Paper, *, file: str, references: Elements | None = None) -> str:
    """The paper as a TEI element; `references` are its citations as elements."""
    listed = tei_references(paper.citations) if references is None else references
    main = ' level="a" type="main"'
    profile = []
    if paper.keywords:
        terms = chain.from_iterable(_leaf("term", keyword) for keyword in paper.keywords)
        profile += _element("textClass", _element("keywords", list(terms)))
    if paper.abstract:
        profile += _element("abstract", _leaf("p", paper.abstract))
    authors = (_element("author", _tei_author(author)) for author in paper.authors)
    analytic = [*chain.from_iterable(authors), *_leaf("title", paper.title, main)]
    source = [
        *_element("analytic", analytic),
        *_element("monogr", []),
        *_leaf("idno", paper.doi, ' type="DOI"'),
    ]
    description = [
        *_element("titleStmt", _leaf("title", paper.title or file, main)),
        *_element("publicationStmt", _leaf("date", paper.date)),
        *_element("sourceDesc", _element("biblStruct", source)),
    ]
    header = [*_element("fileDesc", description), *_element("profileDesc", profile)]
    sections = chain.from_iterable(_element("div", _division(section)) for section in paper.body)
    back = _element("div", _element("listBibl", listed), ' type="references"')
    text = [*_element("body", list(sections)), *_element("back", back)]
    root = [*_element("teiHeader", header), *_element("text", text)]
    return _written(_element("TEI", root, f' xmlns="{TEI}"'))


def tei_references(citations: Sequence[Citation]) -> Elements:
    """The references of a TEI element."""
    elements: Elements = []
    for number, citation in enumerate(citations):
        elements += _element("biblStruct", _tei_citation(citation), f' xml:id="b{number}"')
    return elements


def _section(section: Section) -> Elements:
    markers = [
        f'<marker start="{marker.start}" end="{marker.end}"'
        f' citations="{" ".join(map(str, marker.citations))}" />'
        for marker in section.markers
    ]
    return [*_leaf("heading", section.heading), *_leaf("text", section.text), *markers]


def _division(section: Section) -> Elements:
    """A section's text with a `<ref>` for each citation marker."""
    # One string, not lines of its own: blanks between lines would become part of the text.
    text = section.text
    if not text:
        return _leaf("head", section.heading)
    starts = [*(marker.start for marker in section.markers), len(text)]
    written = [_escaped(text[: starts[0]])]
    for marker, end in zip(section.markers, starts[1:], strict=True):
        target = " ".join(f"#b{citation}" for citation in marker.citations)
        shown = f' target="{target}"' if target else ""
        within = _escaped(text[marker.start : marker.end])
        pointer = f'<ref type="bibr"{shown}>{within}</ref>'
        written += [pointer, _escaped(text[marker.end : end])]
    return [*_leaf("head", section.heading), f"<p>{''.join(written)}</p>"]


def _author(author: Author) -> Elements:
    affiliations = (_leaf("affiliation", affiliation) for affiliation in author.affiliations)
    return [
        *_leaf("given", author.given),
        *_leaf("family", author.family),
        *chain.from_iterable(affiliations),
        *_leaf("email", author.email),
    ]


def _names(tag: str, names: Iterable[Name]) -> Elements:
    elements: Elements = []
    for name in names:
        elements += _element(tag, [*_leaf("given", name.given), *_leaf("family", name.family)])
    return elements


def _citation(citation: Citation) -> Elements:
    return [
        *_names("author", citation.authors),
        *_leaf("title", citation.title),
        *_leaf("container", citation.container),
        *_leaf("year", citation.year),
        *_leaf("volume", citation.volume),
        *_leaf("issue", citation.issue),
        *_leaf("pages", citation.pages),
        *_leaf("publisher", citation.publisher),
        *_leaf("place", citation.place),
        *_names("editor", citation.editors),
        *_leaf("doi", citation.doi),
        *_leaf("url", citation.url),
        *_leaf("note", citation.note),
        *_leaf("raw", citation.raw),
    ]


def _person(forename: str, family: str) -> Elements:
    return _element("persName", [*_leaf("forename", forename), *_leaf("surname", family)])


def _people(tag: str, names: Iterable[Name]) -> Elements:
    elements: Elements = []
    for name in names:
        elements += _element(tag, _person(name.given, name.family))
    return elements


def _tei_author(author: Author) -> Elements:
    affiliations = (_leaf("affiliation", affiliation) for affiliation in author.affiliations)
    return [
        *_person(author.given, author.family),
        *_leaf("email", author.email),
        *chain.from_iterable(affiliations),
    ]


def _tei_citation(citation: Citation) -> Elements:
    authors = _people("author", citation.authors)
    imprint = [
        *_leaf("publisher", citation.publisher),
        *_leaf("pubPlace", citation.place),
        *_leaf("date", citation.year),
        *_leaf("biblScope", citation.volume, ' unit="volume"'),
        *_leaf("biblScope", citation.issue, ' unit="issue"'),
        *_leaf("biblScope", citation.pages, ' unit="page"'),
    ]
    ends = [*_people("editor", citation.editors), *_element("imprint", imprint)]
    if citation.container:
        elements = [
            *_element("analytic", [*_leaf("title", citation.title, ' level="a"'), *authors]),
            *_element("monogr", [*_leaf("title", citation.container, ' level="j"'), *ends]),
        ]
    else:
        elements = _element(
            "monogr", [*authors, *_leaf("title", citation.title, ' level="m"'), *ends]
        )
    elements += _leaf("idno", citation.doi, ' type="DOI"')
    if citation.url:
        elements.append(f'<ptr target="{_attribute(citation.url)}" />')
    return [*elements, *_leaf("note", citation.raw, ' type="raw_reference"')]


def _element(tag: str, inner: Elements, attributes: str = "") -> Elements:
    if not inner:
        return [f"<{tag}{attributes} />"]
    return [f"<{tag}{attributes}>", *[f"  {line}" for line in inner], f"</{tag}>"]


def _leaf(tag: str, text: str | None, attributes: str = "") -> Elements:
    return [f"<{tag}{attributes}>{_escaped(text)}</{tag}>"] if text else []


def _escaped(text: str) -> str:
    """Text with `&`, `<` and `>` escaped, and U+FFFD for what XML 1.0 does not allow."""
    if not text.isprintable():  # every printable character is allowed
        text = _FORBIDDEN.sub("\ufffd", text)
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text


def _attribute(text: str) -> str:
    escaped = _escaped(text)
    for sign, name in _IN_ATTRIBUTES.items():
        escaped = escaped.replace(sign, name)
    return escaped


def _written(elements: Elements) -> str:
    return "\n".join(elements) + "\n"

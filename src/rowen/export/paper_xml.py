"""Papers as XML: in a plain form of our own, and as TEI, which GROBID's users read."""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rowen.scholar.body import Section
from rowen.scholar.citations.citation import Citation, Name
from rowen.scholar.paper import Paper
from rowen.scholar.people import Author

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TEI = "http://www.tei-c.org/ns/1.0"


PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'


def plain_xml(paper: Paper, *, file: str) -> str:
    """The paper as an element with the names of the JSON form."""
    root = Element("paper", {"file": _allowed(file)})
    _add(root, "title", paper.title)
    for author in paper.authors:
        _add_author(SubElement(root, "author"), author)
    _add(root, "abstract", paper.abstract)
    for keyword in paper.keywords:
        _add(root, "keyword", keyword)
    _add(root, "doi", paper.doi)
    _add(root, "date", paper.date)
    for citation in paper.citations:
        _add_citation(SubElement(root, "citation"), citation)
    for section in paper.body:
        element = SubElement(root, "section")
        _add(element, "heading", section.heading)
        _add(element, "text", section.text)
        for marker in section.markers:
            places = {"start": str(marker.start), "end": str(marker.end)}
            cited = " ".join(map(str, marker.citations))
            SubElement(element, "marker", {**places, "citations": cited})
    indent(root)
    return _written(root)


def tei_xml(paper: Paper, *, file: str) -> str:
    """The paper as a TEI element."""
    root = Element("TEI", {"xmlns": TEI})
    header = SubElement(root, "teiHeader")
    description = SubElement(header, "fileDesc")
    statement = SubElement(description, "titleStmt")
    _add(statement, "title", paper.title or file, level="a", type="main")
    published = SubElement(description, "publicationStmt")
    _add(published, "date", paper.date)
    source = SubElement(SubElement(description, "sourceDesc"), "biblStruct")
    analytic = SubElement(source, "analytic")
    for author in paper.authors:
        _add_tei_author(SubElement(analytic, "author"), author)
    _add(analytic, "title", paper.title, level="a", type="main")
    SubElement(source, "monogr")
    _add(source, "idno", paper.doi, type="DOI")
    profile = SubElement(header, "profileDesc")
    if paper.keywords:
        terms = SubElement(SubElement(profile, "textClass"), "keywords")
        for keyword in paper.keywords:
            _add(terms, "term", keyword)
    if paper.abstract:
        _add(SubElement(profile, "abstract"), "p", paper.abstract)
    text = SubElement(root, "text")
    body = SubElement(text, "body")
    paragraphs = []
    for section in paper.body:
        division = SubElement(body, "div")
        _add(division, "head", section.heading)
        if section.text:
            paragraphs.append((SubElement(division, "p"), section))
    references = SubElement(
        SubElement(SubElement(text, "back"), "div", {"type": "references"}), "listBibl"
    )
    for number, citation in enumerate(paper.citations):
        element = SubElement(references, "biblStruct", {"xml:id": f"b{number}"})
        _add_tei_citation(element, citation)
    indent(root)
    for paragraph, section in paragraphs:  # their blanks are text
        _fill(paragraph, section)
    return _written(root)


def _fill(paragraph: Element, section: Section) -> None:
    """A section's text with a pointer in place of each marker."""
    starts = [*(marker.start for marker in section.markers), len(section.text)]
    paragraph.text = _allowed(section.text[: starts[0]])
    for marker, end in zip(section.markers, starts[1:], strict=True):
        pointer = SubElement(paragraph, "ref", {"type": "bibr"})
        if marker.citations:
            pointer.set("target", " ".join(f"#b{one}" for one in marker.citations))
        pointer.text = _allowed(section.text[marker.start : marker.end])
        pointer.tail = _allowed(section.text[marker.end : end])


def _add(parent: Element, tag: str, text: str | None, **attributes: str) -> None:
    if text:
        SubElement(parent, tag, attributes).text = _allowed(text)


def _add_author(element: Element, author: Author) -> None:
    _add(element, "given", author.given)
    _add(element, "family", author.family)
    for affiliation in author.affiliations:
        _add(element, "affiliation", affiliation)
    _add(element, "email", author.email)


def _add_names(parent: Element, tag: str, names: Iterable[Name]) -> None:
    for name in names:
        element = SubElement(parent, tag)
        _add(element, "given", name.given)
        _add(element, "family", name.family)


def _add_citation(element: Element, citation: Citation) -> None:
    _add_names(element, "author", citation.authors)
    for tag in ("title", "container", "year", "volume", "issue", "pages", "publisher", "place"):
        _add(element, tag, getattr(citation, tag))
    _add_names(element, "editor", citation.editors)
    for tag in ("doi", "url", "note", "raw"):
        _add(element, tag, getattr(citation, tag))


def _add_person(parent: Element, given: str, family: str) -> None:
    person = SubElement(parent, "persName")
    _add(person, "forename", given)
    _add(person, "surname", family)


def _add_tei_author(element: Element, author: Author) -> None:
    _add_person(element, author.given, author.family)
    _add(element, "email", author.email)
    for affiliation in author.affiliations:
        _add(element, "affiliation", affiliation)


def _add_tei_citation(element: Element, citation: Citation) -> None:
    if citation.container:
        analytic = SubElement(element, "analytic")
        _add(analytic, "title", citation.title, level="a")
    monograph = SubElement(element, "monogr")
    for name in citation.authors:
        _add_person(
            SubElement(analytic if citation.container else monograph, "author"),
            name.given,
            name.family,
        )
    _add(
        monograph,
        "title",
        citation.container or citation.title,
        level="j" if citation.container else "m",
    )
    for name in citation.editors:
        _add_person(SubElement(monograph, "editor"), name.given, name.family)
    imprint = SubElement(monograph, "imprint")
    _add(imprint, "publisher", citation.publisher)
    _add(imprint, "pubPlace", citation.place)
    _add(imprint, "date", citation.year)
    _add(imprint, "biblScope", citation.volume, unit="volume")
    _add(imprint, "biblScope", citation.issue, unit="issue")
    _add(imprint, "biblScope", citation.pages, unit="page")
    _add(element, "idno", citation.doi, type="DOI")
    if citation.url:
        SubElement(element, "ptr", {"target": _allowed(citation.url)})
    _add(element, "note", citation.raw, type="raw_reference")


def _allowed(text: str) -> str:
    """Text without what XML can't hold."""
    return _FORBIDDEN.sub("\ufffd", text)


def _written(root: Element) -> str:
    return tostring(root, encoding="unicode") + "\n"

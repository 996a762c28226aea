"""Papers as XML: what is written equals what a tree of elements would be."""

import re
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

import hypothesis.strategies as st
from hypothesis import given, settings

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.export.paper_xml import TEI, plain_xml, tei_references, tei_xml
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

# The reference: trees of elements, indented and written by the standard library.

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def allowed(text):
    return FORBIDDEN.sub("\ufffd", text)


def add(parent, tag, text, **attributes):
    if text:
        SubElement(parent, tag, attributes).text = allowed(text)


def add_all(parent, tags, source):
    for tag in tags:
        add(parent, tag, getattr(source, tag))


def add_names(parent, tag, names):
    for name in names:
        add_all(SubElement(parent, tag), ("given", "family"), name)


def plain_tree(paper, file):
    root = Element("paper", {"file": allowed(file)})
    add(root, "title", paper.title)
    for author in paper.authors:
        element = SubElement(root, "author")
        add_all(element, ("given", "family"), author)
        for affiliation in author.affiliations:
            add(element, "affiliation", affiliation)
        add(element, "email", author.email)
    add(root, "abstract", paper.abstract)
    for keyword in paper.keywords:
        add(root, "keyword", keyword)
    add_all(root, ("doi", "date"), paper)
    for citation in paper.citations:
        element = SubElement(root, "citation")
        add_names(element, "author", citation.authors)
        fields = ("title", "container", "year", "volume", "issue", "pages", "publisher", "place")
        add_all(element, fields, citation)
        add_names(element, "editor", citation.editors)
        add_all(element, ("doi", "url", "note", "raw"), citation)
    for section in paper.body:
        element = SubElement(root, "section")
        add_all(element, ("heading", "text"), section)
        for marker in section.markers:
            places = {"start": str(marker.start), "end": str(marker.end)}
            cited = " ".join(map(str, marker.citations))
            SubElement(element, "marker", {**places, "citations": cited})
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def add_person(parent, tag, person):
    element = SubElement(SubElement(parent, tag), "persName")
    add(element, "forename", person.given)
    add(element, "surname", person.family)


def add_tei_citation(element, citation):
    if citation.container:
        analytic = SubElement(element, "analytic")
        add(analytic, "title", citation.title, level="a")
    monograph = SubElement(element, "monogr")
    for name in citation.authors:
        add_person(analytic if citation.container else monograph, "author", name)
    level = "j" if citation.container else "m"
    add(monograph, "title", citation.container or citation.title, level=level)
    for name in citation.editors:
        add_person(monograph, "editor", name)
    imprint = SubElement(monograph, "imprint")
    add(imprint, "publisher", citation.publisher)
    add(imprint, "pubPlace", citation.place)
    add(imprint, "date", citation.year)
    add(imprint, "biblScope", citation.volume, unit="volume")
    add(imprint, "biblScope", citation.issue, unit="issue")
    add(imprint, "biblScope", citation.pages, unit="page")
    add(element, "idno", citation.doi, type="DOI")
    if citation.url:
        SubElement(element, "ptr", {"target": allowed(citation.url)})
    add(element, "note", citation.raw, type="raw_reference")


def add_tei_header(root, paper, file):
    header = SubElement(root, "teiHeader")
    description = SubElement(header, "fileDesc")
    statement = SubElement(description, "titleStmt")
    add(statement, "title", paper.title or file, level="a", type="main")
    add(SubElement(description, "publicationStmt"), "date", paper.date)
    source = SubElement(SubElement(description, "sourceDesc"), "biblStruct")
    analytic = SubElement(source, "analytic")
    for author in paper.authors:
        add_person(analytic, "author", author)
        add(analytic[-1], "email", author.email)
        for affiliation in author.affiliations:
            add(analytic[-1], "affiliation", affiliation)
    add(analytic, "title", paper.title, level="a", type="main")
    SubElement(source, "monogr")
    add(source, "idno", paper.doi, type="DOI")
    profile = SubElement(header, "profileDesc")
    if paper.keywords:
        terms = SubElement(SubElement(profile, "textClass"), "keywords")
        for keyword in paper.keywords:
            add(terms, "term", keyword)
    if paper.abstract:
        add(SubElement(profile, "abstract"), "p", paper.abstract)


def tei_tree(paper, file):
    root = Element("TEI", {"xmlns": TEI})
    add_tei_header(root, paper, file)
    text = SubElement(root, "text")
    body = SubElement(text, "body")
    paragraphs = []
    for section in paper.body:
        division = SubElement(body, "div")
        add(division, "head", section.heading)
        if section.text:
            paragraphs.append((SubElement(division, "p"), section))
    back = SubElement(SubElement(text, "back"), "div", {"type": "references"})
    references = SubElement(back, "listBibl")
    for number, citation in enumerate(paper.citations):
        element = SubElement(references, "biblStruct", {"xml:id": f"b{number}"})
        add_tei_citation(element, citation)
    ET.indent(root)
    for paragraph, section in paragraphs:  # their blanks are text
        starts = [*(marker.start for marker in section.markers), len(section.text)]
        paragraph.text = allowed(section.text[: starts[0]])
        for marker, end in zip(section.markers, starts[1:], strict=True):
            pointer = SubElement(paragraph, "ref", {"type": "bibr"})
            if marker.citations:
                pointer.set("target", " ".join(f"#b{one}" for one in marker.citations))
            pointer.text = allowed(section.text[marker.start : marker.end])
            pointer.tail = allowed(section.text[marker.end : end])
    return ET.tostring(root, encoding="unicode") + "\n"


TEXTS = st.text(st.characters() | st.sampled_from("<>&\"'\t\n\r \x00\ufffe"), max_size=8)
WORDS = st.none() | TEXTS
NAMES = st.lists(st.builds(Name, TEXTS, TEXTS), max_size=2).map(tuple)
CITATIONS = st.builds(
    Citation, TEXTS, st.just({}), NAMES, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS,
    NAMES, WORDS, WORDS, WORDS,
)  # fmt: skip


@st.composite
def sections(draw):
    text = draw(st.text(st.sampled_from("ab <&>[1]\n\x01"), max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    cited = st.lists(st.integers(0, 3), max_size=2).map(tuple)
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    # An empty pointer is written as one that has text would not be; markers are never empty.
    markers = tuple(Marker(start, end, draw(cited)) for start, end in pairs)
    return Section(draw(WORDS), text, markers)


LISTS = st.lists(TEXTS, max_size=2).map(tuple)
PAPERS = st.builds(
    Paper,
    WORDS,
    st.lists(st.builds(Author, TEXTS, TEXTS, LISTS, WORDS), max_size=2).map(tuple),
    WORDS,
    LISTS,
    WORDS,
    WORDS,
    st.lists(CITATIONS, max_size=3).map(tuple),
    st.lists(sections(), max_size=3).map(tuple),
    TEXTS,
)


@settings(deadline=None)
@given(PAPERS, TEXTS)
def test_a_paper_is_written_as_a_tree_of_elements_would_be(paper, file):
    assert plain_xml(paper, file=file) == plain_tree(paper, file)
    assert tei_xml(paper, file=file) == tei_tree(paper, file)


@given(PAPERS)
def test_references_that_are_known_are_written_as_they_are(paper):
    known = tei_references(paper.citations)
    assert tei_xml(paper, file="a", references=known) == tei_xml(paper, file="a")

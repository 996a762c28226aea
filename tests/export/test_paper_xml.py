"""Papers as XML: what is written equals what a tree of elements would be."""

import re
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element, SubElement

from hypothesis import given, settings
from papers_made_up import PAPERS, TEXTS

from rowen.export.paper_xml import plain_xml

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


@settings(deadline=None)
@given(PAPERS, TEXTS)
def test_a_paper_is_written_as_a_tree_of_elements_would_be(paper, file):
    assert plain_xml(paper, file=file) == plain_tree(paper, file)

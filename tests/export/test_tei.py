"""Papers as TEI: all that the JSON has, where readers of GROBID's files look for it."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from grobid_tei_xml import parse_document_xml
from hypothesis import given, settings
from hypothesis import strategies as st
from papers_made_up import PAPERS, TEXTS

import rowen
from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.export.marker_parts import parts_of
from rowen.export.organisation import organisation_of
from rowen.export.tei import RELEASED, TEI, tei_references, tei_xml
from rowen.export.tei_options import TeiOptions
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

SAMPLES = Path(rowen.__file__).parent / "samples"
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

PAPER = Paper(
    title="On the origin of wrappers",
    authors=(
        Author(
            "Ada B. C.", "Lovelace", ("Dept. of Engines, University of London, London, UK",),
            "a@b.org",
        ),
        Author("", "The Wrapper Consortium"),
    ),
    abstract="We wrap.",
    keywords=("wrappers", "pages"),
    doi="10.1000/182",
    date="May 3, 2018",
    citations=(
        Citation(
            "Smith, A. (2020). On pages. Journal of Webs, 3(2), 14-15.", {}, (Name("A.", "Smith"),),
            "On pages", "Journal of Webs", "2020", "3", "2", "14-15", doi="10.1/2",
            url="http://x.org/a",
        ),
        Citation(
            "Doe. Books. Springer, Berlin, 1999.", {}, (), "Books", None, "1999",
            publisher="Springer", place="Berlin",
        ),
        Citation(
            "In Proceedings of X, 2001.", {}, (), "A talk", "Proceedings of X", "2001",
            editors=(Name("E.", "Ditor"),), note="in press",
        ),
    ),
    body=(
        Section("1. Introduction", "As shown [1].", (Marker(9, 12, (0,)),)),
        Section("A Method", "Plain."),
    ),
    text="",
)  # fmt: skip


def allowed(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)


def texts(root: ET.Element, path: str) -> list[str]:
    return [found.text or "" for found in root.findall(path.replace("@@", f"{{{TEI}}}"))]


def test_a_reader_of_grobids_files_finds_header_and_references():
    document = parse_document_xml(tei_xml(PAPER, file="a.pdf"))
    header = document.header
    assert (header.title, header.doi, header.date) == (PAPER.title, PAPER.doi, "2018-05-03")
    first, second = header.authors
    assert (first.given_name, first.middle_name, first.surname) == ("Ada", "B. C.", "Lovelace")
    assert first.email == "a@b.org"
    assert first.affiliation.department == "Dept. of Engines"
    assert first.affiliation.institution == "University of London"
    assert first.affiliation.address.addr_line == "London, UK"
    assert second.full_name == "The Wrapper Consortium"
    assert document.abstract == "We wrap."
    assert document.body.split() == [
        "Introduction",
        "As",
        "shown",
        "[1]",
        ".",
        "A",
        "Method",
        "Plain.",
    ]
    article, book, talk = document.citations
    assert (article.title, article.journal, article.date) == ("On pages", "Journal of Webs", "2020")
    assert (article.volume, article.issue, article.pages) == ("3", "2", "14-15")
    assert (article.doi, article.url) == ("10.1/2", "http://x.org/a")
    assert article.unstructured == PAPER.citations[0].raw
    assert (book.title, book.publisher, book.date) == ("Books", "Springer", "1999")
    assert (talk.title, talk.book_title, talk.note) == ("A talk", "Proceedings of X", "in press")
    assert talk.editors[0].surname == "Ditor"


def test_the_number_of_a_heading_is_an_attribute():
    root = ET.fromstring(tei_xml(PAPER, file="a.pdf"))
    heads = root.findall(f".//{{{TEI}}}head")
    assert [(head.get("n"), head.text) for head in heads] == [
        ("1", "Introduction"), (None, "A Method"),
    ]  # fmt: skip


def test_printed_strings_are_left_out_on_request():
    options = TeiOptions(raw_citations=False, raw_affiliations=False)
    assert "raw_" in tei_xml(PAPER, file="a.pdf")
    assert "raw_" not in tei_xml(PAPER, file="a.pdf", options=options)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("**/*.pdf")), ids=lambda path: path.name)
def test_real_papers_come_back_whole(path):
    paper = rowen.read_paper(path)
    document = parse_document_xml(tei_xml(paper, file=path.name))
    assert document.header.title == paper.title
    assert [author.surname for author in document.header.authors] == [
        author.family for author in paper.authors
    ]
    assert [citation.unstructured for citation in document.citations] == [
        citation.raw for citation in paper.citations
    ]
    assert [citation.title for citation in document.citations] == [
        citation.title or citation.container for citation in paper.citations
    ]


@settings(deadline=None)
@given(PAPERS, TEXTS)
def test_every_text_of_a_paper_is_in_its_place(paper, file):
    root = ET.fromstring(tei_xml(paper, file=file))
    header = "./@@teiHeader"
    assert texts(root, f"{header}//@@titleStmt/@@title") == [  # an empty one for no title
        ET.fromstring(f"<a>{_escaped(title)}</a>").text or "" for title in [paper.title or file]
    ]
    kept = [_read(keyword) for keyword in paper.keywords if keyword]
    assert texts(root, f"{header}//@@term") == kept
    assert texts(root, f"{header}//@@surname") == [
        _read(author.family) for author in paper.authors if author.family
    ]
    assert texts(root, f"{header}//@@idno[@type='DOI']") == (
        [_read(paper.doi)] if paper.doi else []
    )
    listed = root.findall(f".//{{{TEI}}}listBibl/{{{TEI}}}biblStruct")
    assert len(listed) == len(paper.citations)
    for bibl, citation in zip(listed, paper.citations, strict=True):
        raw = "./@@note[@type='raw_reference']"
        assert texts(bibl, raw) == ([_read(citation.raw)] if citation.raw else [])
        for field, path in (
            (citation.volume, ".//@@biblScope[@unit='volume']"),
            (citation.pages, ".//@@biblScope[@unit='page']"),
            (citation.publisher, ".//@@publisher"),
            (citation.doi, "./@@idno"),
            (citation.year, ".//@@date"),
        ):
            # An imprint without anything has an empty date.
            assert list(filter(None, texts(bibl, path))) == ([_read(field)] if field else [])


def _escaped(text: str) -> str:
    return allowed(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _read(text: str) -> str:
    """A text as an XML parser gives it: line ends are newlines."""
    return ET.fromstring(f"<a>{_escaped(text)}</a>").text or ""


@given(PAPERS)
def test_references_that_are_known_are_written_as_they_are(paper):
    known = tei_references(paper.citations)
    assert tei_xml(paper, file="a", references=known) == tei_xml(paper, file="a")


@pytest.mark.parametrize(
    ("affiliation", "units", "address"),
    [
        ("University of Turin", ["institution"], ""),
        ("Google", ["institution"], ""),
        ("Physics Laboratory, Dept. of Physics, MIT, Cambridge, MA 02139",
         ["laboratory", "department", "institution"], "Cambridge, MA 02139"),
        ("Oxford Robotics, University of Oxford, UK", ["institution", "institution"], "UK"),
        (" , ", [], ""),
    ],
)  # fmt: skip
def test_words_tell_the_parts_of_an_affiliation(affiliation, units, address):
    organisation = organisation_of(affiliation)
    assert [kind for kind, _ in organisation.units] == units
    assert organisation.address == address


@given(TEXTS)
def test_an_affiliation_loses_nothing_but_commas(affiliation):
    organisation = organisation_of(affiliation)
    parts = [name for _, name in organisation.units] + [organisation.address]
    together = ", ".join(part for part in parts if part)
    assert re.sub(r"[\s,]", "", together) == re.sub(r"[\s,]", "", affiliation)


def test_the_date_of_the_version_is_that_of_the_changelog():
    changelog = Path(__file__).parents[2] / "CHANGELOG.md"
    assert (
        re.search(r"^## [\d.]+ \((.+)\)$", changelog.read_text("utf-8"), re.MULTILINE)[1]
        == RELEASED
    )


@pytest.mark.parametrize(
    ("text", "citations", "parts"),
    [
        ("[3, 5-7]", (2, 4, 5, 6), [("[3, ", 2), ("5-", 4), ("", 5), ("7]", 6)]),
        ("[1]-[3]", (0, 1, 2), [("[1]-", 0), ("", 1), ("[3]", 2)]),
        ("[4]", (3,), [("[4]", 3)]),
        ("(Smith, 2004; Doe, 2010)", (7, 1), [("(Smith, 2004; ", 7), ("Doe, 2010)", 1)]),
        ("(Smith 2004, 2005)", (1, 2), [("(Smith 2004, ", 1), ("2005)", 2)]),
        ("Smith (2004a,b)", (1, 2, 3), [("Smith (2004a,b)", 1), ("", 2), ("", 3)]),
        ("[9-2]", (8, 1), [("[9-2]", 8), ("", 1)]),
        ("[1-99999999]", (0,), [("[1-99999999]", 0)]),
        ("(?)", (), [("(?)", None)]),
    ],
)
def test_a_marker_has_a_part_for_each_work(text, citations, parts):
    assert parts_of(text, citations) == parts


@given(st.text("[1](5-9),; a", max_size=12), st.lists(st.integers(0, 9), max_size=5))
def test_parts_of_a_marker_lose_no_text_and_no_work(text, citations):
    parts = parts_of(text, citations)
    assert "".join(part for part, _ in parts) == text
    assert [citation for _, citation in parts if citation is not None] == citations

"""Papers from end to end, with the models that ship."""

import json
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import pdf

import rowen
from rowen.citations.citation import Citation, Name
from rowen.export.papers import written_papers
from rowen.model.errors import DocumentError
from rowen.papers.paper import Paper, Section
from rowen.papers.people import Author

PAPERS = Path(str(files("rowen.samples"))) / "papers"


@pytest.fixture(scope="module")
def two_columns():
    return rowen.read_paper(PAPERS / "jcon.00187.pdf")


def test_the_header_of_a_paper_in_two_columns(two_columns):
    assert two_columns.title == "FMIExchange.jl: Foreign Models Through a Familiar Interface"
    assert [author.family for author in two_columns.authors] == ["Bex", "Deconinck"]


def test_keywords_are_whole_where_a_line_divides_one(two_columns):
    assert two_columns.keywords == (
        "Julia", "Differential equation", "Functional Mock-up Interface", "Simulation",
        "Model Integration",
    )  # fmt: skip
    assert not any("lation, Model Integration" in one.text for one in two_columns.body)


def test_its_references_are_found_and_taken_apart(two_columns):
    assert len(two_columns.citations) == 6
    dois = {one.doi.lower() for one in two_columns.citations if one.doi}
    assert {"10.5334/jors.151", "10.3384/ecp21181297"} <= dois
    for citation in two_columns.citations:
        assert citation.page == 2
        assert all(0 <= left < right <= 612 for _, left, _, right, _ in citation.boxes)


def test_a_paper_in_one_column():
    paper = rowen.read_paper(str(PAPERS / "jose.00050.pdf"))
    assert paper.title == "Emacs-reveal: A software bundle to create OER presentations"
    assert [(one.given, one.family) for one in paper.authors] == [("Jens", "Lechtenbörger")]
    assert paper.doi == "10.21105/jose.00050"
    assert len(paper.citations) == 14
    assert any("presentations" in section.text for section in paper.body)


def test_bytes_are_as_good_as_a_path(two_columns):
    assert rowen.read_paper((PAPERS / "jcon.00187.pdf").read_bytes()) == two_columns


def test_a_scan_says_that_it_is_one():
    with pytest.raises(DocumentError, match="no text layer"):
        rowen.read_paper(pdf([[], []]))


ANY = st.text(max_size=20)


@given(ANY, ANY, ANY, st.booleans())
def test_every_format_holds_any_text(title, heading, raw, several):
    paper = Paper(
        title=title or None, authors=(Author("A", heading or "B", (raw,), None),), abstract=raw,
        keywords=(title,), doi=None, date=None,
        citations=(Citation(raw, {}, authors=(Name("", title),), title=heading or None),),
        body=(Section(heading or None, raw),), text=raw,
    )  # fmt: skip
    named = [("a.pdf", paper)] * (2 if several else 1)
    written = {
        kind: "".join(written_papers(named, kind, several=several))
        for kind in ("json", "xml", "tei", "bibtex", "csl", "text")
    }
    assert [json.loads(line)["title"] for line in written["json"].split("\n")[:-1]] == [
        title or None
    ] * len(named)
    assert len(json.loads(written["csl"])) == len(named)
    for kind in ("xml", "tei"):
        ET.fromstring(written[kind])

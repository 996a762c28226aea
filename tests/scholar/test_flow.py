"""Papers that come as plain text or as HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen.scholar.flow import html_paragraphs, paged, text_paragraphs
from rowen.scholar.paper import read_flow
from rowen.scholar.passages import joined

REFERENCES = [
    "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111.",
    "Lamport, L. (1978). Time, clocks, and the ordering of events. Comm. ACM, 21(7), 558-565.",
    "Shannon, C. E. (1948). A theory of communication. Bell Tech. Journal, 27(3), 379-423.",
]
BODY = (
    "Programs are read more often than they are written (Knuth, 1984), and what they say about "
    "time is seldom what happens (Lamport, 1978). We look at both and measure what is lost."
)
TEXT = "\n\n".join(
    [
        "How Programs Are Read Aloud by Their Authors",
        "Mary Smith and John Doe\nDepartment of Reading, University of Somewhere",
        "Abstract",
        "We ask authors to read their programs aloud. Most of them stop at the first comment.",
        "1 Introduction",
        BODY,
        "References",
        *REFERENCES,
    ]
)
HTML = f"""<!DOCTYPE html><html><head><title>Readings | A Site</title>
<meta name="citation_title" content="How Programs Are Read &amp; Heard">
<meta name="citation_author" content="Smith, Mary"><meta name="citation_author_institution"
 content="University of Somewhere"><meta name="citation_author" content="John Doe">
<meta name="citation_doi" content="doi:10.1234/abc.5"><meta name="DC.Date" content="2021-03-04">
</head><body><nav><a>Home</a> Contact</nav><h1>How Programs Are Read</h1>
<h2>Introduction</h2><p>{BODY}</p><h2>References</h2>
<ol>{"".join(f"<li>{one}</li>" for one in REFERENCES)}</ol><footer>All rights</footer></body>"""


def test_a_plain_text_has_header_citations_and_body():
    paper = read_flow(TEXT, html=False).paper
    assert paper.title == "How Programs Are Read Aloud by Their Authors"
    assert [author.family for author in paper.authors] == ["Smith", "Doe"]
    assert [citation.raw for citation in paper.citations] == REFERENCES
    assert [citation.year for citation in paper.citations] == ["1984", "1978", "1948"]
    assert any(section.text == BODY for section in paper.body)
    assert paper.text == TEXT


def test_a_page_has_what_its_tags_declare_and_what_it_shows():
    paper = read_flow(HTML, html=True).paper
    assert paper.title == "How Programs Are Read & Heard"
    assert [(one.given, one.family) for one in paper.authors] == [
        ("Mary", "Smith"),
        ("John", "Doe"),
    ]
    assert paper.authors[0].affiliations == ("University of Somewhere",)
    assert (paper.doi, paper.date) == ("10.1234/abc.5", "2021-03-04")
    assert [citation.raw for citation in paper.citations] == REFERENCES
    assert any(section.heading == "Introduction" for section in paper.body)
    assert "Contact" not in paper.text
    assert "All rights" not in paper.text


@pytest.mark.parametrize(("text", "html"), [(TEXT, False), (HTML, True)])
def test_what_flows_has_no_places_and_says_so(text, html):
    paper = read_flow(text, html=html).paper
    assert "no layout" in paper.warnings[0]
    assert all("page" not in one for one in paper.to_json()["citations"])


@pytest.mark.parametrize("text", ["", " \n\n\f\n", "word", "<p>", "1", "[1] [2] [3] [4]"])
@pytest.mark.parametrize("html", [False, True])
def test_texts_that_are_no_papers_give_what_little_there_is(text, html):
    paper = read_flow(text, html=html).paper
    assert paper.authors == ()
    assert paper.doi is None


def test_a_file_is_read_as_what_it_is(tmp_path):
    (tmp_path / "a.pdf").write_text(TEXT)
    (tmp_path / "b.txt").write_text(HTML)
    assert rowen.read_paper(tmp_path / "a.pdf").citations[0].title == "Literate programming"
    assert rowen.read_paper(tmp_path / "b.txt").doi == "10.1234/abc.5"
    assert rowen.read_paper(TEXT.encode()).title == "How Programs Are Read Aloud by Their Authors"


def test_a_list_that_was_made_one_line_of_is_a_list_again():
    listed = " ".join(f"[{k}] {one}" for k, one in enumerate(REFERENCES, 1))
    paper = read_flow(
        f"A Title of Some Words\n\n{BODY}\n\nReferences\n\n{listed}", html=False
    ).paper
    assert [citation.year for citation in paper.citations] == ["1984", "1978", "1948"]


def test_what_is_set_higher_is_known():
    [line] = paged(html_paragraphs("<p>As shown<sup>12</sup> by others<sup>3</sup></p>")).lines
    assert line.text == "As shown12 by others3"
    assert [line.text[slice(*span)] for span in line.raised] == ["12", "3"]


WORDS = st.lists(
    st.text("abcdeXYZ019.,;-/()", min_size=1, max_size=12), min_size=1, max_size=120
).map(" ".join)


@given(WORDS)
def test_wrapping_a_line_loses_nothing(line):
    whole = joined(paged(text_paragraphs(line)).lines)
    assert whole.replace(" ", "") == line.replace(" ", "")
    assert max(map(len, whole.split())) == max(map(len, line.split()))


@given(st.text(max_size=300), st.booleans())
def test_any_text_can_be_read(text, html):
    read_flow(text, html=html)

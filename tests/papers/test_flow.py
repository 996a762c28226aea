"""Papers that come as plain text or as HTML."""

import time

import pytest
import reference_flow
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen.papers import paper as paper_module
from rowen.papers.flow import declared_in, html_paragraphs, paged, signs, text_paragraphs
from rowen.papers.flow import html as flow_html
from rowen.papers.flow.declared import DECLARED_TAGS
from rowen.papers.flow.pages import FLOW_CHARACTERS, FLOW_LINES, FLOW_REFERENCES
from rowen.papers.paper import read_flow
from rowen.pdf.passages import joined
from rowen.text.character_references import decode, resolved
from rowen.text.html_tokens import tokenize

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
    assert all("page" not in one for one in paper.to_dict()["citations"])


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


def paragraphs_of(html):
    return html_paragraphs(tokenize(html))


def test_what_is_set_higher_is_known():
    [line] = paged(paragraphs_of("<p>As shown<sup>12</sup> by others<sup>3</sup></p>")).lines
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


def shown(html):
    return "\n\n".join("\n".join(paragraph.lines) for paragraph in paragraphs_of(html))


PIECES = [
    *("<p>", "</p>", "<br>", "<td>", "<h1>", "</h1>", "<b>", "<sup>", "</sup>", "<nav>", "</nav>"),
    *(
        "<form>",
        "</form>",
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        " ",
        "\n",
        "a ",
        "b&amp;c",
    ),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.integers(0, 8))
def test_what_is_not_read_of_a_page_is_shown_like_the_rest(page, limit):
    whole = shown(page)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow_html, "FLOW_LINES", limit)
        assert shown(page) == whole


def test_a_page_of_many_paragraphs_has_no_more_of_them_than_are_read():
    paragraphs = paragraphs_of("<p>x" * (2 * FLOW_LINES))
    assert len(paragraphs) <= FLOW_LINES + 2
    assert sum(paragraph.lines[-1].count("x") for paragraph in paragraphs) == 2 * FLOW_LINES


@pytest.mark.parametrize(
    "word", ["1", "x", "1-", "x- ", "http://a/ ", "10.1/", "(", "漢", "A. B/ "]
)
def test_no_line_is_longer_than_a_line_can_be(word):
    lines = paged(paragraphs_of("<p>" + word * 20_000)).lines
    assert max(len(line.text) for line in lines) <= 1_100
    assert "".join(line.text for line in lines).replace(" ", "") == (word * 20_000).replace(" ", "")


def cost(page):
    """The least processor time of two readings."""
    taken = []
    for _ in range(2):
        start = time.process_time()
        read_flow(page, html=True)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        ("", "1"),
        ("", "1-"),
        ("", "x- "),
        ("<aside>" * 4_000, "</nav>"),
        ("", "<nav><form>"),
        ("<title>", "x</title><title>"),
        ("", "<div>"),
        ("", "&copy<b>"),
    ],
)
def test_hostile_pages_cost_no_more_than_in_proportion(before, piece):
    few, many = (before + piece * (size // len(piece)) for size in (8_000, 64_000))
    # eight times as much costs sixty-four times as much where it is quadratic
    assert cost(many) < 24 * cost(few) + 0.2


TAGS = [
    *("<p>", "</p>", "<h1>", "</h1>", "<H2 x>", "<h7>", "<b>", "</B>", "<sup>", "</sup>", "<td>"),
    *(
        "</th>",
        "<br>",
        "</br>",
        "<nav>",
        "</nav>",
        "<svg/>",
        "<svg>",
        "</svg>",
        "<title>",
        "<title/>",
    ),
    *("</title>", "<select>", "</select>", "<form/>", "<blockquote>", "<noscript>", "<template>"),
    *(
        "<templates>",
        "<b\0>",
        "<bé>",
        "<!--c-->",
        "<?a>",
        "</>",
        "<",
        "<script>a</script>",
        "<style>",
    ),
    *("x", "y z", " ", "  ", "\n", "\t ", "\x0e", "\x0f", "\u00a0", "\u2028", "\ud800", "é", "漢"),
    *(
        "&amp;",
        "&am",
        "p;",
        "&copy",
        "it;",
        "&#65",
        "&#x41;",
        "&nbsp;",
        "<textarea>",
        "</textarea>",
    ),
]


@given(st.lists(st.sampled_from(TAGS), max_size=40).map("".join), st.sampled_from([1, 3, 1 << 16]))
def test_paragraphs_are_those_of_a_reader_of_single_tokens(page, batch):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signs, "_BATCH", batch)
        found = paragraphs_of(page)
    told = [(one.lines, one.size, one.bold) for one in found]
    assert told == reference_flow.html_paragraphs(page)


LINES = [
    *(
        "x",
        "y z w v",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\f",
        "\r\n",
        "\r",
        "\t",
        "\x0b",
        "\x0e",
        "1. ",
        "2. ",
    ),
    *("[1] ", "[2] ", "[3] ", "3. ", "A Title of", "a" * 130, "\u2028", "Introduction", "\x1c"),
]


@given(st.lists(st.sampled_from(LINES), max_size=40).map("".join))
def test_texts_are_cut_at_blank_lines_and_form_feeds(text):
    blocks = reference_flow.text_blocks(text)
    found = text_paragraphs(text)
    shown = [line for paragraph in found for line in paragraph.lines]
    assert "".join(shown) == "".join(line for _, lines in blocks for line in lines)
    starts = [paragraph.lines[0] for paragraph in found if paragraph.new_page]
    assert len(starts) == sum(first for first, _ in blocks)
    assert all(
        any(lines[0].startswith(start) for first, lines in blocks if first) for start in starts
    )


@given(st.text("&#xX;amplt019 =é", max_size=60))
def test_references_are_resolved_alike_with_and_without_the_way_back(text):
    assert resolved(text) == decode(text).text


MANY = 200_000


@pytest.mark.parametrize(
    "text",
    [
        "x\n" * MANY,
        "x\n\n" * MANY,
        "x\f" * MANY,
        "Some Words\n\n" * MANY,
        "[1] x\n" * MANY,
        "[1] " * 10 * MANY,
        "x" * 20 * MANY,
        "x " * 10 * MANY,
        "exam-\n" * MANY,
    ],
    ids=range(9),
)
def test_of_a_text_no_more_is_made_than_is_read(text):
    paragraphs = text_paragraphs(text)
    assert sum(len(paragraph.lines) for paragraph in paragraphs) <= FLOW_LINES + FLOW_CHARACTERS
    assert len(paragraphs) <= max(FLOW_LINES, FLOW_CHARACTERS // 4) + 2
    length = sum(len(line) for paragraph in paragraphs for line in paragraph.lines)
    assert length <= FLOW_CHARACTERS + 1


def test_warnings_say_what_is_not_read_of_a_text():
    read = read_flow("x\n\n" * (FLOW_LINES + 1), html=False)
    assert any("only the first" in warning for warning in read.warnings)
    assert not any("only" in warning for warning in read_flow("x\n\n" * 100, html=False).warnings)


AUTHOR = "<meta name=citation_author content='Family{}, A.'>"
PLACE = "<meta name=citation_author_institution content='Institute {}'>"


def test_meta_tags_are_bounded_and_that_is_said():
    page = AUTHOR.format(0) + "".join(PLACE.format(n) for n in range(DECLARED_TAGS + 5))
    declared = declared_in(tokenize(page))
    [author] = declared.authors
    assert len(author.affiliations) == DECLARED_TAGS - 1
    assert declared.warnings
    assert read_flow(page + "<p>x", html=True).warnings[-1] == declared.warnings[0]
    assert not declared_in(tokenize(AUTHOR.format(0) + PLACE.format(0))).warnings


def test_references_are_bounded_and_that_is_said(monkeypatch):
    assert FLOW_REFERENCES > 3_000
    monkeypatch.setattr(paper_module, "FLOW_REFERENCES", 2)
    read = read_flow(TEXT, html=False)
    assert len(read.paper.citations) == len(read.references) == 2
    assert any("only the first 2 of 3 references" in warning for warning in read.warnings)

"""Passages: every stretch of running text has its places on lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.pdf import Line
from rowen.pdf.passages import passage_of


def line(text, raised=()):
    return Line(
        text=text, page=0, block=0, left=0, bottom=0, right=9, top=9, baseline=0, size=9, font="",
        bold=False, italic=False, raised=raised, gaps=(), offsets=(0,) * len(text),
    )  # fmt: skip


LINES = st.lists(st.text("ab-‐ /文。", max_size=6).map(line), max_size=6)


@given(LINES)
def test_the_parts_of_lines_are_their_texts_less_hyphens(lines):
    passage = passage_of(lines)
    for one, (start, end) in zip(lines, passage.parts, strict=True):
        kept = passage.text[start:end]
        assert kept == one.text.strip() or kept + one.text.strip()[-1] == one.text.strip()


@given(LINES, st.data())
def test_a_stretch_is_found_on_its_lines(lines, data):
    passage = passage_of(lines)
    start = data.draw(st.integers(0, len(passage.text)))
    end = data.draw(st.integers(start, len(passage.text)))
    found = "".join(one.text[a:b] for one, a, b in passage.places(start, end))
    inside = {i for first, last in passage.parts for i in range(first, last)}
    assert found == "".join(passage.text[i] for i in range(start, end) if i in inside)
    assert all(passage.text[i] == " " for i in range(start, end) if i not in inside)


@given(st.lists(st.text("a1 ", min_size=1, max_size=5), min_size=1, max_size=4))
def test_what_is_raised_on_lines_is_raised_in_the_text(texts):
    lines = [
        line(text, tuple((i, i + 1) for i, letter in enumerate(text) if letter == "1"))
        for text in texts
    ]
    passage = passage_of(lines)
    raised = [i for start, end in passage.raised() for i in range(start, end)]
    assert raised == [i for i, letter in enumerate(passage.text) if letter == "1"]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("doi:10.1016/j.jml.", "2007.12.005.", "doi:10.1016/j.jml.2007.12.005."),
        ("https://doi.org/10.1016/", "j.econ.2010", "https://doi.org/10.1016/j.econ.2010"),
        ("doi: 10.1371/jour-", "nal.pone.0036789", "doi: 10.1371/journal.pone.0036789"),
        ("https://doi.", "org/10.1000/182", "https://doi.org/10.1000/182"),
        ("http://example.org/a-long-", "name/a.html", "http://example.org/a-long-name/a.html"),
        ("doi:10.1103/PhysRevB.50.", "17953", "doi:10.1103/PhysRevB.50.17953"),
        ("doi:10.1103/Phys.50.", "Accessed 12 May", "doi:10.1103/Phys.50. Accessed 12 May"),
        ("https://example.org/page", "Retrieved today", "https://example.org/page Retrieved today"),
        ("Jones A. Webs 10.", "2010;12:1-9", "Jones A. Webs 10. 2010;12:1-9"),
        ("and/or", "both of them", "and/or both of them"),
    ],
)  # fmt: skip
def test_addresses_go_on_behind_a_line_end_and_sentences_do_not(first, second, text):
    assert passage_of([line(first), line(second)]).text == text

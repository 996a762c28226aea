"""Lists of references, cut where each begins."""

from dataclasses import replace

import pytest
from pdfs import pdf

import rowen
from rowen.citations.segmentation import cut_references, footnoted_references
from rowen.pdf import Line, read_layout
from rowen.pdf.passages import joined

ENTRIES = [
    ("Adams, J., and Brown, K. (2001). A first title that takes", "two lines. Tests, 12, 1-10."),
    ("Clark, M. (1999). Another title broken into", "lines. Proceedings of Tests, 33-44."),
    ("Davis, P., Evans, Q., and Ford, R. (2010). The third is as", "long as others. Test Press."),
    ("Green, S. (2005). A fourth title that goes on until", "it ends. Tests, 13, 11-20."),
    ("Hill, T. and Irwin, U. (2007). The last of all, which", "ends here. Tests Today, 7, 1-2."),
]  # fmt: skip


LINE = Line("", 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 10.0, "f", False, False, (), (), ())  # noqa: FBT003


def lines(style):
    page, y = [], 700
    for i, (first, second) in enumerate(ENTRIES):
        left, more, gap, label = 72, 72, 0, ""
        if style == "numbered":
            label = f"[{i + 1}] "
        elif style == "dotted":
            label = f"{i + 1}. "
        elif style == "hanging":
            more = 90
        elif style == "spaced":
            gap = 8
        page += [(left, y, 10, label + first), (more, y - 12, 10, second)]
        y -= 24 + gap
    return read_layout(pdf([page])).lines


@pytest.mark.parametrize("style", ["numbered", "dotted", "hanging", "spaced", "plain"])
def test_references_are_cut_where_they_begin(style):
    cut = [joined(group) for group in cut_references(lines(style))]
    assert len(cut) == len(ENTRIES)
    for text, (first, second) in zip(cut, ENTRIES, strict=True):
        assert text.endswith(f"{first} {second}")


def test_years_that_begin_lines_are_no_labels():
    texts = ["[1] Adams, J. A title. Tests,", "12. 2001.", "[2] Clark, M. B. Tests,", "13. 1999."]
    page = [(72, 700 - 12 * i, 10, text) for i, text in enumerate(texts)]
    assert [len(group) for group in cut_references(read_layout(pdf([page])).lines)] == [2, 2]


def test_a_list_that_runs_to_the_left_hangs_at_its_right_edge():
    texts = ["كريم، سالم (1976)، مدخل", "ليلى، زيدان (1980)، قضايا", "سالم، هدى (1990)، الفكر"]
    page = []
    for i, text in enumerate([*texts, *texts]):
        page += [(90.0, text), (150.0 + i, "دراسات")] if i % 3 else [(120.0, text)]
    drawn = [
        replace(
            LINE, text=text, left=left, right=280.0 if text == "دراسات" else 300.0,
            baseline=700.0 - 12 * i,
        )
        for i, (left, text) in enumerate(page)
    ]  # fmt: skip
    cut = cut_references(drawn)
    assert [group[0].text for group in cut] == [*texts, *texts]


def test_no_lines_have_no_references():
    assert cut_references([]) == []


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("a con-", "sisting word", "a consisting word"),
        ("well-", "known", "well-known"),
        ("pages 12-", "15", "pages 12-15"),
        ("two", "words", "two words"),
        ("https://doi.org/10.1000/", "abc", "https://doi.org/10.1000/abc"),
    ],
)
def test_lines_are_joined_as_they_are_read(first, second, whole):
    found = read_layout(pdf([[(72, 700, 10, first), (72, 688, 10, second)]])).lines
    assert joined(found) == whole


def test_footnotes_that_cite_are_references_and_others_are_not():
    notes = [
        "1 Adams, J., A history of testing, London 1987, p. 12.",
        "2 The author thanks all who read this.",
        "3 See Clark, M., Tests and their makers, in: Testing, 4 (1999),",
        "pp. 33-44.",
    ]
    layout = read_layout(pdf([[(72, 200 - 10 * i, 8, note) for i, note in enumerate(notes)]]))
    found = [joined(group) for group in footnoted_references(layout.lines)]
    assert found == [notes[0], f"{notes[2]} {notes[3]}"]
    assert footnoted_references([]) == []


def test_a_paper_without_a_list_cites_in_its_footnotes():
    words = "running text of a paper that fills the lines of its only column from left to right"
    body = [(72, 700 - 12 * i, 10, words) for i in range(40)]
    notes = [
        (72, 200, 7, "1 Adams, J., A history of testing, London: Test Press 1987, pp. 12-14."),
        (72, 190, 7, "2 Clark, M., Tests and their makers, Journal of Testing 4 (1999), 33-44."),
    ]
    page = [(72, 740, 18, "On citing in footnotes"), *body, *notes]
    paper = rowen.read_paper(pdf([page]))
    assert [citation.authors[0].family for citation in paper.citations] == ["Adams", "Clark"]


def test_numbers_without_a_space_before_initials_begin_references():
    texts = ["1J. Smith, Tests 3, 14 (2007).", "2É. Masterly, Thesis (1988).", "Paris edition.",
             "3R. Ballagh and C. Savage, Tests (2000)."]  # fmt: skip
    page = [(72, 700 - 12 * i, 10, text) for i, text in enumerate(texts)]
    assert [len(group) for group in cut_references(read_layout(pdf([page])).lines)] == [1, 2, 1]

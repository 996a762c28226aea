"""Lines of PDFs: reading order, what is on a line, and files that are no good."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdfs import pdf

from rowen.model.errors import DocumentError
from rowen.scholar.layout import read_layout
from rowen.scholar.layout.furniture import furniture_of


def texts(pages, **options):
    return [line.text for line in read_layout(pdf(pages, **options)).lines]


def column(left, top, words, *, step=12, size=10):
    return [(left, top - step * i, size, word) for i, word in enumerate(words)]


LEFT = [f"left column line {i} has some words" for i in range(12)]
RIGHT = [f"right column line {i} has some words" for i in range(12)]


def test_lines_come_from_top_to_bottom_however_the_file_has_them():
    page = column(72, 700, LEFT)
    random.Random(1).shuffle(page)
    assert texts([page]) == LEFT


def test_two_columns_are_read_one_after_the_other():
    page = [*column(72, 700, LEFT), *column(320, 700, RIGHT)]
    random.Random(2).shuffle(page)
    assert texts([page]) == LEFT + RIGHT


def test_columns_need_not_be_level():
    page = [*column(72, 700, LEFT), *column(320, 695, RIGHT, step=13)]
    assert texts([page]) == LEFT + RIGHT


def test_a_title_across_both_columns_comes_first():
    title = "A title that stands across both of the columns of this page and beyond"
    page = [(90, 740, 14, title), *column(72, 700, LEFT), *column(320, 700, RIGHT)]
    assert texts([page]) == [title, *LEFT, *RIGHT]


def test_a_table_across_the_page_parts_the_columns_above_it_from_those_below():
    table = "a wide line of a caption that goes from the left column into the right one, far"
    page = [
        *column(72, 740, LEFT), *column(320, 740, RIGHT),
        (72, 560, 10, table),
        *column(72, 520, [f"lower {text}" for text in LEFT]),
        *column(320, 520, [f"lower {text}" for text in RIGHT]),
    ]  # fmt: skip
    lower = [f"lower {text}" for text in LEFT + RIGHT]
    assert texts([page]) == [*LEFT, *RIGHT, table, *lower]


def test_labels_of_references_are_no_column():
    page = [
        item
        for i in range(10)
        for item in [
            (72, 700 - 12 * i, 10, f"[{i + 1}]"),
            (100, 700 - 12 * i, 10, f"Reference {i}"),
        ]
    ]
    assert texts([page]) == [f"[{i + 1}] Reference {i}" for i in range(10)]


def test_raised_marks_stay_on_their_line_and_are_told():
    [line] = read_layout(pdf([[(72, 700, 12, "Ada Lovelace"), (144, 705, 7, "1,2")]])).lines
    assert line.text == "Ada Lovelace1,2"
    assert [line.text[start:end] for start, end in line.raised] == ["1,2"]


def test_wide_gaps_are_told():
    [line] = read_layout(
        pdf([[(72, 700, 12, "Ada Lovelace"), (300, 700, 12, "Grace Hopper")]])
    ).lines
    assert [line.text[: line.gaps[0]], line.text[line.gaps[0] + 1 :]] == [
        "Ada Lovelace",
        "Grace Hopper",
    ]


def test_type_is_told():
    title = "A title"
    big, small = read_layout(
        pdf([[(72, 740, 18, title), (72, 700, 9, "Some text")]], bold=frozenset({title}))
    ).lines
    assert (big.size, big.bold) == (18, True)
    assert (small.size, small.bold) == (9, False)


def test_ligatures_and_dashes_are_read_as_letters():
    assert texts([[(72, 700, 10, "café “quoted” 1–2")]]) == ["café “quoted” 1–2"]


def test_running_heads_and_page_numbers_are_furniture():
    pages = [
        [(72, 760, 8, f"Journal of Tests, page {i}"), *column(72, 680, LEFT), (300, 30, 8, str(i))]
        for i in range(1, 6)
    ]
    layout = read_layout(pdf(pages))
    gone = furniture_of(layout.lines, layout.pages)
    assert [line.text for i, line in enumerate(layout.lines) if i not in gone] == LEFT * 5


@pytest.mark.parametrize(
    "content",
    [b"", b"%PDF-1.4", b"no PDF at all", pdf([[(72, 700, 10, "text")]])[:200]],
    ids=["empty", "head only", "text", "truncated"],
)
def test_what_is_no_pdf_is_refused_with_a_reason(content):
    with pytest.raises(DocumentError, match="can't open it"):
        read_layout(content)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 500))
def test_damaged_files_give_lines_or_an_error(noise, at):
    whole = pdf([[(72, 700, 10, "some text")], [(72, 700, 10, "more")]])
    damaged = whole[:at] + noise + whole[at + len(noise) :]
    with suppress(DocumentError):
        read_layout(damaged)


def test_every_letter_of_a_line_has_a_source():
    papers = sorted((Path(__file__).parent / "papers").glob("*.pdf"))
    lines = [line for path in papers for line in read_layout(path).lines]
    assert any("\u0307" in line.text for line in lines)  # an accent that is no part of a letter
    for line in lines:
        assert len(line.sources) == len(line.text)
        assert all(line.text[gap] == " " for gap in line.gaps)

"""Lines of PDFs: reading order, what is on a line, and files that are no good."""

import random
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdfs import pdf

from rowen.model.errors import DocumentError
from rowen.pdf import read_layout
from rowen.pdf.furniture import furniture_of, is_drawn_rule, lone_edges


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


def test_labels_in_the_right_column_stay_with_their_texts():
    labels = [
        item
        for i in range(12)
        for item in [
            (315, 700 - 12 * i, 10, f"{i + 1}."),
            (340, 700 - 12 * i, 10, f"Reference number {i} with words"),
        ]
    ]
    found = texts([[*column(72, 700, LEFT), *labels]])
    assert found == LEFT + [f"{i + 1}. Reference number {i} with words" for i in range(12)]


@pytest.mark.parametrize(("left", "right"), [(LEFT, RIGHT[:5]), (LEFT[:5], RIGHT)])
def test_one_column_may_end_above_the_other(left, right):
    number = (295, 740 - 12 * 14, 10, "Page 123")
    page = [*column(72, 740, left), *column(320, 740, right), number]
    assert texts([page]) == [*left, *right, "Page 123"]


def test_the_right_column_may_begin_above_the_left_one():
    lower = [
        (left, baseline - 60, size, text) for left, baseline, size, text in column(72, 700, LEFT)
    ]
    assert texts([[*lower, *column(320, 700, RIGHT)]]) == LEFT + RIGHT


def test_text_far_below_a_column_is_not_part_of_it():
    wide = "A line of the abstract that goes across the whole of the page, from left to right edge"
    page = [
        *column(72, 740, LEFT[:6]), *column(320, 740, RIGHT),
        (72, 570, 11, "Abstract"), (72, 555, 10, wide), (72, 543, 10, wide),
    ]  # fmt: skip
    assert texts([page]) == [*LEFT[:6], *RIGHT, "Abstract", wide, wide]


def test_an_accent_that_is_set_for_itself_is_put_on_its_letter():
    page = [(72, 700, 10, "Muller"), (72 + 8.33, 700, 10, "¨"), (72, 688, 10, "and others")]
    assert texts([page]) == ["Müller", "and others"]


def test_raised_marks_stay_on_their_line_and_are_marked_as_raised():
    [line] = read_layout(pdf([[(72, 700, 12, "Ada Lovelace"), (144, 705, 7, "1,2")]])).lines
    assert line.text == "Ada Lovelace1,2"
    assert [line.text[start:end] for start, end in line.raised] == ["1,2"]


def test_wide_gaps_are_recorded():
    [line] = read_layout(
        pdf([[(72, 700, 12, "Ada Lovelace"), (300, 700, 12, "Grace Hopper")]])
    ).lines
    assert [line.text[: line.gaps[0]], line.text[line.gaps[0] + 1 :]] == [
        "Ada Lovelace",
        "Grace Hopper",
    ]


def test_the_type_is_detected():
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


def test_a_title_that_running_heads_repeat_is_no_furniture():
    title = "A title at the top"
    pages = [[(72, 760, 20, title), *column(72, 680, LEFT)]]
    pages += [[(72, 760, 8, title), *column(72, 680, LEFT)] for _ in range(4)]
    layout = read_layout(pdf(pages))
    gone = furniture_of(layout.lines, layout.pages)
    assert [i for i, line in enumerate(layout.lines) if line.text == title and i not in gone] == [0]


def test_a_year_at_the_foot_of_a_page_is_no_page_number():
    layout = read_layout(pdf([[*column(72, 680, LEFT), (72, 40, 8, "(2014).")]]))
    assert not furniture_of(layout.lines, layout.pages)


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


def test_every_letter_of_a_line_has_a_place():
    papers = sorted((Path(str(files("rowen.samples"))) / "papers").glob("*.pdf"))
    lines = [line for path in papers for line in read_layout(path).lines]
    assert any("\u0307" in line.text for line in lines)  # an accent that is no part of a letter
    for line in lines:
        assert len(line.offsets) == len(line.text)
        places = [line.box_of(i, i + 1) for i in range(len(line.text))]
        assert all(line.left - 0.1 <= left <= right <= line.right for left, _, right, _ in places)
        assert all(line.text[gap] == " " for gap in line.gaps)


def test_a_line_at_the_edge_that_is_far_from_all_others_is_a_running_head():
    page = [(72, 700 - 12 * k, 10, f"line {k} of running text") for k in range(20)]
    head, foot = (72, 770, 10, "Proceedings of Something"), (72, 30, 10, "a foot of one page")
    sentence = (72, 770, 10, "the end of a sentence.")
    near = (72, 712, 10, "the line before")

    def lone(*lines):
        layout = read_layout(pdf([[*page, *lines], page]))
        indexes = lone_edges(layout.lines, layout.pages)
        return {layout.lines[i].text for i in indexes}

    assert lone((72, 775, 8, "Perspectives"), (300, 765, 8, "A title")) == {
        "Perspectives",
        "A title",
    }
    assert lone(head, foot) == {"Proceedings of Something", "a foot of one page"}
    assert lone(sentence) == lone(near) == lone() == set()


def test_a_head_repeats_though_the_page_number_changes_sides():
    words = [(72, 600 - 12 * k, 10, f"line {k}") for k in range(5)]
    pages = [[(72, 770, 10, f"{n} A Journal {n + 3}:4"[3 * (n % 2) :]), *words] for n in (10, 11)]
    layout = read_layout(pdf(pages))
    found = {layout.lines[i].text for i in furniture_of(layout.lines, layout.pages)}
    assert found == {"10 A Journal 13:4", "A Journal 14:4"}


@pytest.mark.parametrize(
    ("text", "drawn"),
    [("_" * 40, True), ("- - - - - - - - - -", True), ("____ a ____", False), ("---", False)],
)
def test_rules_that_are_made_of_letters_are_known(text, drawn):
    [line] = read_layout(pdf([[(72, 700, 10, text)]])).lines
    assert is_drawn_rule(line) is drawn


def test_running_heads_below_a_wide_margin_are_furniture():
    heads = ["A Simple Example 43", "44 A. D. Brucker", "A Simple Example 45", "46 A. D. Brucker"]
    pages = [[(72, 660, 9, head), *column(72, 630, LEFT)] for head in heads]
    layout = read_layout(pdf(pages))
    gone = furniture_of(layout.lines, layout.pages)
    assert [line.text for i, line in enumerate(layout.lines) if i in gone] == heads


def test_first_lines_of_pages_that_neither_repeat_nor_count_are_no_furniture():
    tops = ["2 Methods", "of 100 people in", "9 Results", "in 1999 they"]
    pages = [[(72, 660, 9, top), *column(72, 630, LEFT)] for top in tops]
    layout = read_layout(pdf(pages))
    gone = furniture_of(layout.lines, layout.pages)
    assert not {layout.lines[i].text for i in gone} & set(tops)

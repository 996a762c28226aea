"""Lists of references without a heading are found by labels that count up."""

import re

from rowen.citations.counted import counted_lists
from rowen.pdf import Line

_PITCH = 12


def lines_of(*texts, size=9.0, block=0, top=700.0):
    """Lines below each other; those that begin with a space are indented."""
    return [
        Line(
            text=text.strip(), page=0, block=block, left=72.0 if text[:1] == " " else 60.0,
            bottom=top - _PITCH * i - 2, right=300.0, top=top - _PITCH * i + 7,
            baseline=top - _PITCH * i, size=size, font="Times", bold=False, italic=False,
            raised=(), gaps=(), offsets=(0,) * len(text.strip()),
        )
        for i, text in enumerate(texts)
    ]  # fmt: skip


def dated(text):
    return bool(re.search(r"\d{4}", text))


BODY = lines_of("We thank the technicians.", "It was seen [3] before.", size=10.0, top=900.0)
REFERENCES = (
    "[1] A. Smith, Wrappers,", "  J. Webs 3, 14 (2001).", "[2] B. Doe, Pages (2010).",
    "[3] C. Roe, Webs,", "  J. Webs 4, 2 (2002).", "[4] D. Low, Trees (2003).",
)  # fmt: skip


def test_labels_that_count_up_make_a_list():
    lines = [*BODY, *lines_of(*REFERENCES)]
    assert counted_lists(lines, dated) == [(2, 8)]


def test_the_list_may_be_at_the_foot_of_two_columns():
    left, right = lines_of(*REFERENCES[:3], block=1), lines_of(*REFERENCES[3:], block=2)
    lines = [*BODY, *left, *BODY, *right]
    assert counted_lists(lines, dated) == [(2, 5), (7, 10)]


def test_body_lines_that_begin_with_a_citation_do_not_count():
    body = lines_of("[2] and others say so.", "[1] says no.", size=10.0, top=900.0)
    lines = [*body, *lines_of(*REFERENCES)]
    assert counted_lists(lines, dated) == [(2, 8)]


def test_undated_lists_and_short_ones_are_none():
    steps = lines_of("[1] Open it.", "[2] Look.", "[3] Close it.", "[4] Go.", "[5] Rest.")
    assert counted_lists(steps, dated) == []
    assert counted_lists(lines_of(*REFERENCES[:3]), dated) == []


def test_no_lines_have_no_list():
    assert counted_lists([], dated) == []

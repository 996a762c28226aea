"""A page that is recycled for itself, with one stretch extracted, keeps its records."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen import Dictionary, Page, Pattern, Records, Segments, WholePage, Window
from rowen.records.packed import Shapes
from rowen.recycling.recycle import apply, whole
from rowen.recycling.verification.sample import Sample, is_affordable, plan_stretch


class Local:
    """Words of two characters, by lines or by a window that is exactly as wide as needed."""

    name, version, fields = "local", "1", ("word",)

    def __init__(self, locality):
        self.locality = locality

    def extract(self, page):
        page = Page.of(page)
        matches = re.finditer(r"(?<![ab])[ab]{2}(?![ab])", page.text)
        return Records(rowen.Record(page, {"word": match.span()}) for match in matches)


EXTRACTORS = [
    Local(Window(2, 1)),
    Local(Segments("\n")),
    Local(Segments((" ", "\n"))),
    Local(WholePage()),
    Pattern(r"(?P<word>ab+)", name="run"),
    Pattern(r"\b(?P<word>[ab]{1,3})\b", name="words"),
    Pattern(r"(?<=(?P<left>.{2}))b(?=(?P<right>.{2}))", name="around"),
    Pattern(r"(?P<all>a.*b)", name="line"),
    Dictionary(["ab", "ba b", "b"], name="terms"),
]


@pytest.mark.parametrize(
    "extractor", EXTRACTORS, ids=lambda extractor: f"{extractor.name}-{extractor.locality}"[:40]
)
@given(
    text=st.text("ab \n\0", max_size=60),
    turn=st.integers(0, 2**64 - 1),
    length=st.integers(1, 70),
)
def test_a_stretch_that_is_extracted_again_gives_the_records_of_the_page(
    extractor, text, turn, length
):
    page, shapes = Page(text, id="x"), Shapes()
    expected = whole(extractor, page, shapes).records.as_set(shapes)
    start, end = Sample([], [], length, turn).stretch(len(text))
    assert 0 <= start <= end <= len(text)
    assert end - start == min(length, len(text))
    plan = plan_stretch(extractor, page, start, end)
    recycled = apply(extractor, plan, expected, page, shapes).records.as_set(shapes)
    assert recycled.same(expected)


def test_a_record_that_was_lost_or_added_in_the_stretch_shows():
    page, shapes = Page("ab ba bb " * 40, id="x"), Shapes()
    extractor = Local(Window(2, 1))
    expected = whole(extractor, page, shapes).records.as_set(shapes)
    for missing in range(expected.count):
        fewer = expected.take([row for row in range(expected.count) if row != missing])
        place = 3 * missing
        plan = plan_stretch(extractor, page, max(place - 4, 0), place + 6)
        recycled = apply(extractor, plan, fewer, page, shapes).records.as_set(shapes)
        assert recycled.same(expected)
        assert not recycled.same(fewer)
        assert plan.left < 40


def test_a_stretch_that_means_the_whole_page_is_left_to_the_checks_of_whole_pages():
    rooms = rowen.Pattern(r"(?P<x>\d{3})")  # by lines: no window holds
    lines, line = rowen.Page("room 105\n" * 10_000), rowen.Page("105" * 30_000)
    assert is_affordable(plan_stretch(rooms, lines, 40_000, 40_500), 500)
    assert not is_affordable(plan_stretch(rooms, line, 40_000, 40_500), 500)

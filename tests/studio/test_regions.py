"""The regions of records on a page, to which new marks belong."""

import random
import re

import pytest

import rowen
from rowen.studio.regions import regions_of

CARDS = "<main><p>All</p><div><b>Emma</b> <i>4</i></div><div><b>Walden</b></div></main><p>End</p>"
FLAT = "<h1>All</h1><h3>Emma</h3><p>4</p><h3>Walden</h3><p>9</p><hr>"
ROWS = "<table><tr><td>Emma<td>4<tr><td>Walden<td>9</table>"


def span(text, value):
    start = text.index(value)
    return [start, start + len(value)]


def texts(text, proposed, labelled=()):
    regions = regions_of(rowen.Page(text), proposed, labelled)
    return [text[start:end] for start, end in regions]


@pytest.mark.parametrize(
    ("text", "regions"),
    [
        (CARDS, ["<div><b>Emma</b> <i>4</i>", "<div><b>Walden</b>"]),
        (FLAT, ["<h3>Emma</h3><p>4</p>", "<h3>Walden</h3><p>9</p><hr>"]),
        (ROWS, ["<tr><td>Emma<td>4", "<tr><td>Walden<td>9"]),
    ],
    ids=["elements", "siblings", "rows without end tags"],
)
def test_a_region_has_all_that_is_nearer_to_its_record_than_to_others(text, regions):
    names = [{"title": span(text, "Emma")}, {"title": span(text, "Walden")}]
    if text is FLAT:
        names[0]["price"] = span(text, "4")
        names[1]["price"] = span(text, "9")
    assert texts(text, names) == regions


def test_a_lone_record_has_the_whole_page():
    assert texts(CARDS, [{"title": span(CARDS, "Emma")}]) == [CARDS]


def test_a_mark_in_the_region_of_a_proposal_has_no_region_of_its_own():
    proposed = [{"title": span(CARDS, "Emma")}, {"title": span(CARDS, "Walden")}]
    assert texts(CARDS, proposed, [{"price": span(CARDS, "4")}]) == texts(CARDS, proposed)


def test_a_marked_record_beside_proposals_has_a_region():
    proposed = [{"title": span(CARDS, "Emma")}]
    both = [*proposed, {"title": span(CARDS, "Walden")}]
    assert texts(CARDS, [], both) == texts(CARDS, both)


PIECES = ["<div>", "</div>", "<p>", "<li>", "x1 ", "y2 "]


def test_regions_are_disjoint_in_order_and_around_their_records():
    drawn = random.Random(1)
    for _ in range(300):
        text = "".join(drawn.choices(PIECES, k=drawn.randint(0, 40)))
        values = [match.span() for match in re.finditer("[xy][12]", text)]
        chosen = drawn.sample(values, drawn.randint(0, len(values)))
        regions = regions_of(rowen.Page(text), [{"value": value} for value in chosen])
        assert len(regions) == len(chosen)
        ends = [0, *(end for _, end in regions)]
        assert all(before <= start for before, (start, _) in zip(ends, regions, strict=False))
        assert all(
            first <= start and end <= last
            for (first, last), (start, end) in zip(regions, sorted(chosen), strict=True)
        ), text

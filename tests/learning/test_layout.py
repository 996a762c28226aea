"""Layout: a record that borrows a value of the next one is noticed, a whole one is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen.model import ExtractorError, Page
from rowen.records import Example
from rowen.wrappers.layout import Layout, Tag
from rowen.wrappers.lr import LR
from rowen.wrappers.profile import Profile

ROWS = {
    "elements": (
        '<div class="book"><h3>{a}</h3>',
        "<p>by <em>{b}</em></p>",
        "<u>{c}</u>",
        "</div>",
    ),
    "cells": ("<tr><th>{a}</th>", "<td>{b}</td>", "<td><b>{c}</b></td>", "</tr>"),
    "lines": ("<b>{a}</b> ", "<i>{b}</i> ", "<u>{c}</u>", "<br>\n"),
    "links": ('<li><a href="{a}">', "<em>{b}</em>", "</a> <u>{c}</u>", "</li>"),
}
DELIMITERS = {
    "elements": (["<h3>", "<em>", "<u>"], ["</h3>", "</em>", "</u>"]),
    "cells": (["<th>", "<td>", "<b>"], ["</th>", "</td>", "</b>"]),
    "lines": (["<b>", "<i>", "<u>"], ["</b>", "</i>", "</u>"]),
    "links": (['<li><a href="', "<em>", "<u>"], ['">', "</em>", "</u>"]),
}
SOLD = '<span class="sold">sold</span>'


def listed(shape, rows):
    """A page, and where each row of it begins; a row is which of its last two fields are there."""
    text, starts = "<html><h1>List</h1>\n", []
    first, second, third, last = ROWS[shape]
    for number, (has_b, has_c) in enumerate(rows):
        starts.append(len(text))
        text += first.format(a=f"a{number}") + (second.format(b=f"b{number}") if has_b else SOLD)
        text += (third.format(c=f"c{number}") if has_c else SOLD) + last
    return Page(text + "<hr></html>", id="p"), starts


def wrapper_of(shape):
    left, right = DELIMITERS[shape]
    return LR(["a", "b", "c"], left=left, right=right)


def layout_of(shape):
    page, _ = listed(shape, [(True, True)] * 3)
    return Layout.of([Example(page, wrapper_of(shape).extract(page)[:2], partial=True)])


@given(
    st.sampled_from(list(ROWS)),
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6),
)
def test_a_record_of_two_rows_is_noticed_and_no_other(shape, rows):
    layout = layout_of(shape)
    page, starts = listed(shape, rows)
    for record in wrapper_of(shape).extract(page):
        extent = record.extent
        over = any(extent.start < start < extent.end for start in starts)
        assert (layout.overreach(record) is not None) == over, record


def test_it_says_what_begins_where():
    page, _ = listed("elements", [(True, True), (True, False), (True, True)])
    records = wrapper_of("elements").extract(page)
    assert [layout_of("elements").overreach(record) for record in records] == [
        None,
        ("b", "c", "a"),
    ]


def test_attributes_of_all_marked_records_count_and_others_do_not():
    text = '<li class="odd"><b>x</b></li><li class="even"><b>y</b></li>'
    labels = [{"n": (text.index(letter), text.index(letter) + 1)} for letter in "xy"]
    assert Layout.of([Example(Page(text), labels)]).leads == {
        "n": (Tag("li", None), Tag("b", None))
    }
    same = text.replace("even", "odd")
    (lead,) = Layout.of([Example(Page(same), [{"n": (19, 20)}, {"n": (47, 48)}])]).leads.values()
    assert lead == (Tag("li", "odd"), Tag("b", None))


def test_pages_of_one_record_have_none():
    page = Page("<h1>x</h1><p>y</p>")
    assert Layout.of([Example(page, [{"a": (4, 5), "b": (13, 14)}])]) is None


def test_where_marked_records_look_like_that_themselves_nothing_is_said():
    text = "<b>x</b><b>?</b><i>1</i><b>y</b><b>?</b><i>2</i>"
    page = Page(text)
    labels = [{"a": (3, 4), "n": (19, 20)}, {"a": (27, 28), "n": (43, 44)}]
    assert Layout.of([Example(page, labels)]) is None


def test_hostile_text_between_values_takes_no_time():
    page = Page("<b>x</b>" + "<a class=" * 300_000 + "<i>1</i>")
    end = len(page.text) - 5
    layout = layout_of("lines")
    record = rowen.Record(page, {"a": (3, 4), "c": (end, end + 1)})
    assert layout.overreach(record) is None


def test_it_is_saved_with_the_profile():
    wrapper = learned()
    loaded = Profile.from_dict(wrapper.profile.to_dict())
    assert loaded.layout == wrapper.profile.layout is not None
    old = wrapper.profile.to_dict()
    del old["layout"]
    assert Profile.from_dict(old).layout is None
    for wrong in (3, {"a": 3}, {"a": [["b"]]}):
        with pytest.raises(ExtractorError, match="'layout'"):
            Profile.from_dict({**old, "layout": wrong})


def learned(rows=((True, True),) * 4, marked=2):
    page, _ = listed("elements", rows)
    labels = [{field: f"{field}{number}" for field in "abc"} for number in range(marked)]
    return rowen.learn([Example(page, labels, partial=True)], "lr")


def test_check_calls_it_drift():
    wrapper = learned()
    assert wrapper.warnings == ()
    whole, _ = listed("elements", [(True, True)] * 3)
    assert not rowen.check(wrapper, [whole]).drifted
    sold, _ = listed("elements", [(True, True), (True, False), (True, True)])
    report = rowen.check(wrapper, [whole, sold])
    assert report.drifted
    (finding,) = [
        candidate for candidate in report.pages[1].findings if candidate.severity == "drift"
    ]
    assert finding.field == "c"
    assert "another a begins between its b and its c" in finding.message


def test_learning_warns_of_it_on_a_page_that_is_marked_in_part():
    wrapper = learned([(True, True), (True, True), (True, False), (True, True)])
    (warning,) = wrapper.warnings
    assert (warning.kind, warning.page, warning.field) == ("record-reaches-over", "p", "c")
    assert not warning.is_about_labels
    assert "the record with 'a2'" in warning.message


def test_the_bookshop_where_a_sold_book_takes_the_next_ones_price():
    from importlib.resources import files

    shop = files("rowen.samples").joinpath("bookshop")
    pages = {file.name: Page(file.read_text("utf-8"), id=file.name) for file in shop.iterdir()}
    marked = [
        {"title": "The Princess and the Goblin", "author": "George MacDonald", "price": "£45.00"},
        {"title": "Black Beauty", "author": "Anna Sewell", "price": "£33.00"},
    ]
    wrapper = rowen.learn([Example(pages["children.html"], marked, partial=True)], "hlrt")
    report = rowen.check(wrapper, pages.values())
    truth = {
        page.id: "sold" in page.text.partition("</style>")[2]
        and len(wrapper.extract(page)) < page.text.count('class="book"')
        for page in pages.values()
    }
    assert {page.page: page.drifted for page in report.pages} == truth
    assert truth["travel.html"]

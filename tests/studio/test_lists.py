"""Lists inside records, marked by pointing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from rowen.studio.nesting import flatten, fold, folded_fields, folded_types

NUMBERS = {"one": 3, "two": 2, "three": 4}


def page_of(name, count):
    reviews = "".join(
        f'<div class="review"><b>Person {name} {number}</b><p>Text {number} on {name}</p></div>'
        for number in range(count)
    )
    head = f'<h1>Kettle {name}</h1><span class="price">£{count}0.50</span>'
    return f"<html><body>{head}<div>{reviews}</div><p>Imprint</p></body></html>"


@pytest.fixture
def kettles(tmp_path):
    for name, count in NUMBERS.items():
        (tmp_path / f"{name}.html").write_text(page_of(name, count))
    return [tmp_path / f"{name}.html" for name in NUMBERS]


def test_a_list_is_marked_by_pointing_and_saved_as_nested_records(desk, kettles):
    desk.open()
    desk.add(*kettles)
    desk.name_fields("name", "author", "text")
    desk.turn_to("one.html")
    for text in ("Kettle one", "Person one 0", "Text 0 on one"):
        desk.settle()
        desk.click_text(text)
    desk.settle()
    for field, offered in (("author", "list.author"), ("text", "reviews.text")):
        desk.window.click(f'[aria-label="Change {field}"]')
        desk.window.get_by_role("button", name="Make it a list").click()
        expect(desk.window.get_by_label(f"New name of {field}")).to_have_value(offered)
        desk.window.keyboard.type("reviews")  # the name of the list is selected
        # The click on the next field's menu takes the name, and opens the menu all the same.
    desk.press("Enter")
    desk.settle()
    authors = desk.cell(0, "reviews.author")
    expect(authors).to_contain_text("Person one 2")  # proposed from the first of three
    expect(desk.window.locator(".warned")).to_have_count(0)  # of which nothing is wrong
    desk.press("Enter")
    desk.settle()
    project = desk.window.evaluate("() => location.hash.slice(1).split('/')[0]")
    file = f"{desk.url}/studio/api/projects/{project}/data/file?format=json"
    answer = desk.window.request.get(file)
    records = [record["values"] for record in json.loads(answer.body())]
    assert [len(record["reviews"]) for record in records] == [3, 4, 2]
    assert records[0]["reviews"][1] == {"author": "Person one 1", "text": "Text 1 on one"}


def test_one_more_mark_adds_to_the_list(desk, kettles):
    desk.open()
    desk.add(*kettles[:1])
    desk.name_fields("name", "reviews.author")
    desk.settle()
    desk.click_text("Kettle one")
    desk.settle()
    for text in ("Person one 0", "Person one 2"):
        desk.mark(text, "2")
        desk.settle()
    desk.expect_rows(1)
    name = desk.window.evaluate("() => location.hash.slice(1).split('/')[0]")
    state = desk.window.request.get(f"{desk.url}/studio/api/projects/{name}").json()
    (record,) = state["labels"]["one.html"]["records"]
    assert len(record["reviews.author"]) == 2  # what was marked, not what was proposed


def test_columns_become_nested_records():
    flat = {"title": [0, 4], "reviews.author": [[10, 12], [20, 22]], "reviews.text": [14, 18]}
    reviews = [{"author": [10, 12], "text": [14, 18]}, {"author": [20, 22]}]
    assert fold(flat, complete=False) == {"title": [0, 4], "reviews": reviews}
    reviews[1]["text"] = None
    assert fold(flat, complete=True) == {"title": [0, 4], "reviews": reviews}
    assert fold({"reviews.author": None}, complete=False) == {"reviews": None}
    assert folded_fields(["a", "b.c", "b.d", "no. of"]) == ("a", "b", "no. of")
    types = {"a": "price", "b.c": "date"}
    assert folded_types(types) == {"a": "price", "b": {"fields": {"c": "date"}}}


@given(st.lists(st.sets(st.sampled_from(("author", "text", "year")), min_size=1), max_size=5))
def test_nested_records_that_begin_alike_come_back_from_their_columns(shapes):
    # Without their first column nobody could tell where the next one begins.
    reviews = [
        {column: [10 * at + way, 10 * at + way + 1] for way, column in enumerate(sorted(shape))}
        for at, shape in enumerate(shape | {"author"} for shape in shapes)
    ]
    fields = ["title", "reviews.author", "reviews.text", "reviews.year"]
    flat = flatten({"title": [1000, 1004], "reviews": reviews}, fields)
    known = {name: value for name, value in flat.items() if value is not None}
    expected = {"title": [1000, 1004]} | ({"reviews": reviews} if reviews else {})
    assert fold(known, complete=False) == expected

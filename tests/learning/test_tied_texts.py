"""Texts that are twice on the marked page: what they may mean elsewhere is said."""

import pytest
from effort import cases
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rowen

PRICES = st.sampled_from(["$5", "$7", "$25", "$80"])


def shop(name, first, second, *, number=0):
    return rowen.Page(
        f"<h1>{name}</h1><dl><dt>List<dd>{first}<dt>Sale<dd>{second}<dt>Stock<dd>{number}</dl>",
        id=f"{name}.html",
    )


def marked(page, price):
    name = page.text[len("<h1>") : page.text.index("</h1>")]
    return rowen.Example(page, [{"name": name, "price": price}])


@given(PRICES, st.lists(st.tuples(PRICES, PRICES), min_size=1, max_size=3))
@settings(max_examples=cases(25, 500), deadline=None)
def test_a_text_at_two_places_is_a_suggestion_where_another_page_tells_them_apart(price, others):
    pages = [shop(f"P{at}", *pair, number=at) for at, pair in enumerate(others)]
    wrapper = rowen.learn([marked(shop("Lamp", price, price), price)], pages=pages)
    differ = [page for page, pair in zip(pages, others, strict=True) if pair[0] != pair[1]]
    places = [(each.page, each.field) for each in wrapper.suggestions]
    assert bool(differ) == bool(places)
    assert all(place in [(page.id, "price") for page in differ] for place in places)


@given(PRICES, PRICES)
@settings(max_examples=cases(10, 200), deadline=None)
def test_the_suggested_mark_decides(first, second):
    assume(first != second)
    pages = [shop("Vase", first, second), shop("Rug", "$1", "$2"), shop("Pot", "$3", "$4")]
    lamp = marked(shop("Lamp", "$80", "$80"), "$80")
    (suggestion,) = rowen.learn([lamp], pages=pages).suggestions
    assert repr(first) in suggestion.message
    assert repr(second) in suggestion.message
    for price, column in ((first, 0), (second, 1)):
        wrapper = rowen.learn([lamp, marked(pages[0], price)], pages=pages)
        assert wrapper.suggestions == ()
        records = [record for page in pages[1:] for record in wrapper.extract(page)]
        assert [record.values["price"] for record in records] == [
            ["$1", "$2"][column],
            ["$3", "$4"][column],
        ]


@pytest.mark.parametrize("price", [(45, 47), "$9"])
def test_offsets_and_texts_that_are_there_once_suggest_nothing(price):
    page = shop("Lamp", "$5", "$9")
    start = page.text.index("$9")
    price = (start, start + 2) if isinstance(price, tuple) else price
    wrapper = rowen.learn([marked(page, price)], pages=[shop("Vase", "$7", "$8")])
    assert wrapper.suggestions == ()


def test_without_other_pages_both_places_are_named():
    page = shop("Lamp", "$5", "$5")
    (suggestion,) = rowen.learn([marked(page, "$5")]).suggestions
    first = page.text.index("$5")
    second = page.text.index("$5", first + 1)
    assert (suggestion.page, suggestion.start) == ("Lamp.html", first)
    assert f"also at characters {second} to {second + 2}" in suggestion.message


def test_ties_are_found_in_label_files(tmp_path):
    label = '{"page": "Lamp.html", "records": [{"name": "Lamp", "price": "$5"}]}'
    (tmp_path / "labels.jsonl").write_text(label)
    pages = [shop("Lamp", "$5", "$5"), shop("Vase", "$7", "$8")]
    examples = rowen.read_labels(tmp_path / "labels.jsonl", pages)
    (suggestion,) = rowen.learn(examples, pages=pages).suggestions
    assert suggestion.page == "Vase.html"

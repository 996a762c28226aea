"""Odd and contradicting labels: for every class a clear error or a wrapper that is right."""

import pytest

from rowen.learning.learn import LEARNED, learn
from rowen.model import InputError, NoConsistentWrapper, Page, RowenError
from rowen.records import Example

CLASSES = ["auto", *LEARNED]


def outcome(examples, name):
    """An error that Rowen raises on purpose, or a wrapper that gives back what is marked."""
    try:
        wrapper = learn(examples, name)
    except RowenError as error:
        return error
    honest = ("not all labels", "some are not believed")
    if name == "auto" and any(words in wrapper.reason for words in honest):
        return wrapper  # it says itself that it is no more than a help
    for example in examples:
        records = list(wrapper.extract(example.page))
        if example.partial:
            assert records[: len(example.records)] == list(example.records)
        else:
            assert [known(record) for record in records] == [
                known(record) for record in example.records
            ]
    return wrapper


def known(record):
    """What a record says, whether or not it also says what it doesn't have."""
    spans = {name: places for name, places in record.items() if places}
    return spans, [known(child) for child in record.children]


def flat(text, *rows, id="p", partial=False):  # noqa: A002  # the page's own word
    return Example(Page(text, id=id), list(rows), partial=partial)


ROW = "<b>x</b><i>1</i>\n"
ODD = {
    "one example with one record": [flat("<h1>T</h1><p>x</p><hr>", {"a": (13, 14)})],
    "a page that is all value": [flat("x", {"a": (0, 1)})],
    "an empty value": [flat("<b></b><b>x</b>", {"a": (3, 3)}, {"a": (10, 11)})],
    "two fields at the same place": [flat("<b>x</b>", {"a": (3, 3), "b": (3, 4)})],
    "two empty fields at one place": [flat("<b></b>", {"a": (3, 3), "b": (3, 3)})],
    "equal texts of two fields": [flat("<b>x</b><b>x</b>", {"a": (3, 4), "b": (11, 12)})],
    "fields that touch": [flat("<b>xy</b>", {"a": (3, 4), "b": (4, 5)})],
    "records that touch": [flat("<b>xy</b>", {"a": (3, 4)}, {"a": (4, 5)})],
    "one line again and again": [
        flat(ROW * 30, *({"a": (17 * n + 3, 17 * n + 4)} for n in range(30)))
    ],
    "one marked line among equal ones": [flat(ROW * 30, {"a": (17 * 7 + 3, 17 * 7 + 4)})],
    "the first of equal lines": [flat(ROW * 30, {"a": (3, 4)}, partial=True)],
    "NUL": [flat("\0<b>\0x</b>\0<b>\0y</b>", {"a": (4, 6)}, {"a": (14, 16)})],
    "lone surrogates": [
        flat("\ud800<b>\udc00</b><b>\ud800</b>\udfff", {"a": (4, 5)}, {"a": (12, 13)})
    ],
    "a page without records": [flat("<b>x</b>", {"a": (3, 4)}), flat("<p>none</p>", id="q")],
    "a page without records that looks like one with": [
        flat("<b>x</b>", {"a": (3, 4)}),
        flat("<b>x</b>", id="q"),
    ],
    "other labels on the same page": [
        flat("<b>x</b><i>y</i>", {"a": (3, 4)}),
        flat("<b>x</b><i>y</i>", {"a": (11, 12)}, id="q"),
    ],
    "fields in two orders": [
        flat("<b>x</b><i>y</i>", {"a": (3, 4), "b": (11, 12)}),
        flat("<b>x</b><i>y</i>", {"b": (3, 4), "a": (11, 12)}, id="q"),
    ],
    "a record without a value": [flat("<b>x</b>", {"a": None}, {"a": (3, 4)})],
    "only records without a value": [flat("<b>x</b>", {"a": None})],
    "an empty record": [flat("<b>x</b>", {}, {"a": (3, 4)})],
    "an empty page": [flat("<b>x</b>", {"a": (3, 4)}), flat("", id="q")],
    "a value that cuts a tag": [flat('<a href="/x">t</a>', {"a": (1, 5)})],
    "nested and flat": [
        Example(Page("<b>x</b><i>y</i>", id="p"), [{"a": (3, 4), "children": [{"b": (11, 12)}]}]),
        flat("<b>x</b><i>y</i>", {"a": (3, 4), "b": (11, 12)}, id="q"),
    ],
}


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("case", ODD)
def test_odd_labels_end_in_a_clear_error_or_a_right_wrapper(case, name):
    outcome(ODD[case], name)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize(
    "case", ["other labels on the same page", "a page without records that looks like one with"]
)
def test_labels_that_contradict_each_other_have_no_wrapper(case, name):
    assert isinstance(outcome(ODD[case], name), NoConsistentWrapper)


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("examples", [[], [flat("<b>x</b>")], [flat("x"), flat("", id="q")]])
def test_nothing_that_is_marked_is_an_input_error(examples, name):
    assert isinstance(outcome(examples, name), InputError)


def test_a_label_outside_of_its_page_makes_no_example():
    for span in ((3, 99), (-1, 2), (4, 3)):
        with pytest.raises(RowenError):
            flat("<b>x</b>", {"a": span})

"""Where no wrapper fits, the marks that contradict the others are named."""

from importlib.resources import files

import pytest

import rowen
from rowen.studio.conflict import conflict_of

TEXT = (files("rowen.samples") / "bookshop" / "novels.html").read_text("utf-8")
PAGE = rowen.Page(TEXT, "novels.html")


def span(value):
    start = TEXT.index(value)
    return start, start + len(value)


@pytest.fixture
def records():
    first = {"title": span("Middlemarch"), "author": span("George Eliot"), "price": span("£48.00")}
    learned = rowen.learn([rowen.Example(PAGE, [first], partial=True)], wrapper_class="m-hlrt")
    return [dict(record.spans) for record in learned.extract(PAGE)]


def conflict(records, wrapper_class):
    examples = [rowen.Example(PAGE, records)]
    with pytest.raises(rowen.NoConsistentWrapper) as raised:
        rowen.learn(examples, wrapper_class=wrapper_class)
    return conflict_of(raised.value, examples, wrapper_class)


@pytest.mark.parametrize("wrong", [0, 1, 5])
def test_the_one_record_that_is_marked_in_another_way_is_named(records, wrong):
    names = ["George Eliot", "Anthony Trollope", None, None, None, "Wilkie Collins"]
    years = ["1872", "1855", None, None, None, "1868"]
    records[wrong]["author"] = span(f"by <em>{names[wrong]}</em>, {years[wrong]}")
    explanation = conflict(records, "hlrt")
    assert {"page": "novels.html", "record": wrong} in explanation["marks"]
    assert explanation["field"] == "author"


def test_another_class_is_advised_where_one_fits(records):
    records[3]["price"] = None
    explanation = conflict(records, "lr")
    actions = [advice["action"] for advice in explanation["advice"] if "action" in advice]
    assert actions == [{"do": "class", "class": "auto"}]

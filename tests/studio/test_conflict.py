"""Where no wrapper fits, the marks that contradict the others are named."""

from importlib.resources import files

import pytest

import rowen
from rowen.studio.actions import read_action
from rowen.studio.conflict import conflict_of
from rowen.studio.state import Label, State

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


def test_the_two_that_contradict_each_other_are_shown_and_either_can_be_removed(records):
    records[1]["author"] = span("by <em>Anthony Trollope</em>, 1855")
    explanation = conflict(records, "hlrt")
    wrong, right = explanation["sides"]
    assert wrong["record"] == 1
    assert right["record"] != 1
    assert wrong["excerpt"]["value"] == "by <em>Anthony Trollope</em>, 1855"
    assert wrong["excerpt"]["before"].endswith("<p>")
    state = State(("title", "author", "price"), "hlrt", ("novels.html",))
    state = state.with_label("novels.html", Label(tuple(records), complete=True))
    label = read_action(wrong["removal"]["action"]).apply(state).labels["novels.html"]
    rowen.learn([rowen.Example(PAGE, label.records, partial=not label.complete)], "hlrt")


def test_there_is_a_way_on_even_where_nothing_is_tried(records, monkeypatch):
    monkeypatch.setattr("rowen.studio.conflict.CONFLICT_SECONDS", 1e-9)
    records[1]["author"] = span("by <em>Anthony Trollope</em>, 1855")
    explanation = conflict(records, "hlrt")
    assert all("action" in side["removal"] for side in explanation["sides"])
    assert len(explanation["sides"]) == 2

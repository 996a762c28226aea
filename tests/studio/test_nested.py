"""Labels with nested fields in the studio: they are learned, shown and explained like others."""

import json

import pytest

import rowen
from rowen.studio.conflict import conflict_of
from rowen.studio.material import Pages
from rowen.studio.state import Label
from rowen.studio.upkeep import inspect, propose_repair, rehearse

TEXT = "<h1>{}</h1><ul>{}</ul>"


def page(title, names):
    items = "".join(f"<li><b>{name}</b></li>" for name in names)
    return rowen.Page(TEXT.format(title, items), id=f"{title}.html")


def marks(page, title, names):
    def span(text):
        start = page.text.index(text)
        return [start, start + len(text)]

    return {"title": span(title), "held": [{"name": span(name)} for name in names]}


ROWS = [("Drinks", ["Green tea", "White rum"]), ("Meals", ["Barley broth"]), ("Nothing", [])]
PAGES = {f"{title}.html": page(title, names) for title, names in ROWS}
LABELS = {
    f"{title}.html": Label((marks(PAGES[f"{title}.html"], title, names),), complete=True)
    for title, names in ROWS[:2]
}
PROJECT = Pages(dict.fromkeys(PAGES, ""), LABELS, ("title", "held"), "auto")


@pytest.fixture(scope="module")
def rehearsal():
    return rehearse(PROJECT, PAGES, None)


def test_it_is_learned_and_tested(rehearsal):
    assert rehearsal["conflict"] is None
    assert all(test["passed"] for test in rehearsal["tests"])
    assert "held holds records" in json.dumps(rehearsal["explanation"])


def test_its_records_are_shown_and_repaired(rehearsal):
    definition = json.dumps(rehearsal["wrapper"])
    shown = inspect(definition, PAGES)["records"]
    assert shown["Drinks.html"][0]["held"] == [{"name": "Green tea"}, {"name": "White rum"}]
    assert shown["Nothing.html"][0]["held"] == []
    changed = {
        name: rowen.Page(page.text.replace("b>", "i>").replace("h1>", "h2>"), id=name)
        for name, page in PAGES.items()
    }
    repaired = propose_repair(definition, changed)
    labels = json.loads(json.dumps(repaired))["labels"]
    assert labels["Drinks.html"] == [LABELS["Drinks.html"].records[0]]


def test_a_conflict_in_a_nested_field_is_explained():
    wrong = marks(PAGES["Drinks.html"], "Drinks", ["Green tea"])
    wrong["held"][0]["name"][0] += 2
    examples = [rowen.Example(PAGES["Drinks.html"], [wrong])]
    examples += [rowen.Example(PAGES["Meals.html"], LABELS["Meals.html"].records)]
    with pytest.raises(rowen.NoConsistentWrapper) as raised:
        rowen.learn(examples, "hlrt")
    json.dumps(conflict_of(raised.value, examples, "hlrt"))

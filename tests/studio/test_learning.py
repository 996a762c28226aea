"""What the studio learns with: other pages vote, and deleted records are left out."""

import json
from dataclasses import replace

import rowen
from rowen.studio.learning import deleted_of, learn_wrapper
from rowen.studio.material import Pages
from rowen.studio.proposals import propose, propose_first
from rowen.studio.state import Label
from rowen.studio.tasks import _judged

ROWS = [("Ada", "36"), ("Bob", "41"), ("Eve", "29"), ("Sum", "106")]
TEXT = "<h1>People</h1><table>{}</table>".format(
    "".join(f"<tr><td>{name}</td><td>{age}</td></tr>" for name, age in ROWS)
)
PAGE = rowen.Page(TEXT, id="people.html")


def marks(name, age):
    start, end = TEXT.index(name), TEXT.index(f">{age}<") + 1
    return {"name": [start, start + len(name)], "age": [end, end + len(age)]}


def project(*records, rejected=(), complete=False):
    label = Label(records, complete, tuple(rejected))
    return Pages({"people.html": ""}, {"people.html": label}, ("name", "age"), "auto")


def learned(project):
    pages = {"people.html": PAGE}
    return learn_wrapper(project, project.examples(pages), pages, seconds=5)


def names(project):
    return [record.values["name"] for record in learned(project).extract(PAGE)]


def test_it_is_what_the_command_line_learns():
    labelled = project(marks(*ROWS[1]))
    wrapper = learned(labelled)
    example = rowen.Example(PAGE, [marks(*ROWS[1])], partial=True)
    expected = rowen.learn([example], pages=[PAGE], seconds=5)
    assert wrapper.to_definition() == expected.to_definition()
    assert names(labelled) == [name for name, _ in ROWS]


def test_a_deleted_record_is_not_proposed_and_the_others_are():
    labelled = project(marks(*ROWS[0]), rejected=[marks(*ROWS[3])])
    answer = propose(labelled, {"people.html": PAGE}, seconds=5)
    shown = [TEXT[slice(*record["name"])] for record in answer["pages"]["people.html"]["records"]]
    assert shown == ["Ada", "Bob", "Eve"]


def test_a_deleted_record_that_the_wrapper_still_finds_is_told():
    labelled = project(marks(*ROWS[0]), rejected=[marks(*ROWS[1])])
    wrapper = learned(labelled)
    pages = {"people.html": PAGE}
    still = deleted_of(wrapper, labelled, pages)["people.html"]
    answer = propose(labelled, pages, seconds=5)
    assert [record.values["name"] for record in still] in ([], ["Bob"])
    assert any("deleted" in line for line in answer["explanation"]["warned"]) == bool(still)
    shown = answer["pages"]["people.html"]["records"]
    assert all(TEXT[slice(*record["name"])] != "Bob" for record in shown)


def test_a_field_added_to_an_accepted_page_is_learned_from_one_mark():
    records = [{"name": marks(*row)["name"]} for row in ROWS]
    records[2] = marks(*ROWS[2])
    wrapper = learned(project(*records, complete=True))
    assert [record.values["age"] for record in wrapper.extract(PAGE)] == [age for _, age in ROWS]


def test_two_accepted_pages_show_how_often_it_is_right():
    everyone = project(*(marks(*row) for row in ROWS), complete=True)
    assert _judged(everyone, {"people.html": PAGE})["estimate"] is None
    label = everyone.labels["people.html"]
    both = Pages({"a": "", "b": ""}, {"a": label, "b": label}, ("name", "age"), "auto")
    pages = {name: rowen.Page(TEXT, id=name) for name in ("a", "b")}
    estimate = _judged(both, pages)["estimate"]
    assert (estimate["right"], estimate["tried"]) == (2, 2)


PAGES = {"people.html": PAGE}


def definition(answer):
    return json.dumps(answer["wrapper"])


def test_the_first_answer_is_by_the_last_wrapper_if_it_finds_the_new_marks():
    answer = propose(project(marks(*ROWS[1])), PAGES, seconds=5)
    more = project(marks(*ROWS[0]), marks(*ROWS[1]))
    first = propose_first(more, PAGES, "people.html", definition(answer))
    assert first == {"pages": answer["pages"]}


def test_the_first_answer_is_learned_from_few_pages_if_the_last_wrapper_lacks_a_field():
    name = {"name": marks(*ROWS[1])["name"]}
    last = definition(propose(project(name), PAGES, seconds=5))
    labelled = project(marks(*ROWS[1]))
    assert propose_first(labelled, PAGES, "people.html", last) == {
        "pages": {}
    }  # it is the only one
    names = ("people.html", "b.html", "c.html")
    pages = {name: replace(PAGE, id=name) for name in names}
    labelled = replace(labelled, states=dict.fromkeys(names, ""))
    first = propose_first(labelled, pages, "people.html", last)["pages"]
    for name in names:
        ages = [TEXT[slice(*record["age"])] for record in first[name]["records"]]
        assert ages == [age for _, age in ROWS]


def test_nothing_comes_first_without_a_mark_on_the_page_or_where_the_marks_contradict():
    assert propose_first(project(), PAGES, "people.html", None) == {"pages": {}}
    assert propose_first(project(marks(*ROWS[1])), PAGES, "other.html", None) == {"pages": {}}
    bob = TEXT.index("Bob")
    label = Label((marks(*ROWS[0]), {**marks(*ROWS[1]), "name": [bob + 1, bob + 3]}))
    pages = {name: replace(PAGE, id=name) for name in ("people.html", "b.html", "c.html")}
    states = dict.fromkeys(pages, "")
    contradicting = Pages(states, {"people.html": label}, ("name", "age"), "hlrt")
    assert propose(contradicting, pages, seconds=5)["conflict"]
    assert propose_first(contradicting, pages, "people.html", None) == {"pages": {}}


def test_a_deleted_record_does_not_come_first():
    answer = propose(project(marks(*ROWS[0])), PAGES, seconds=5)
    labelled = project(marks(*ROWS[0]), rejected=[marks(*ROWS[3])])
    first = propose_first(labelled, PAGES, "people.html", definition(answer))
    for found in first["pages"].values():
        assert all(TEXT[slice(*record["name"])] != "Sum" for record in found["records"])


def test_the_judgement_of_the_proposed_wrapper_needs_no_second_learning():
    labelled = project(marks(*ROWS[1]))
    answer = propose(labelled, PAGES, seconds=5)
    assert _judged(labelled, PAGES, definition(answer)) == _judged(labelled, PAGES)

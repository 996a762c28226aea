"""One specification of what actions do to a project, for the server and for the browser.

The browser shows an action before the server has it, so both sides must reduce states alike.
`reducer.json` is the specification; random actions then compare the two sides with each other.
"""

import json
import random
from pathlib import Path
from typing import get_args

import pytest

from rowen.model.errors import UsageError
from rowen.studio.actions import CLASSES, Action, read_action
from rowen.studio.state import Label, State

CASES = json.loads(Path(__file__).with_name("reducer.json").read_text("utf-8"))
for case in CASES:
    for state in (case["before"], case["after"]):
        state.setdefault("types", {})  # most cases are not about types
KINDS = {action.model_fields["do"].default for action in get_args(get_args(Action)[0])}
APPLY = "(pairs) => pairs.map(([state, action]) => intents.applied(state, action))"


def read(state):
    labels = {
        page: Label(tuple(label["records"]), label["complete"], tuple(label.get("rejected", ())))
        for page, label in state["labels"].items()
    }
    fields, pages = tuple(state["fields"]), tuple(state["pages"])
    return State(fields, state["class"], pages, labels, state["types"])


def written(state):
    labels = {
        page: {
            "records": list(label.records),
            "complete": label.complete,
            **({"rejected": list(label.rejected)} if label.rejected else {}),
        }
        for page, label in state.labels.items()
    }
    return {
        "fields": list(state.fields),
        "class": state.wrapper_class,
        "pages": list(state.pages),
        "labels": labels,
        "types": dict(state.types),
    }


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_the_server_follows_the_specification(case):
    state = read(case["before"])
    assert written(read_action(case["action"]).apply(state)) == case["after"]
    assert written(state) == case["before"]  # which is a value


def test_the_browser_follows_the_specification(shared_viewer):
    pairs = [[case["before"], case["action"]] for case in CASES]
    for case, after in zip(CASES, shared_viewer.run(APPLY, pairs), strict=True):
        assert after == case["after"], case["claim"]


def test_the_specification_has_every_kind_of_action():
    assert {case["action"]["do"] for case in CASES} == KINDS


def random_action(drawn, state):
    names = ["word", "sign", "price", "term"]
    kind = drawn.choice([*sorted(KINDS), "splice", "splice"])
    if kind == "splice":
        start = drawn.randint(0, 2)
        records = [
            {name: drawn.choice([None, [4, 7], [[1, 2], [3, 4]]]) for name in state.fields}
            for _ in range(drawn.randint(0, 2))
        ]
        return {
            "do": kind,
            "page": drawn.choice(["a.html", "b.html", "c.html"]),
            "start": start,
            "end": start + drawn.randint(0, 1),
            "records": records,
            "complete": drawn.random() < 0.5,
            "adds": drawn.sample(names, drawn.choice([0, 0, 1])),
        }
    if kind == "table":
        fields = drawn.sample(names, drawn.randint(1, 3))
        wrapper = {"class": "region", "fields": fields, "rules": {}}
        return {"do": kind, "fields": fields, "types": {fields[0]: "price"}, "wrapper": wrapper}
    if kind == "reject":
        record = {name: drawn.choice([[4, 7], [[1, 2], [3, 4]]]) for name in state.fields[:1]}
        return {"do": kind, "page": drawn.choice(["a.html", "b.html"]), "record": record}
    if kind == "fields":
        fields = drawn.sample(names, drawn.randint(0, 4))
        old = drawn.sample(state.fields, drawn.randint(0, len(state.fields)))
        return {"do": kind, "fields": fields, "renamed": dict(zip(old, fields, strict=False))}
    if kind == "types":
        return {"do": kind, "types": {name: drawn.choice(["price", "date"]) for name in names[:2]}}
    more = {"page": drawn.choice(["a.html", "b.html", "c.html"])}
    return {"do": kind, **({"class": drawn.choice(CLASSES)} if kind == "class" else more)}


def test_random_actions_give_the_same_states_on_both_sides(shared_viewer):
    drawn = random.Random(1)
    pairs, results = [], []
    state = State()
    while len(pairs) < 500:
        action = random_action(drawn, state)
        try:
            following = read_action(action).apply(state)
        except UsageError:
            continue  # the browser gets this error, and shows the state before
        pairs.append([written(state), action])
        results.append(written(following))
        state = following if len(pairs) % 40 else State()
    assert shared_viewer.run(APPLY, pairs) == results

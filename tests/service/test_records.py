"""Records over HTTP: clean values, types from a schema, and what could not be read."""

import json

import pytest

import rowen

PAGE = """<!doctype html><html lang="de"><base href="https://example.org/shop/"><ul>
<li><b>Goblin <i>Market</i> &amp; Other Poems</b> <u>1.048,50&nbsp;&euro;</u>
<a href="?a=1&amp;b=2">x</a></li>
<li><b>Villette</b> <u>teuer</u> <a href="/v">x</a></li></ul>"""
SCHEMA = {"price": {"type": "price"}, "link": {"type": "url"}, "title": {"many": True}}


@pytest.fixture(scope="module")
def wrapper():
    label = [
        {"title": "Goblin Market & Other Poems", "price": "1.048,50 €", "link": "?a=1&b=2"},
        {"title": "Villette", "price": "teuer", "link": "/v"},
    ]
    return rowen.learn([rowen.Example(PAGE, label)], "token", schema=SCHEMA)


def register(server, name, definition):
    return server.put(f"/extractors/{name}", content=definition)


def test_values_are_clean_and_typed(server, wrapper, tmp_path):
    wrapper.save(tmp_path / "w.json")
    assert register(server, "books", (tmp_path / "w.json").read_text()).status_code == 201
    document = server.add(PAGE.encode())
    answer = server.get(f"/{document}/records?extractor=books").json()
    first, second = answer["records"]
    assert first.keys() == {"page", "values", "source", "spans"}
    assert first["values"] == {
        "title": ["Goblin Market & Other Poems"],
        "price": {"amount": "1048.50", "currency": "EUR"},
        "link": "https://example.org/shop/?a=1&b=2",
    }
    assert first["source"]["title"] == "Goblin <i>Market</i> &amp; Other Poems"
    start, end = first["spans"]["price"]
    assert PAGE[start:end] == first["source"]["price"] == "1.048,50&nbsp;&euro;"
    assert second["values"]["price"] is None
    (warning,) = answer["warnings"]
    assert (warning["kind"], warning["record"], warning["field"]) == ("not-converted", 1, "price")
    lines = server.get(f"/{document}/records?extractor=books&output=jsonl").text.splitlines()
    assert [json.loads(line) for line in lines] == [first, second]


def test_another_schema_gives_other_values_of_the_same_document(server):
    document = server.add(b"<p>Room 105, room 310</p>")
    rules = {"kind": "pattern", "name": "rooms", "pattern": "(?P<room>[0-9]+)"}
    values = []
    for schema in ({}, {"room": "integer"}, {"room": {"type": "integer", "many": True}}):
        definition = json.dumps({**rules, "schema": schema} if schema else rules)
        assert register(server, "rooms", definition).status_code in {200, 201}
        answer = server.get(f"/{document}/records?extractor=rooms").json()
        values.append([record["values"]["room"] for record in answer["records"]])
    assert values == [["105", "310"], [105, 310], [[105], [310]]]


@pytest.mark.parametrize("form", ["json", "toml"])
@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"room": "colour"}, "unknown type 'colour'"),
        ({"room": {"type": "price", "size": 3}}, "unknown setting 'size'"),
        ({"room": {"many": 3}}, "'many' of field 'room' must be true or false"),
        ({"children": "text"}, "can't be called 'children'"),
        ("price", "a schema must be a table"),
    ],
)
def test_a_wrong_schema_is_refused(server, form, schema, reason):
    rules = {"kind": "pattern", "name": "rooms", "pattern": "(?P<room>[0-9]+)", "schema": schema}
    content = json.dumps(rules)
    if form == "toml":
        lines = [f"{name} = {json.dumps(rules[name])}" for name in ("kind", "name", "pattern")]
        content = "\n".join(["[extractor]", *lines, f"schema = {_toml(schema)}"])
    answer = register(server, "wrong", content)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert reason in answer.json()["detail"]
    assert server.get("/extractors/wrong").status_code == 404


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)


def test_the_description_says_what_a_schema_is(server):
    body = server.get("/openapi.json").json()["paths"]["/extractors/{name}"]["put"]["requestBody"]
    kinds = body["content"]["application/json"]["schema"]["anyOf"]
    for kind in kinds:
        types = kind["properties"]["schema"]["additionalProperties"]["anyOf"][0]["enum"]
        assert {"price", "date", "url"} <= set(types)

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


LINKS = b"<ul><li><a href='/a?x=1'>A</a></li><li><a href='b.html'>B</a></li></ul>"


@pytest.fixture(scope="module")
def links(server, tmp_path_factory):
    label = [{"link": "/a?x=1"}, {"link": "b.html"}]
    example = rowen.Example(LINKS.decode(), label)
    path = tmp_path_factory.mktemp("links") / "w.json"
    rowen.learn([example], "token", schema={"link": "url"}).save(path)
    assert register(server, "links", path.read_text()).status_code == 201

    def of(document):
        records = server.get(f"/{document}/records?extractor=links").json()["records"]
        return [record["values"]["link"] for record in records]

    return of


def test_relative_links_start_from_the_address_that_a_document_was_submitted_with(server, links):
    by_query = server.post(LINKS, params={"url": "https://a.example/d/p.html", "output": "json"})
    assert by_query.json()["url"] == "https://a.example/d/p.html"
    assert links(by_query.json()["id"]) == ["https://a.example/a?x=1", "https://a.example/d/b.html"]
    form = {"url": (None, "https://b.example/"), "myfile": ("p.html", LINKS)}
    by_form = server.client.post("/", files=form, params={"output": "json"})
    assert links(by_form.json()["id"]) == ["https://b.example/a?x=1", "https://b.example/b.html"]
    # The same content at two addresses: neither answers for the other.
    assert links(by_query.json()["id"])[0] == "https://a.example/a?x=1"
    assert links(server.add(LINKS)) == [None, None]
    described = server.get(f"/{by_query.json()['id']}?output=json").json()
    assert described == by_query.json()


@pytest.mark.parametrize("url", ["p.html", "ftp://a.example/", "https://", "https://a b/", "//x/"])
def test_what_is_no_address_is_refused(server, url):
    assert server.post(LINKS, params={"url": url}).status_code == 422
    form = {"url": (None, url), "myfile": ("p.html", LINKS)}
    answer = server.client.post("/", files=form)
    assert answer.status_code in {400, 422}
    assert "absolute address" in answer.json()["detail"]


def test_an_idempotency_key_with_another_address_is_refused(server):
    key = {"headers": {"idempotency-key": "addressed"}}
    assert server.post(LINKS, params={"url": "https://a.example/"}, **key).status_code == 201
    assert server.post(LINKS, params={"url": "https://a.example/"}, **key).status_code == 201
    assert server.post(LINKS, params={"url": "https://b.example/"}, **key).status_code == 409


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

"""Suggested tables and the data of a project, over HTTP."""

import csv
import io
import json
from importlib.resources import files
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest

from rowen.extractors.saved import from_dict
from rowen.model import Page

NOVELS = "novels.html"


class Shop:
    """A project with the pages of the bookshop."""

    def __init__(self, client, root):
        self.client = client
        name = f"shop-{uuid4()}"
        assert client.post(f"{root}/projects", json={"name": name}).is_success
        self.url = f"{root}/projects/{name}"
        self.pages = client.get(f"{root}/sample").json()["pages"]
        for page, text in self.pages.items():
            self.post("/pages", params={"page": page}, content=text.encode())

    def get(self, path="", **params):
        answer = self.client.get(f"{self.url}{path}", params=params)
        assert answer.is_success, answer.text
        return answer

    def post(self, path, **options):
        return self.client.post(f"{self.url}{path}", **options)

    def act(self, **action):
        revision = self.get().json()["revision"]
        return self.post("/actions", json={"revision": revision, "action": action})

    def span(self, page, text):
        start = self.pages[page].index(text)
        return [start, start + len(text)]

    def use(self, table):
        types = {column["name"]: column["type"] for column in table["columns"]}
        fields = table["wrapper"]["fields"]
        return self.act(do="table", fields=fields, types=types, wrapper=table["wrapper"])

    def rows(self):
        text = self.get("/data/file", format="csv").text
        return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def shop(server):
    with httpx.Client(timeout=60) as client:
        yield Shop(client, f"{server.url}/studio/api")


@pytest.fixture
def table(shop):
    """The best suggested table, with the names that a person would give."""
    best = shop.get("/tables").json()["tables"][0]
    assert shop.use(best).status_code == 200
    fields = best["wrapper"]["fields"]
    by_sample = {column["samples"][0]: column["name"] for column in best["columns"]}
    names = {
        by_sample["The Princess and the Goblin"]: "title",
        by_sample["George MacDonald"]: "author",
    }
    price = next(column["name"] for column in best["columns"] if column["type"] == "price")
    names[price] = "price"
    kept = [names[name] for name in fields if name in names]
    assert shop.act(do="fields", fields=kept, renamed=names).status_code == 200
    return best


def test_the_best_table_of_the_bookshop_has_all_books_of_all_pages(shop):
    best = shop.get("/tables").json()["tables"][0]
    assert best["records"] == 24
    assert len(best["pages"]) == 5
    wrappers = [best["wrapper"]]
    (places,) = shop.post(f"/pages/{NOVELS}/places", json={"wrappers": wrappers}).json()["tables"]
    starts = [shop.span(NOVELS, text)[0] for text in ("Middlemarch", "The Moonstone")]
    for number, start in zip((0, 5), starts, strict=True):
        first, last = places["regions"][number]
        assert first < start < last
        assert start in [value[0] for value in places["records"][number].values()]


@pytest.mark.usefixtures("table")
def test_a_chosen_table_proposes_its_records_and_labels_nothing(shop):
    state = shop.get().json()
    assert state["labels"] == {}
    assert state["types"]["price"] == "price"
    proposed = shop.get("/proposals").json()["pages"]
    assert {page: len(found["records"]) for page, found in proposed.items()} == {
        "children.html": 5,
        "novels.html": 6,
        "poetry.html": 4,
        "science.html": 4,
        "travel.html": 5,
    }
    rows = shop.rows()
    assert len(rows) == 24
    assert rows[5] | {"page": NOVELS} == rows[5]
    assert [rows[5][name] for name in ("title", "author", "price_amount", "price_currency")] == [
        "Middlemarch",
        "George Eliot",
        "48.00",
        "GBP",
    ]


@pytest.mark.usefixtures("table")
def test_choosing_a_table_is_one_step_that_can_be_undone(shop):
    for _ in range(2):  # the table, and the names
        revision = shop.get().json()["revision"]
        shop.post("/undo", json={"revision": revision})
    state = shop.get().json()
    assert (state["fields"], state["types"]) == ([], {})
    assert shop.get("/proposals").json()["wrapper"] is None


@pytest.mark.usefixtures("table")
def test_a_label_that_contradicts_the_table_is_learned_from(shop):
    text = "by <em>George Eliot</em>, 1872"
    record = {
        "title": shop.span(NOVELS, "Middlemarch"),
        "author": shop.span(NOVELS, text),
        "price": shop.span(NOVELS, "£48.00"),
    }
    place = {"page": NOVELS, "start": 0, "end": 0}
    assert shop.act(do="splice", **place, records=[record], complete=False).status_code == 200
    authors = [row["author"] for row in shop.rows() if row["page"] == NOVELS]
    assert authors[:2] == ["by George Eliot, 1872", "by Anthony Trollope, 1855"]


@pytest.mark.usefixtures("table")
def test_a_new_field_on_one_record_keeps_what_the_table_found(shop):
    place = {"page": NOVELS, "start": 0, "end": 0}
    record = {"year": shop.span(NOVELS, "1872")}
    shop.act(do="splice", **place, records=[record], complete=False, adds=["year"])
    row = next(row for row in shop.rows() if (row["page"], row["year"]) == (NOVELS, "1872"))
    assert (row["title"], row["author"]) == ("Middlemarch", "George Eliot")


@pytest.mark.usefixtures("table")
def test_the_data_has_what_was_accepted_where_a_page_was(shop):
    accepted = [{"title": shop.span(NOVELS, "Cranford"), "author": None}]
    place = {"page": NOVELS, "start": 0, "end": 0}
    shop.act(do="splice", **place, records=accepted, complete=True)
    parts = {part["page"]: part for part in shop.get("/data").json()["pages"]}
    assert [row["values"]["title"] for row in parts[NOVELS]["rows"]] == ["Cranford"]
    assert parts[NOVELS]["accepted"]
    assert not parts["poetry.html"]["accepted"]


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("csv", b"page,"),
        ("tsv", b"page\t"),
        ("xlsx", b"PK"),
        ("json", b"["),
        ("jsonl", b"{"),
        ("parquet", b"PAR1"),
        ("sqlite", b"SQLite format 3"),
        ("html", b"<!"),
    ],
)
def test_the_data_is_a_file_of_each_format(shop, ending, start):
    answer = shop.get("/data/file", format=ending)
    assert answer.content.lstrip().startswith(start)
    assert answer.headers["Content-Disposition"].endswith(f'.{ending}"')
    if ending == "xlsx":
        assert ZipFile(io.BytesIO(answer.content)).testzip() is None


def test_an_unknown_format_is_refused_with_the_known_ones(shop):
    answer = shop.client.get(f"{shop.url}/data/file", params={"format": "doc"})
    assert answer.status_code == 422
    assert "csv" in answer.json()["detail"]


@pytest.mark.usefixtures("table")
def test_more_pages_are_extracted_from_and_failures_are_named(shop):
    more = shop.pages[NOVELS].replace("Middlemarch", "Romola")
    for name, text in (("a/new.html", more), ("empty.html", "<p>nothing here")):
        assert shop.post("/more", params={"page": name}, content=text.encode()).status_code == 201
    assert shop.get("/more").json() == ["empty.html", "new.html"]
    data = shop.get("/data", first=5).json()
    assert data["total"] == 7
    empty, new = data["pages"]
    assert empty["failure"]
    assert not empty["rows"]
    assert new["rows"][0]["values"]["title"] == "Romola"
    assert new["more"]
    assert len(shop.rows()) == 30
    assert shop.get().json()["pages"] == sorted(shop.pages)  # the project has no more pages
    assert shop.client.delete(f"{shop.url}/more").json() == []
    assert len(shop.rows()) == 24


def test_without_marks_the_data_is_empty_and_there_is_no_code(shop):
    assert shop.rows() == []
    shop.post("/more", params={"page": "a.html"}, content=b"<p>a")
    assert shop.get("/data", first=5).json()["pages"][0]["failure"] == "nothing is marked yet"
    assert shop.client.get(f"{shop.url}/data/code").status_code == 409


@pytest.mark.usefixtures("table")
def test_the_wrapper_file_extracts_what_the_data_has(shop):
    wrapper = from_dict(json.loads(shop.get("/data/wrapper").content))
    records = wrapper.extract(Page(shop.pages[NOVELS], id=NOVELS))
    titles = [row["title"] for row in shop.rows() if row["page"] == NOVELS]
    assert [record.values["title"] for record in records] == titles
    code = shop.get("/data/code").json()
    assert set(code) == {"command line", "python", "scrapy"}
    assert code["command line"].startswith("rowen extract ")


@pytest.mark.usefixtures("table")
def test_a_value_of_another_type_is_named_with_the_reason(shop):
    assert shop.act(do="types", types={"title": "date"}).status_code == 200
    row = shop.get("/data").json()["pages"][1]["rows"][0]
    assert row["values"]["title"] == ""
    assert row["wrong"]["title"]["text"] == "Middlemarch"
    spans = [shop.span(NOVELS, "Middlemarch"), shop.span(NOVELS, "£48.00")]
    body = {"spans": spans, "type": "price"}
    readings = shop.post(f"/pages/{NOVELS}/readings", json=body).json()
    assert readings["texts"] == ["Middlemarch", "48.00 GBP"]
    assert readings["wrong"][0]
    assert readings["wrong"][1] is None


@pytest.mark.parametrize(
    "action",
    [
        {"do": "types", "types": {"nothing": "date"}},
        {"do": "table", "fields": ["a"], "wrapper": {}},
        {"do": "table", "fields": ["a", "a"], "wrapper": {"class": "region", "fields": ["a", "a"]}},
        {
            "do": "table",
            "fields": ["a"],
            "types": {"a": "colour"},
            "wrapper": {"class": "region", "fields": ["a"], "rules": {}},
        },
        {
            "do": "table",
            "fields": ["a"],
            "wrapper": {"class": "region", "fields": ["a"], "rules": {}, "required": 3},
        },
        {
            "do": "splice",
            "page": NOVELS,
            "start": 0,
            "end": 0,
            "records": [],
            "complete": False,
            "adds": [" "],
        },
    ],
)
def test_invalid_tables_types_and_fields_are_refused(shop, action):
    answer = shop.act(**action)
    assert answer.status_code in {400, 422}
    assert shop.get().json()["fields"] == []


def test_a_table_that_no_wrapper_can_be_made_of_is_an_error_and_can_be_undone(shop):
    wrapper = {"class": "region", "fields": ["a"], "rules": {"a": "x"}, "record": 3}
    assert shop.act(do="table", fields=["a"], wrapper=wrapper).status_code == 200
    answer = shop.client.get(f"{shop.url}/proposals")
    assert 400 <= answer.status_code < 500
    assert answer.headers["Content-Type"] == "application/problem+json"
    shop.post("/undo", json={"revision": shop.get().json()["revision"]})
    assert shop.get("/proposals").json()["wrapper"] is None


def test_the_samples_are_the_pages_of_the_package(shop):
    folder = files("rowen.samples") / "bookshop"
    assert sorted(shop.pages) == sorted(file.name for file in folder.iterdir())


LINES = "Tree      Height\n--------  ------\n" + "".join(
    f"{tree:10}{n * 11:4} m\n" for n, tree in enumerate(("Oak", "Ash", "Fir", "Yew", "Box"), 1)
)
ITEMS = [{"tree": tree, "height": n * 7} for n, tree in enumerate(("Oak", "Ash", "Fir", "Yew"), 1)]
SCRIPT = f"<html><body><p>Loading<script>state = {json.dumps(ITEMS)}</script></html>"


@pytest.mark.parametrize(
    ("page", "text", "trees"),
    [
        ("trees.txt", LINES, ["Oak", "Ash", "Fir", "Yew", "Box"]),
        ("pre.html", f"<html><body><pre>{LINES}</pre></html>", ["Oak", "Ash", "Fir", "Yew", "Box"]),
        ("script.html", SCRIPT, ["Oak", "Ash", "Fir", "Yew"]),
    ],
)
def test_suggested_tables_of_lines_and_of_data_become_data(shop, page, text, trees):
    for name in shop.pages:
        assert shop.act(do="remove page", page=name).is_success
    shop.post("/pages", params={"page": page}, content=text.encode())
    best = shop.get("/tables").json()["tables"][0]
    body = {"wrappers": [best["wrapper"]]}
    (places,) = shop.post(f"/pages/{page}/places", json=body).json()["tables"]
    for (start, end), tree in zip(places["regions"], trees, strict=True):
        assert tree in text[start:end]
    assert shop.use(best).status_code == 200
    assert [row["tree"] for row in shop.rows()] == trees
    names = [name for name in best["wrapper"]["fields"] if name != "height"]
    assert shop.act(do="fields", fields=names).status_code == 200
    assert "height" not in shop.rows()[0]


@pytest.mark.usefixtures("table")
def test_wrappers_of_other_classes_are_no_suggested_tables(shop):
    best = shop.get("/tables").json()["tables"][0]
    for wrapper in ({"class": "token"}, {"class": "lines"}, {"class": ["lines"]}):
        answer = shop.use({**best, "wrapper": {**best["wrapper"], **wrapper}})
        assert answer.status_code == 400, wrapper

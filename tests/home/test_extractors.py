"""The registered extractors: where they come from, trying them, their tests, how they did."""

import pytest
from accessibility import violations
from nights import learned, pages, publish, write_store
from playwright.sync_api import expect
from serving import Server

RULES = """
kind = "pattern"
pattern = '(?P<room>CS \\d+)'
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extractors")
    write_store(folder / "books" / "store", learned())
    server = Server(folder / "data", stores=[str(folder / "books" / "store")])
    publish(server)
    server.put("/extractors/rooms", content=RULES).raise_for_status()
    yield server
    assert server.end() == 0, server.log.read_text()


def test_all_extractors_are_listed_with_where_they_come_from(server):
    books, rooms = server.get("/home/api/extractors").json()
    assert (books["name"], books["project"], books["fields"]) == (
        "books",
        "shop",
        ["title", "price"],
    )
    assert (rooms["name"], rooms["project"], rooms["kind"]) == ("rooms", None, "pattern")
    assert server.get("/extractors").json() == ["books", "rooms"]  # the call stays as it was


def test_an_extractor_is_described(server):
    books = server.get("/home/api/extractors/books").json()
    assert [version["number"] for version in books["versions"]] == [1]
    assert "title" in books["explanation"]["description"]
    (store,) = books["nights"]
    assert [run["drifted"] for run in store["runs"]] == [0, 0, 2]
    assert [run["records"] for run in store["runs"]] == [24, 24, 12]
    rooms = server.get("/home/api/extractors/rooms").json()
    assert (rooms["definition"], rooms["explanation"], rooms["nights"]) == (RULES, None, [])
    assert f"{server.url}/extractors/rooms" in rooms["snippets"]["command line"]
    assert server.get("/home/api/extractors/nothing").status_code == 404


def test_the_tests_are_run(server):
    (test,) = server.get("/home/api/extractors/books/tests").json()["tests"]
    assert (test["page"], test["passed"]) == ("shelf-0.html", True)
    assert server.get("/home/api/extractors/rooms/tests").json() == {"tests": []}


def test_a_page_is_tried_and_not_kept(server, open_window):
    desk = open_window(server.url, bypass_csp=True)
    window = desk.window
    before = server.get("/home/api/status").json()["documents"]
    window.goto(f"{server.url}/#/extractors")
    window.fill("#extractor-search", "title")
    expect(window.locator("tbody tr")).to_have_count(1)
    assert violations(desk) == []
    window.get_by_role("link", name="books").click()
    expect(window.locator("#tests ~ .good")).to_contain_text("1 of 1 accepted page")
    text = "<meta charset=latin1>\N{GRINNING FACE}" + pages(5)["shelf-1.html"]
    window.fill("#try-text", text.replace("Emma", "\u00c9mma <script>alert(1)</script>"))
    window.get_by_role("button", name="Extract").click()
    expect(window.get_by_text("6 records")).to_be_visible()
    marks = window.locator("pre.source mark").all_inner_texts()
    assert (marks[:2], len(marks)) == (["Kim", "5.50"], 12)
    assert any(mark.startswith("\u00c9mma") for mark in marks)
    assert violations(desk) == []
    window.fill("#try-text", "nothing here")
    window.get_by_role("button", name="Extract").click()
    expect(window.locator("#try ~ div[aria-live]")).to_contain_text(
        "nothing on the page looks like"
    )
    assert server.get("/home/api/status").json()["documents"] == before

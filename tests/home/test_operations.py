"""Stores with their runs, what a run changed, and the way from an alarm to a repair."""

import json
import shutil

import pytest
from accessibility import violations
from nights import learned, pages, publish, write_store
from playwright.sync_api import expect
from serving import Server

import rowen


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of stores that an operator allows."""
    folder = tmp_path_factory.mktemp("stores")
    write_store(folder / "books" / "store", learned())
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory, folder):
    data = tmp_path_factory.mktemp("operations") / "data"
    server = Server(data, stores=[str(folder / "books" / "store")])
    publish(server)
    yield server
    assert server.end() == 0, server.log.read_text()


@pytest.fixture(scope="module")
def api(server):
    (store,) = server.get("/home/api/stores").json()["stores"]
    return f"/home/api/stores/{store['id']}"


def test_the_runs_of_a_store_are_described(server, api):
    store = server.get(api).json()
    assert [run["number"] for run in store["runs"]] == [2, 1, 0]
    last, second, first = store["runs"]
    assert (first["pages"]["new"], second["pages"]["changed"], last["pages"]["changed"]) == (
        4,
        1,
        3,
    )
    assert (first["saved"], second["saved"] > 0.5) == (0, True)
    assert first["records"] == {"books": 24}
    assert (last["drifted"], second["drifted"]) == (["books"], [])
    assert last["seconds"] > 0


def test_what_a_run_changed_can_be_searched(server, api):
    def ask(**query):
        return server.get(f"{api}/changes", params={"extractor": "books", **query}).json()

    changed = ask(run=1)
    assert (changed["before"], changed["counts"]["changed"]) == (0, 3)
    change = next(own for own in changed["changes"] if own["values"]["title"] == "Emma")
    assert (change["page"], change["fields"]) == ("shelf-0.html", ["price"])
    assert (change["before"]["price"], change["values"]["price"]) == ("7.50", "8.50")
    assert ask(run=1, query="EMMA shelf-0")["total"] == 1
    assert ask(run=1, query="7.50")["total"] == 1  # what it was before counts, too
    assert ask(run=1, query="emma nothing")["total"] == 0
    assert ask(run=2, kind="went")["total"] == 12
    assert ask(run=2, first=10)["changes"] == ask(run=2)["changes"][10:]
    assert ask(run=0) == {"before": None, "counts": {}, "total": 0, "changes": []}
    assert server.get(f"{api}/changes", params={"extractor": "x", "run": 1}).status_code == 503


def test_the_changes_are_those_of_the_store(server, api, folder):
    told = server.get(f"{api}/changes", params={"extractor": "books", "run": 2}).json()["changes"]
    store = rowen.Store(folder / "books" / "store")
    expected = [own for own in store.differences("books", 1, 2) if own["change"] != "moved"]
    assert [(own["change"], own["page"], own["values"]) for own in told] == [
        (own["change"], own["page"], own["values"]) for own in expected
    ]


def test_a_record_has_a_history(server, api):
    record = {"extractor": "books", "page": "shelf-0.html", "values": {"title": "Emma"}}
    versions = server.client.post(f"{api}/history", json=record).json()["versions"]
    assert [own["values"]["price"] for own in versions] == ["7.50", "8.50", "9.50"]
    assert [own["until_snapshot"] for own in versions] == [1, 2, None]


def test_a_page_is_shown_with_its_records_and_can_do_no_harm(start, tmp_path):
    text = "<script>alert(1)</script><b>CS 101</b>"
    hostile = "<img src=x onerror=alert(2)>.html"
    store = rowen.Store(tmp_path / "rooms")
    rooms = rowen.Pattern(r"(?P<room>CS \d+)", name="rooms")
    store.run([rooms], {hostile: rowen.Page(text, id=hostile)})
    server = start(stores=[str(tmp_path / "rooms")])
    (shown,) = server.get("/home/api/stores").json()["stores"]
    query = {"extractor": "rooms", "run": 0, "page": hostile}
    answer = server.get(f"/home/api/stores/{shown['id']}/page", params=query)
    assert answer.headers["Content-Security-Policy"] == "sandbox allow-scripts"
    assert "CS 101" in answer.text
    assert "<script>alert" not in answer.text
    assert "<img src=x" not in answer.text
    for wrong in ({"page": "other"}, {"extractor": "other"}):
        path = f"/home/api/stores/{shown['id']}/page"
        assert server.get(path, params={**query, **wrong}).status_code == 404


def test_stores_are_chosen_only_below_folders_that_an_operator_allows(start, folder, tmp_path):
    server = start(folders=[str(folder)])
    place = str(folder / "books" / "store")
    told = server.get("/home/api/stores").json()
    assert (told["stores"], told["may_choose"]) == ([], True)
    assert [own["place"] for own in told["candidates"]] == [place]
    outside = tmp_path / "outside"
    write_store(outside, learned(), nights=1)
    (folder / "link").symlink_to(outside)
    for wrong in (str(outside), str(folder / "link"), str(folder / ".." / "outside"), "/etc"):
        answer = server.client.post("/home/api/stores", json={"place": wrong})
        assert answer.status_code == 400, wrong
    (folder / "link").unlink()
    added = server.client.post("/home/api/stores", json={"place": place})
    assert (added.status_code, added.json()["runs"]) == (201, 3)
    again = server.get("/home/api/stores").json()
    assert ([own["place"] for own in again["stores"]], again["candidates"]) == ([place], [])
    data = server.data
    server.end()
    server = start(data)  # the operator allows no folder any more
    assert server.get("/home/api/stores").json()["stores"] == []
    server.end()
    server = start(data, folders=[str(folder)])
    (store,) = server.get("/home/api/stores").json()["stores"]
    assert server.delete(f"/home/api/stores/{store['id']}").status_code == 200
    assert server.delete(f"/home/api/stores/{store['id']}").status_code == 404
    assert server.get("/home/api/stores").json()["stores"] == []


def test_the_state_of_the_service_is_shown(server):
    status = server.get("/home/api/status").json()
    assert (status["workers"], status["waiting"], status["tenants"]) == (1, 0, [])
    before = status["documents"]
    server.add(b"one more text")
    assert server.get("/home/api/status").json()["documents"] == before + 1


def test_the_screens_work_and_have_no_violation(server, open_window):
    desk = open_window(server.url, bypass_csp=True)
    window = desk.window
    window.goto(f"{server.url}/#/operations")
    expect(window.locator("#service")).to_be_visible()
    assert violations(desk) == []
    window.get_by_role("link", name="books/store").click()
    expect(window.locator(".changes tbody tr")).to_have_count(15)
    window.keyboard.press("/")
    window.keyboard.type("emma shelf-0")
    expect(window.locator(".changes tbody tr")).to_have_count(1)
    expect(window.locator("del")).to_have_text("8.50")
    expect(window.locator("ins")).to_have_text("9.50")
    expect(window.locator("#changes-search")).to_be_focused()
    window.locator(".changes button", has_text="shelf-0.html").click()
    shown = window.frame_locator("iframe.page-report")
    expect(shown.get_by_text("6 records on 1 page")).to_be_visible()
    window.locator(".changes").get_by_role("button", name="History").click()
    expect(window.get_by_text("3 versions")).to_be_visible()
    assert violations(desk) == []
    window.locator("table.numbers").get_by_role("link", name="1", exact=True).click()
    expect(window.get_by_role("heading", name="What run 1 changed")).to_be_visible()


def test_a_drifted_wrapper_is_found_and_repaired_in_at_most_five_clicks(
    start, tmp_path, open_window
):
    store = tmp_path / "nights" / "store"
    write_store(store, learned())
    server = start(stores=[str(store)])
    publish(server)
    window = open_window(server.url).window
    clicks = []

    def click(name):
        clicks.append(name)
        window.get_by_role("button", name=name).click()

    window.goto(server.url)
    expect(window.locator(".alarm")).to_contain_text("books no longer fits on 2 pages")
    click("Repair")
    expect(window.get_by_role("heading", name="It no longer fits")).to_be_visible()
    click("Propose a repair")
    click("Accept and publish")
    expect(window.get_by_role("heading", name="It still fits")).to_be_visible()
    assert len(clicks) <= 5
    window.goto(server.url)
    expect(window.locator(".attention")).to_contain_text("books was repaired: version 2")
    # The repaired wrapper is what the service offers, and fits the next night.
    definition = tmp_path / "repaired.json"
    definition.write_text(server.get("/extractors/books").text, "utf-8")
    texts = pages(3, redesigned=("shelf-1.html", "shelf-2.html"))
    new = [texts["shelf-1.html"], texts["shelf-2.html"]]
    titles = {
        record.values["title"] for text in new for record in rowen.load(definition).extract(text)
    }
    assert titles == {"Emma", "Kim", "Ulysses", "Dracula", "Persuasion", "Walden"}


def test_a_wrapper_that_is_only_registered_is_repaired_in_a_new_project(start, tmp_path):
    store = tmp_path / "nights" / "store"
    write_store(store, learned())
    server = start(stores=[str(store)])
    (shown,) = server.get("/home/api/stores").json()["stores"]
    path = f"/home/api/stores/{shown['id']}/repair"
    answer = server.client.post(path, json={"extractor": "books"})
    assert (answer.status_code, "register the wrapper" in answer.text) == (400, True)
    server.put("/extractors/books", content=json.dumps(learned())).raise_for_status()
    assert server.client.post(path, json={"extractor": "books"}).json() == {"project": "books"}
    project = "/studio/api/projects/books"
    assert server.get(f"{project}/visit").json() == ["001-shelf-1.html", "002-shelf-2.html"]
    assert server.get(f"{project}/inspection", params={"version": 1}).json()["drift"]


def test_an_open_window_sees_a_run_that_ends(start, tmp_path, open_window):
    store = tmp_path / "nights" / "store"
    opened = write_store(store, learned(), nights=1, redesigned=())
    server = start(stores=[str(store)])
    window = open_window(server.url).window
    window.goto(f"{server.url}/#/operations")
    runs = window.locator("table.numbers tbody tr td:nth-child(2)")
    expect(runs).to_have_text("0")
    window.wait_for_timeout(1_000)  # until it listens
    wrapper = rowen.load(store.with_name("books.json"))
    opened.run([wrapper], pages(1))
    expect(runs).to_have_text("1")


def test_tenants_see_neither_the_stores_of_others_nor_the_service(start, folder, tmp_path):
    from rowen.service.tokens import add_token

    tokens = tmp_path / "tokens.json"
    secrets = {name: add_token(tokens, name, bytes=1_000_000) for name in ("one", "two")}
    secrets["operator"] = add_token(tokens, "three", operator=True)
    own = tmp_path / "allowed"
    for name in ("one", "two"):
        (own / name).mkdir(parents=True)
        shutil.copytree(folder / "books" / "store", own / name / "store")
    server = start(auth=tokens, folders=[str(own)], stores=[str(folder / "books" / "store")])

    def ask(path, name, method="GET", **more):
        headers = {"Authorization": f"Bearer {secrets[name]}"}
        return server.client.request(method, path, headers=headers, **more)

    told = ask("/home/api/stores", "one").json()
    assert told["stores"] == []
    assert [entry["place"] for entry in told["candidates"]] == [str(own / "one" / "store")]
    other = {"place": str(own / "two" / "store")}
    assert ask("/home/api/stores", "one", "POST", json=other).status_code == 400
    added = ask("/home/api/stores", "two", "POST", json=other)
    assert added.status_code == 201
    assert ask(f"/home/api/stores/{added.json()['id']}", "one").status_code == 404
    assert ask("/home/api/status", "one").status_code == 403
    tenants = ask("/home/api/status", "operator").json()["tenants"]
    assert [entry["tenant"] for entry in tenants] == ["one", "three", "two"]
    assert tenants[0]["quota"] == 1_000_000

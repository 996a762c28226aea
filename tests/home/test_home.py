"""The first screen: what is here, what happened last, what to do next."""

import json

import pytest
from accessibility import violations
from nights import learned, publish, write_store
from playwright.sync_api import expect

HTML = {"Accept": "text/html,application/xhtml+xml"}


def test_a_browser_gets_the_first_screen_and_programs_what_they_got_before(server):
    answer = server.client.get("/", headers=HTML)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["Vary"] == "Accept"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    for headers in ({}, {"Accept": "application/json"}, {"Accept": "*/*"}):
        answer = server.client.get("/", headers=headers)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert server.add(b"a text")


def test_no_file_outside_of_the_folder_is_served(server):
    for name in ("../extension.py", "%2e%2e/extension.py", "..%2fextension.py", "nothing.js"):
        assert server.get(f"/home/static/{name}").status_code == 404
    assert server.get("/home/static/app.js").status_code == 200


def test_an_empty_installation_explains_itself(start, open_window):
    server = start()
    window = open_window(server.url).window
    window.goto(server.url)
    expect(window.locator(".hero p:not(.buttons)")).to_have_count(3)
    expect(window.locator(".hero .buttons > *")).to_have_count(3)
    window.click("[data-key=sample]")
    expect(window.locator("#title")).to_have_text("children.html")
    window.click("[data-key=place-home]")
    expect(window.locator(".rows .name")).to_have_text("bookshop")
    window.get_by_role("link", name="Mark values: bookshop").click()
    expect(window.locator("#title")).to_have_text("children.html")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nights") / "store"
    write_store(folder, learned())
    return folder


def test_home_shows_projects_runs_and_alarms(start, store, open_window):
    server = start(stores=[str(store)])
    publish(server)
    overview = server.get("/home/api/overview").json()
    assert overview["extractors"] == ["books"]
    assert overview["projects"]["latest"][0]["published"]["name"] == "books"
    (summary,) = overview["stores"]
    assert summary["runs"] == 3
    assert summary["last"]["pages"]["changed"] == 3
    (alarm,) = summary["alarms"]
    assert (alarm["extractor"], alarm["pages"]) == ("books", 2)
    desk = open_window(server.url, bypass_csp=True)
    desk.window.goto(server.url)
    expect(desk.window.locator(".alarm")).to_contain_text("books no longer fits on 2 pages")
    expect(desk.window.locator(".tiles a")).to_have_text(
        ["1 project", "1 extractor", "0 papers", "1 store"]
    )
    expect(desk.window.locator("table.numbers tbody tr")).to_have_count(1)
    assert violations(desk) == []


def test_a_store_that_cannot_be_read_does_not_hide_the_others(start, store, tmp_path, open_window):
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "store.json").write_text(json.dumps({"rowen": 99}), "utf-8")
    hostile = tmp_path / "<img src=x onerror=alert(1)>"
    hostile.mkdir()
    server = start(stores=[str(broken), str(hostile), str(store)])
    desk = open_window(server.url)
    desk.window.on("dialog", lambda dialog: pytest.fail(dialog.message))
    desk.window.goto(server.url)
    expect(desk.window.locator(".alarm", has_text="can't be read")).to_have_count(2)
    expect(desk.window.locator(".alarm", has_text="no longer fits")).to_have_count(1)


def test_the_parts_are_reached_by_keys(server, open_window):
    window = open_window(server.url).window
    window.goto(server.url)
    expect(window.locator("h1")).not_to_have_count(0)
    window.keyboard.press("?")
    expect(window.locator("#help")).to_be_visible()
    window.keyboard.press("Escape")
    window.keyboard.press("g")
    window.keyboard.press("s")
    expect(window).to_have_url(f"{server.url}/studio")

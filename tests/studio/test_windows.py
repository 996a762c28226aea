"""Browser history, several windows, and the ways into the studio."""

import pytest
from playwright.sync_api import expect
from serving import Server

SELECTED = """() => {
  const frame = document.querySelector('#page iframe');
  const outer = frame.getBoundingClientRect().top;
  const range = frame.contentDocument.getSelection().getRangeAt(0);
  const { top, bottom } = range.getBoundingClientRect();
  return [outer + top, outer + bottom];
}"""


def test_the_studio_has_one_address(server):
    answer = server.client.get("/studio/")
    assert (answer.status_code, answer.headers["Location"]) == (308, "/studio")


def test_going_back_stays_in_the_studio(desk, bookshop):
    desk.open()
    desk.add(*(bookshop / f"{name}.html" for name in ("novels", "poetry", "travel")))
    desk.at("novels.html")
    desk.turn_to("travel.html")
    desk.press("p")
    desk.at("poetry.html")
    desk.window.click("[data-key=part-publish]")
    expect(desk.window.locator("#screen")).to_be_visible()
    desk.window.go_back()
    desk.at("poetry.html")
    desk.window.go_back()
    desk.at("travel.html")
    desk.window.go_back()
    desk.at("novels.html")
    desk.window.go_back()
    expect(desk.window.locator("#welcome")).to_be_visible()
    desk.window.go_forward()
    desk.at("novels.html")
    desk.window.go_forward()
    desk.at("travel.html")
    desk.window.click("[data-key=place-studio]")
    expect(desk.window.locator("#welcome")).to_be_visible()
    desk.window.go_back()
    desk.at("travel.html")


def test_a_page_is_opened_by_its_address(desk, bookshop):
    desk.open()
    desk.add(*(bookshop / f"{name}.html" for name in ("novels", "poetry")))
    desk.turn_to("poetry.html")
    address = desk.window.url
    desk.window.goto("about:blank")
    desk.window.goto(address)
    desk.at("poetry.html")


def test_a_window_shows_what_another_one_marks(server, open_window, bookshop):
    first, second = open_window(server.url), open_window(server.url)
    first.open()
    first.add(bookshop / "novels.html")
    first.at("novels.html")
    second.window.goto(first.window.url)
    second.at("novels.html")
    first.name_fields("title")
    expect(second.window.locator(".field-name", has_text="title")).to_have_count(1)
    second.name_fields("price")
    expect(first.window.locator(".field-name", has_text="price")).to_have_count(1)


def test_windows_follow_each_other_after_a_restart(tmp_path, open_window, bookshop):
    server = Server(tmp_path / "data")
    port = server.address[1]
    first, second = open_window(server.url), open_window(server.url)
    first.open()
    first.add(bookshop / "novels.html")
    first.at("novels.html")
    first.settle()
    second.window.goto(first.window.url)
    second.at("novels.html")
    assert server.end() == 0
    server = Server(tmp_path / "data", port=port)
    first.name_fields("title")
    expect(second.window.locator(".field-name", has_text="title")).to_have_count(1)
    assert server.end() == 0  # windows that are told of changes don't keep it from stopping


def test_a_window_learns_that_its_project_was_deleted(server, open_window, bookshop):
    desk = open_window(server.url)
    desk.open()
    desk.add(bookshop / "novels.html")
    desk.at("novels.html")
    name = desk.window.locator("#project").input_value()
    assert server.client.delete(f"/studio/api/projects/{name}").status_code == 200
    desk.message("renamed or deleted in another window")
    expect(desk.window.locator("#welcome")).to_be_visible()


def test_events_tell_the_revision_and_each_later_one(server):
    project = "/studio/api/projects/eventful"
    assert server.client.post("/studio/api/projects", json={"name": "eventful"}).status_code == 201
    with server.client.stream("GET", f"{project}/events") as events:
        assert events.headers["Content-Type"].startswith("text/event-stream")
        lines = (line for line in events.iter_lines() if line)
        assert next(lines) == "data: 0"
        server.client.post(f"{project}/pages", params={"page": "a.html"}, content=b"<p>Text")
        assert next(lines) == "data: 1"
        server.client.delete(project)
        assert next(lines) == "event: gone"
    assert server.client.get(f"{project}/events").status_code == 404


@pytest.mark.parametrize("part", ["", "publish", "drift", "papers"])
def test_a_question_mark_shows_the_keys_on_every_screen(desk, part):
    desk.open()
    if part in ("publish", "drift"):
        desk.window.click("#sample")
        desk.at("children.html")
    if part:
        desk.window.click(f"[data-key=part-{part}]")
        desk.window.wait_for_selector("#screen:not([hidden]) :is(h2, p)")
    desk.press("?")
    expect(desk.window.locator("#help")).to_be_visible()
    desk.press("Escape")
    expect(desk.window.locator("#help")).to_be_hidden()


def test_enter_in_find_selects_what_was_found(desk):
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title")
    desk.press("Escape", "/")
    desk.window.keyboard.type("Goblin")
    desk.press("Enter")
    expect(desk.window.locator("#finder")).to_be_hidden()
    desk.window.wait_for_selector("#selection:not([hidden])")
    selected = "() => document.querySelector('#page iframe').contentDocument.getSelection() + ''"
    assert desk.window.evaluate(selected) == "Goblin"


def test_the_popup_is_beside_the_selection(desk):
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title", "price")
    for text in ("The Princess and the Goblin", "£45.00"):
        desk.select(text)
        desk.window.wait_for_selector("#selection.placed")
        box = desk.window.locator("#selection").bounding_box()
        page = desk.window.locator("#page").bounding_box()
        top, bottom = desk.window.evaluate(SELECTED)
        gap = min(abs(box["y"] - bottom), abs(top - box["y"] - box["height"]))
        assert gap < 12
        assert page["x"] <= box["x"]
        assert box["x"] + box["width"] <= page["x"] + page["width"]


def test_projects_are_renamed_copied_and_deleted(desk, bookshop):
    desk.open()
    desk.drop(bookshop / "novels.html", on="#welcome")
    desk.at("novels.html")
    name = desk.window.locator("#project").input_value()
    desk.name_fields("title")
    desk.settle()
    desk.window.click("[data-key=place-studio]")
    desk.window.get_by_role("button", name=f"Rename {name}", exact=True).click()
    desk.window.fill("#new-name", "books of today")
    desk.press("Enter")
    row = desk.window.locator("#project-list a", has_text="books of today")
    expect(row).to_have_count(1)
    expect(desk.window.locator("#project-list a", has_text=name)).to_have_count(0)
    desk.window.get_by_role("button", name="Copy books of today", exact=True).click()
    desk.press("Enter")
    copy = desk.window.get_by_role("link", name="books of today copy", exact=True)
    expect(copy).to_have_count(1)
    copy.click()
    desk.at("novels.html")
    expect(desk.window.locator(".field-name", has_text="title")).to_have_count(1)
    desk.name_fields("price")
    desk.settle()
    desk.open("books of today")
    desk.at("novels.html")
    expect(desk.window.locator(".field-name")).to_have_count(1)
    desk.window.click("[data-key=place-studio]")
    for project in ("books of today", "books of today copy"):
        desk.window.get_by_role("button", name=f"Delete {project}", exact=True).click()
        desk.window.click("#deleting button.danger")
        link = desk.window.get_by_role("link", name=project, exact=True)
        expect(link).to_have_count(0)


def test_a_taken_or_invalid_name_is_refused(server):
    projects = "/studio/api/projects"
    for name in ("taken-one", "taken-two"):
        assert server.client.post(projects, json={"name": name}).status_code == 201
    for call in (
        server.client.patch(f"{projects}/taken-one", json={"name": "taken-two"}),
        server.client.post(f"{projects}/taken-one/copy", json={"name": "taken-two"}),
        server.client.patch(f"{projects}/taken-one", json={"name": "../x"}),
        server.client.patch(f"{projects}/none", json={"name": "three"}),
    ):
        assert call.status_code == 400, call.text
    assert {"taken-one", "taken-two"} <= {
        project["name"] for project in server.client.get(projects).json()
    }


def test_pages_are_in_the_order_in_which_people_count(desk, tmp_path):
    paths = [tmp_path / f"p{number}.html" for number in (10, 2, 1, 11)]
    for path in paths:
        path.write_text(f"<p>Page {path.stem}")
    desk.open()
    desk.add(*paths)
    names = desk.window.locator(".page-name .text").all_inner_texts()
    assert names == ["p1.html", "p2.html", "p10.html", "p11.html"]
    desk.turn_to("p2.html")
    desk.press("n")
    desk.at("p10.html")


def test_a_mark_right_after_an_undo_does_not_bring_the_undone_value_back(desk):
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title", "price")
    desk.mark("Black Beauty", "1")
    desk.settle()
    desk.select("£33.00")
    held = []
    desk.window.route("**/undo", lambda route: held.append(route))  # noqa: PLW0108  # Playwright sets an attribute of it
    with desk.window.expect_request("**/undo"):
        desk.press("u", "2")
    desk.window.wait_for_selector("#selection", state="hidden")
    while not held:
        desk.window.wait_for_timeout(10)
    held[0].continue_()
    desk.window.unroute("**/undo")
    expect(desk.window.locator("#table td.mark")).to_have_text(["£33.00"])
    desk.settle()
    name = desk.window.evaluate("() => location.hash.slice(1).split('/')[0]")
    state = desk.window.request.get(f"{desk.url}/studio/api/projects/{name}").json()
    assert [list(record) for record in state["labels"]["children.html"]["records"]] == [["price"]]

"""How files and pages come in, in a browser."""

import pytest
from playwright.sync_api import expect
from serving import Server
from sites import Site

PASTE = """text => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
}"""


@pytest.fixture
def fetching(tmp_path, open_window):
    """A window of a studio that may fetch."""
    server = Server(tmp_path / "data", fetch="any")
    yield open_window(server.url)
    server.end()


@pytest.fixture
def site(bookshop):
    pages = {f"/{path.name}": path.read_bytes() for path in bookshop.glob("*.html")}
    with Site(pages=pages) as running:
        yield running


def fetch(desk, container, *addresses):
    desk.window.fill(f"{container} .addresses input", " ".join(addresses))
    desk.window.click(f"{container} .addresses button")


def test_pages_are_opened_by_their_addresses(fetching, site):
    fetching.open()
    fetch(fetching, "#welcome", f"{site.url}/none", "http://127.0.0.1:1/")
    fetching.message("answered 404 Not Found")
    fetching.message("can't fetch")
    expect(fetching.window.locator("#welcome")).to_be_visible()
    fetch(fetching, "#welcome", f"{site.url}/novels.html", f"{site.url}/poetry.html")
    fetching.at("novels.html")
    expect(fetching.window.locator(".page-name")).to_have_count(2)
    fetching.window.evaluate(PASTE, f"{site.url}/travel.html\n")
    fetching.at("travel.html")
    fetching.window.keyboard.press("o")
    fetch(fetching, "#opening", f"{site.url}/list?page=2")
    fetching.at("list-page=2.html")
    fetching.window.evaluate(PASTE, "ftp://nobody")
    expect(fetching.window.locator(".page-name")).to_have_count(4)


def test_a_published_wrapper_is_tried_on_pages_fetched_today(fetching, site):
    fetching.open()
    fetch(fetching, "#welcome", *(f"{site.url}/{name}.html" for name in ("novels", "poetry")))
    fetching.at("novels.html")
    fetching.name_fields("title")
    title = "() => document.querySelector('#page iframe').contentDocument"
    first = fetching.window.evaluate(f"{title}.querySelector('h2, h3, b, td').innerText.trim()")
    fetching.mark(first, "1")
    fetching.settle()
    fetching.window.click("[data-key=part-publish]")
    fetching.window.fill("#publish-name", "books")
    fetching.window.get_by_role("button", name="Publish").click()
    expect(fetching.window.get_by_text("Use books, version 1")).to_be_visible()
    fetching.window.click("[data-key=part-drift]")
    fetch(fetching, "#screen", f"{site.url}/travel.html")
    expect(fetching.window.get_by_text("It still fits")).to_be_visible()


def test_where_nothing_is_fetched_nothing_asks_for_addresses(desk):
    desk.open()
    expect(desk.window.locator("#welcome .dropzone button").first).to_be_visible()
    expect(desk.window.locator(".addresses")).to_have_count(0)


def test_files_are_dropped_on_the_frame_of_a_page(desk, bookshop):
    desk.open()
    desk.drop(bookshop / "novels.html", on="#welcome")
    desk.at("novels.html")
    desk.drop(bookshop / "poetry.html", bookshop / "travel.html", on="#page iframe")
    desk.at("poetry.html")
    expect(desk.window.locator(".page-name")).to_have_count(3)
    expect(desk.window.locator("#drop")).to_be_hidden()


def test_what_is_dropped_on_another_part_belongs_there(desk, tmp_path):
    note = tmp_path / "note.txt"
    note.write_text("On Trees\n\nAda Example\n\nAbstract\nTrees are old.\n" * 5)
    desk.open()
    before = desk.window.locator("#project-list li").count()
    desk.window.click("[data-key=part-papers]")
    desk.window.wait_for_selector(".papers")
    desk.drop(note, on=".papers")
    expect(desk.window.locator(".papers li", has_text="note.txt")).to_be_visible()
    desk.open()
    assert desk.window.locator("#project-list li").count() == before

"""The main path through the studio in Firefox, where it is installed."""

import json

import pytest
from captures import save
from firefox import Firefox, firefox
from studying import HIGHLIGHTED, PLACE

ROWS = """[...document.querySelectorAll('#table tbody tr')].map((row) =>
  [...row.querySelectorAll('td:not(.tools)')].map((cell) => cell.innerText.trim()))"""


@pytest.fixture(scope="module")
def fox(tmp_path_factory):
    path = firefox()
    if path is None:
        pytest.skip("firefox-esr is not installed")
    browser = Firefox(path, tmp_path_factory.mktemp("firefox") / "profile")
    yield browser
    browser.end()


def at(fox, page):
    fox.wait_for(
        f"document.getElementById('title').textContent === {json.dumps(page)}"
        " && document.getElementById('page').getAttribute('aria-busy') === 'false'"
    )


def mark(fox, text, key):
    left, right, middle = fox.wait_for(f"({PLACE})({json.dumps(text)})")
    fox.drag(left + 1, right, middle)
    fox.wait_for("!document.getElementById('selection').hidden")
    fox.type(key)
    fox.wait_for("document.getElementById('selection').hidden")


def test_a_record_is_marked_and_all_pages_follow(server, fox):
    fox.open(f"{server.url}/studio")
    fox.click("#sample")
    at(fox, "children.html")
    for field in ("title", "price"):
        fox.click("#new-field")
        fox.type(field, "Enter")
        fox.wait_for(
            f"[...document.querySelectorAll('.field-name')].some("
            f"({{ innerText }}) => innerText.includes({json.dumps(field)}))"
        )
    mark(fox, "The Princess and the Goblin", "1")
    mark(fox, "£45.00", "2")
    fox.wait_for("document.querySelectorAll('#table tbody tr').length === 5")
    # The rows are there after the first mark; their prices come with the second.
    fox.wait_for(f"({ROWS})[1]?.[1] === '£33.00'")
    rows = fox.evaluate(ROWS)
    assert rows[0] == ["The Princess and the Goblin", "£45.00"]
    assert rows[1] == ["Black Beauty", "£33.00"]
    assert fox.evaluate(f"({HIGHLIGHTED})('mark')") == ["The Princess and the Goblin", "£45.00"]
    assert "Black Beauty" in fox.evaluate(f"({HIGHLIGHTED})('proposal')")
    fox.click("#accept")
    fox.wait_for("document.getElementById('title').textContent !== 'children.html'")
    fox.wait_for("document.querySelector('#pages .count').innerText === '1 of 5 accepted'")
    fox.evaluate("history.back()")
    at(fox, "children.html")


def test_a_saved_page_is_shown_with_its_files_and_loads_nothing(server, chromium, fox):
    capture, _ = save(chromium, "jobs")
    server.client.post("/studio/api/projects", json={"name": "fox"})
    server.client.post(
        "/studio/api/projects/fox/pages", params={"page": "jobs.mhtml"}, content=capture.mhtml
    )
    fox.open("about:blank")
    fox.open(f"{server.url}/studio#fox/jobs.html")
    at(fox, "jobs.html")
    page = "document.querySelector('#page iframe').contentDocument"
    fox.wait_for(f"[...{page}.images].every((image) => image.complete && image.naturalWidth)")
    assert fox.evaluate(f"getComputedStyle({page}.querySelector('h1')).color") == "rgb(1, 90, 60)"
    requests = fox.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert [url for url in requests if not url.startswith((server.url, "data:"))] == []


def sample(server, fox):
    fox.open("about:blank")
    fox.open(f"{server.url}/studio")
    fox.click("#sample")
    at(fox, "children.html")


def test_a_suggested_table_becomes_data(server, fox):
    sample(server, fox)
    fox.click("#suggestions .cards button")
    fox.wait_for("document.querySelectorAll('#table tbody tr').length === 5")
    fox.wait_for("document.querySelector('#saved').textContent === 'Saved'")
    # As on the page, until the column has its type.
    assert {"£33.00", "33.00 GBP"} & set(fox.evaluate(ROWS)[1])
    fox.type("g")
    fox.wait_for("document.querySelectorAll('.data tbody tr').length > 9")
    fox.click(".data input[type=search], #screen input[type=search]")
    fox.type("Anna")
    fox.wait_for("document.querySelectorAll('.data tbody tr').length === 1")
    assert "Black Beauty" in fox.evaluate("document.querySelector('.data tbody').innerText")
    fox.evaluate("history.back()")
    at(fox, "children.html")


def test_keys_find_mark_undo_and_show_the_source(server, fox):
    sample(server, fox)
    fox.click("#new-field")
    fox.type("title", "Enter")
    fox.wait_for("document.querySelector('.field-name')?.innerText.includes('title')")
    fox.type("Escape", "/")
    fox.wait_for("!document.getElementById('finder').hidden")
    fox.type("black beauty", "Enter")
    fox.wait_for("!document.getElementById('selection').hidden")
    fox.type("1")
    fox.wait_for("document.querySelectorAll('#table tbody tr').length === 5")
    assert fox.evaluate(f"({HIGHLIGHTED})('mark')") == ["Black Beauty"]
    fox.type("s")
    fox.wait_for("!document.getElementById('source').hidden")
    fox.wait_for("document.getElementById('source').innerText.includes('<h3>Black Beauty</h3>')")
    fox.type("s", "u")
    fox.wait_for("document.querySelectorAll('#table tbody tr').length === 0")
    assert fox.evaluate(f"({HIGHLIGHTED})('mark')") == []

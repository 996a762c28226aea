"""The screens of the library: finding, correcting, tagging; keys, dark mode and hostile input."""

from types import SimpleNamespace

import httpx
import pytest
from accessibility import violations
from small_papers import archive, paper, title_of

from rowen.service.tokens import add_token

HOSTILE = "<img src=x onerror=alert(1)>"


def wait(server):
    while httpx.get(f"{server.url}/library/queue", timeout=60).json()["waiting"]:
        pass


@pytest.fixture(scope="module")
def shelf(server):
    """A service with eight papers, one of which can't be read."""
    files = {f"p{number}.pdf": paper(number, cites=[number + 1]) for number in range(7)}
    files[f"{HOSTILE}.pdf"] = paper(50)
    files["broken.pdf"] = b"%PDF-1.4 nothing"
    sent = {"myfile": ("papers.zip", archive(files))}
    assert httpx.post(f"{server.url}/library", files=sent, timeout=60).status_code == 201
    wait(server)
    found = httpx.get(f"{server.url}/library", params={"query": 'title:"number 50"'}).json()
    place = f"{server.url}/library/{found['items'][0]['id']}"
    httpx.post(f"{place}/corrections", json={"field": "title", "value": f"{HOSTILE} number 50"})
    httpx.post(f"{place}/notes", json={"text": HOSTILE})
    httpx.post(
        f"{server.url}/library/tags", json={"papers": [place.rpartition("/")[2]], "add": [HOSTILE]}
    )
    return server


def rows(window):
    return window.locator("table.catalogue tbody tr")


def test_a_search_and_facets_narrow_the_list_and_an_empty_result_leads_back(shelf, open_library):
    _, window = open_library(shelf.url)
    window.wait_for_selector("table.catalogue")
    assert rows(window).count() == 9
    window.keyboard.press("/")
    window.keyboard.type('title:"number 3"')
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert title_of(3) in rows(window).inner_text()
    window.keyboard.press("Escape")
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 9")
    window.check("[data-key='state:failed']")
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert "PDF" in window.inner_text(".reason")
    window.fill("#query", "nowhere")
    window.click("[data-key=reset]")
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 9")


def test_columns_sort_in_both_directions(shelf, open_library):
    _, window = open_library(shelf.url)
    window.wait_for_selector("table.catalogue")
    for direction in ("ascending", "descending"):
        window.click("[data-key=sort-title]")
        window.wait_for_selector(f"th.of-title[aria-sort={direction}]")
        titles = window.locator("th.title a").all_inner_texts()[:6]
        assert titles == sorted(titles, key=str.casefold, reverse=direction == "descending")


def test_what_is_typed_stays_while_another_change_is_answered(shelf, open_library):
    _, window = open_library(shelf.url)
    window.fill("#query", 'title:"number 3"')
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    window.click("th.title a")
    held = []

    def hold(route):
        held.append(route)

    window.route("**/notes", hold)  # the answer to the note comes late
    window.fill("[data-key=new-note]", "Read again")
    window.click("text=Add the note")
    window.click("#tab-references")
    window.click("[data-key=reference-0]")
    window.fill(".editor label:has-text('Year') input", "1999")
    window.fill("[data-key=new-tag]", "half a ta")
    for request in held:
        request.continue_()
    window.wait_for_selector(".notes li")
    assert window.input_value(".editor label:has-text('Year') input") == "1999"
    assert window.input_value("[data-key=new-tag]") == "half a ta"
    assert not window.input_value("[data-key=new-note]")
    window.click(".editor .primary")
    window.wait_for_selector(".references .parsed:has-text('1999')")


def test_a_paper_is_corrected_tagged_and_noted_and_the_list_shows_it(shelf, open_library):
    _, window = open_library(shelf.url)
    window.fill("#query", 'title:"number 5"')
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    window.click("th.title a")
    window.click("[data-key=edit-title]")
    window.fill(".editor input", f"A better title {HOSTILE}")
    window.keyboard.press("Enter")
    window.wait_for_selector("[data-key=undo-title]")
    assert window.inner_text("#paper-title") == f"A better title {HOSTILE}"
    window.fill("[data-key=new-tag]", "to read")
    window.keyboard.press("Enter")
    window.wait_for_selector(".tags .badge")
    window.fill("[data-key=new-note]", "Compare with number 4")
    window.click("text=Add the note")
    window.wait_for_selector(".notes li")
    window.click("#tab-references")
    window.click("[data-key=reference-0]")
    window.fill(".editor label:has-text('Year') input", "1999")
    window.keyboard.press("Enter")
    window.wait_for_selector(".references .parsed:has-text('1999')")
    window.click("#tab-history")
    assert "Corrected: title" in window.inner_text("#part")
    window.click("[data-key=undo-title]")
    window.wait_for_selector("[data-key=undo-title]", state="detached")
    assert window.inner_text("#paper-title") == title_of(5)
    window.keyboard.press("l")
    window.fill("#query", "compare")
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    assert "to read" in rows(window).inner_text()


def test_references_lead_to_papers_of_the_library_and_back(shelf, open_library):
    _, window = open_library(shelf.url)
    window.fill("#query", 'title:"number 1"')
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    window.click("th.title a")
    window.click("#tab-references")
    window.click("text=In this library")
    window.wait_for_function(
        f"() => document.querySelector('#paper-title')?.textContent === {title_of(2)!r}"
    )
    window.click("#tab-citing")
    window.click("#part a")
    window.wait_for_function(
        f"() => document.querySelector('#paper-title')?.textContent === {title_of(1)!r}"
    )


def test_selected_papers_are_exported_as_chosen(shelf, open_library):
    _, window = open_library(shelf.url)
    window.wait_for_selector("table.catalogue")
    window.locator("tbody input[type=checkbox]").nth(1).check()
    window.locator("tbody input[type=checkbox]").nth(2).check()
    window.select_option("[data-key=format]", "csv")
    with window.expect_download() as download:
        window.click("text=Export 2")
    assert download.value.suggested_filename == "library.csv"
    assert download.value.path().read_text("utf-8").count("\n") == 3


@pytest.mark.parametrize("width", [1280, 800])
def test_no_screen_has_a_violation_or_is_wider_than_the_window(shelf, open_library, width):
    _, window = open_library(shelf.url, bypass_csp=True, viewport={"width": width, "height": 800})

    def check():
        assert violations(SimpleNamespace(window=window)) == []
        assert window.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

    window.wait_for_selector("table.catalogue")
    check()
    window.fill("#query", 'title:"number 2"')
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    window.locator("tbody input[type=checkbox]").check()
    check()
    window.click("[data-key=tag]")
    check()
    window.keyboard.press("Escape")
    window.click("th.title a")
    for part in ("pages", "text", "references", "citing", "versions", "history"):
        window.click(f"#tab-{part}")
        check()
    window.click("[data-key=edit-authors]")
    check()
    window.keyboard.press("Escape")
    window.keyboard.press("?")
    check()


def test_names_and_titles_from_strangers_are_text(shelf, open_library):
    _, window = open_library(shelf.url)
    window.wait_for_selector("table.catalogue")
    assert window.locator("table.catalogue img").count() == 0
    window.on("dialog", lambda _dialog: pytest.fail("a script ran"))
    window.click("tr:has-text('onerror') a")
    window.wait_for_selector("#paper-title")
    assert window.locator("#screen img").count() == 0


def test_an_empty_library_says_what_to_do(start, open_library):
    _, window = open_library(start().url, bypass_csp=True)
    window.wait_for_selector("text=No papers yet")
    assert violations(SimpleNamespace(window=window)) == []


def test_with_access_tokens_the_page_asks_for_one(start, open_library, tmp_path):
    secret = add_token(tmp_path / "tokens.json", "one")
    server = start(auth=tmp_path / "tokens.json")
    _, window = open_library(server.url, waits=False)
    window.fill("#token", secret)
    window.keyboard.press("Enter")
    window.wait_for_selector("text=No papers yet")

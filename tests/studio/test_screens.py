"""Publishing, drift and papers, in a browser."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import expect
from serving import Server

import rowen

PAPER = Path(str(files("rowen.samples"))) / "papers" / "jcon.00187.pdf"


def marked(desk, folder):
    """Mark a page in a new project, and accept it."""
    desk.open()
    desk.add(*sorted(folder.glob("*.html")))
    desk.name_fields("title")
    page = min(folder.glob("*.html"))
    desk.turn_to(page.name)
    first = desk.window.evaluate(
        "() => document.querySelector('#page iframe').contentDocument"
        ".querySelector('h2, h3, b, strong, td, li').innerText.trim().split('\\n')[0]"
    )
    desk.mark(first, "1")
    desk.settle()
    desk.window.keyboard.press("Enter")
    desk.settle()


def part(desk, name):
    desk.window.click(f"[data-key=part-{name}]")
    desk.window.wait_for_selector("#screen:not([hidden])")


def test_a_wrapper_is_published_drifts_and_is_repaired(desk, bookshop, tmp_path, server):
    marked(desk, bookshop)
    part(desk, "publish")
    desk.window.fill("#publish-name", "books")
    desk.window.get_by_role("button", name="Publish").click()
    expect(desk.window.get_by_text("Use books, version 1")).to_be_visible()
    assert "books" in server.get("/extractors").json()
    expect(desk.window.locator("pre", has_text="rowen extract")).to_be_visible()

    part(desk, "drift")
    new = tmp_path / "new"
    new.mkdir()
    for page in bookshop.glob("*.html"):
        (new / page.name).write_text(page.read_text())
    chooser = desk.window.locator("#screen input[type=file]")
    chooser.set_input_files([str(page) for page in sorted(new.glob("*.html"))])
    expect(desk.window.get_by_text("It still fits")).to_be_visible()
    desk.window.get_by_role("button", name="Remove pages").click()
    expect(desk.window.get_by_text("It still fits")).to_have_count(0)
    saved = rowen.load(next((server.data / "studio").glob("*/published/1-books.json")))
    for page in sorted(new.glob("*.html")):
        text = page.read_text()
        for record in reversed(saved.extract(text)):  # each title in a tag that was not there
            start, end = record.spans["title"]
            text = f"{text[:start]}<mark>{text[start:end]}</mark>{text[end:]}"
        page.write_text(text.replace("<h", "<section><h").replace("class=", "data-x="))
    chooser.set_input_files([str(page) for page in sorted(new.glob("*.html"))])
    expect(desk.window.locator("#screen h2", has_text="fits")).to_be_visible()
    desk.window.get_by_role("button", name="Propose a repair").click()
    expect(desk.window.get_by_text("A wrapper for the new pages")).to_be_visible()
    desk.window.get_by_role("button", name="Accept and publish").click()
    expect(desk.window.locator("#drift-version option")).to_have_count(2)


def test_a_paper_is_shown_beside_what_was_found(desk):
    desk.open()
    part(desk, "papers")
    desk.window.set_input_files("#screen input[type=file]", str(PAPER))
    shown = desk.window.frame_locator("iframe.paper")
    expect(shown.locator("h2").first).to_contain_text("FMIExchange.jl")
    picture = {"name": "a.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n" + bytes(99)}
    desk.window.set_input_files("#screen input[type=file]", picture)
    expect(desk.window.locator("#messages")).to_contain_text("PNG")


def test_with_tokens_the_studio_asks_for_one(tmp_path, request, open_window):
    tokens = tmp_path / "tokens.json"
    added = subprocess.run(
        [sys.executable, "-m", "rowen", "token", "add", "library", "--file", tokens],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    server = Server(tmp_path / "data", auth=tokens)
    request.addfinalizer(server.end)
    desk = open_window(server.url)
    desk.window.goto(f"{server.url}/studio")
    for token in ("wrong", added.stdout.strip().splitlines()[-1]):
        expect(desk.window.locator("#entering")).to_be_visible()
        desk.window.fill("#token", token)
        desk.window.press("#token", "Enter")
    desk.window.wait_for_selector("#welcome:not([hidden])")
    part(desk, "papers")
    desk.window.set_input_files("#screen input[type=file]", str(PAPER))
    shown = desk.window.frame_locator("iframe.paper")
    expect(shown.locator("h2").first).to_contain_text("FMIExchange.jl")


def test_the_panel_says_which_marks_are_not_reproduced(desk, server):
    """The project that `test_publishing` makes by calls, made by calls here, too."""
    text = (
        "<html><body><table><tr><td>Ada</td><td>1.20</td></tr><tr><td>Bob</td>"
        "<td>only today: 2.40!</td></tr><tr><td>Cid</td><td>was 4, now 3.60</td></tr></table>"
    )
    at = "/studio/api/projects/warned"
    server.client.post("/studio/api/projects", json={"name": "warned"}).raise_for_status()
    server.client.post(f"{at}/pages", params={"page": "p.html"}, content=text.encode())
    rows = [("Ada", "1.20"), ("Bob", "2.40"), ("Cid", "3.60")]
    records = [
        {
            "name": [text.index(name), text.index(name) + 3],
            "price": [text.index(price), text.index(price) + 4],
        }
        for name, price in rows
    ]
    for action in (
        {"do": "fields", "fields": ["name", "price"]},
        {
            "do": "splice",
            "page": "p.html",
            "start": 0,
            "end": 0,
            "records": records,
            "complete": True,
        },
    ):
        revision = server.get(at).json()["revision"]
        step = {"revision": revision, "action": action}
        server.client.post(f"{at}/actions", json=step).raise_for_status()
    desk.window.goto(f"{server.url}/studio#warned")
    warned = desk.window.locator(".warned")
    expect(warned).to_contain_text("price: p.html: always empty: not one of 3 marked values")
    warned.get_by_role("button", name="p.html, record 1").click()

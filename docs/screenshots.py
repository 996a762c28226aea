"""Take the pictures of docs/studio.md: the studio in Chromium, on the sample pages.

python docs/screenshots.py
"""  # noqa: INP001  # a script

import json
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SIZE = {"width": 1280, "height": 800}

sys.path.append(str(ROOT / "tests" / "shared"))  # the tests' own hands on the studio

from serving import Server  # noqa: E402
from studying import PLACE, Desk  # noqa: E402


def main() -> None:
    """Take all of them."""
    IMAGES.mkdir(exist_ok=True)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "data")
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=options)
        try:
            _light(browser, server.url)
            _dark(browser, server.url)
        finally:
            browser.close()
            server.end()


def _light(browser: Browser, url: str) -> None:
    desk = _begin(browser, url, "light")
    _take(desk, "welcome")
    _points(desk)
    _page_data(_begin(browser, url, "light"))
    desk = _begin(browser, url, "light")
    _sample(desk)
    desk.select("Middlemarch")
    _take(desk, "select")
    desk.press("1")
    desk.mark("George Eliot", "2")
    desk.mark("£48.00", "3")
    desk.expect_rows(6)
    desk.settle()
    _take(desk, "proposals")
    desk.press("Enter")
    desk.settle()
    desk.press("t", "s")
    desk.settle()
    _take(desk, "source")
    desk.press("s", "t", "?")
    _take(desk, "keys")
    desk.press("Escape")
    desk.turn_to("novels.html")
    desk.choose_class("hlrt")
    desk.cell(1, "author").dblclick()
    desk.window.keyboard.type("by <em>Anthony Trollope</em>, 1855")
    desk.press("Enter")
    desk.window.get_by_text("These two marks contradict each other").wait_for()
    desk.settle()
    _take(desk, "conflict")


def _points(desk: Desk) -> None:
    """Suggested tables, pointing, and the data."""
    window = desk.window
    window.click("#sample")
    desk.at("children.html")
    window.wait_for_selector("#suggestions .cards > li")
    left, right, middle = window.evaluate(PLACE, "Black Beauty")
    for shift in (1, 0):
        window.mouse.move((left + right) / 2 + shift, middle)
    window.wait_for_selector("#pointer:not([hidden])")
    _take(desk, "suggested")
    window.locator("#suggestions .cards button").first.click()
    desk.expect_rows(5)
    desk.settle()
    desk.press("g")
    window.wait_for_selector(".data td")
    _take(desk, "data")


def _page_data(desk: Desk) -> None:
    """A page that its scripts would draw, with a value of its data marked."""
    lamps = [("Reading lamp", 48.0), ("Floor lamp", 129.9), ("Lantern", 19.5), ("Sconce", 64.0)]
    items = [{"name": name, "price": price, "currency": "EUR"} for name, price in lamps]
    data = json.dumps({"props": {"pageProps": {"title": "Lamps", "items": items}}})
    grey = '<div style="height:70px;margin:14px;border-radius:8px;background:#e5e7eb"></div>'
    with TemporaryDirectory() as folder:
        page = Path(folder) / "lamps.html"
        script = f'<script id="__NEXT_DATA__" type="application/json">{data}</script>'
        page.write_text(f"<title>Lamps</title><div id=root>{3 * grey}</div>{script}")
        desk.add(page)
        desk.at("lamps.html")
        desk.window.wait_for_selector("#suggestions .cards > li")
        desk.click_text("Floor lamp")
        desk.expect_rows(4)
        desk.settle()
        _take(desk, "page-data")


def _dark(browser: Browser, url: str) -> None:
    desk = _begin(browser, url, "dark")
    _sample(desk)
    desk.window.locator('[aria-label="Change price"]').click()
    desk.window.select_option('[aria-label="Recognizer for price"]', "price")
    desk.window.wait_for_selector("#recognized:not([hidden])")
    desk.mark("Middlemarch", "1")
    desk.settle()
    _take(desk, "dark")


def _begin(browser: Browser, url: str, scheme: str) -> Desk:
    context = browser.new_context(viewport=SIZE, color_scheme=scheme)
    desk = Desk(context.new_page(), url)
    desk.open()
    return desk


def _sample(desk: Desk) -> None:
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title", "author", "price")
    desk.turn_to("novels.html")
    desk.settle()


def _take(desk: Desk, name: str) -> None:
    desk.window.wait_for_timeout(300)  # what moves has come to rest
    desk.window.screenshot(path=IMAGES / f"studio-{name}.png")


if __name__ == "__main__":
    main()

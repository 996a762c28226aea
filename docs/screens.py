"""Take the pictures of docs/application.md: every screen, light and dark, at 1280 and 800 pixels.

python docs/screens.py
"""  # noqa: INP001  # a script

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTHS = (1280, 800)

sys.path.append(str(ROOT / "tests" / "shared"))  # the tests' own pages and hands

from nights import learned, pages, publish, write_store  # noqa: E402
from serving import Server  # noqa: E402

from rowen.service.tokens import add_token  # noqa: E402


def main() -> None:
    """Take all of them."""
    IMAGES.mkdir(exist_ok=True)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        folder = Path(place)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        try:
            _full(browser, folder)
            _first(browser, folder)
        finally:
            browser.close()


def _full(browser: Browser, folder: Path) -> None:
    """A service with a project, an extractor and a store with an alarm."""
    os.chdir(folder)  # a picture must not show where it was taken
    write_store(Path("bookshop"), learned(), nights=9)
    server = Server(folder / "data", stores=["bookshop"])
    try:
        publish(server)
        server.put("/extractors/rooms", content="kind='pattern'\npattern='(?P<room>CS [0-9]+)'")
        (shown,) = server.get("/home/api/stores").json()["stores"]
        _take(browser, server.url, "home", ".alarm")
        _take(browser, f"{server.url}/#/operations", "operations", "#service")
        _take(browser, f"{server.url}/#/operations/{shown['id']}", "store", ".changes tr")
        _take(browser, f"{server.url}/#/extractors", "extractors", "tbody tr")
        _take(browser, f"{server.url}/#/extractors/books", "extractor", "#tests ~ .good", _try)
    finally:
        server.end()


def _try(window: Page) -> None:
    window.fill("#try-text", pages(5)["shelf-1.html"])
    window.get_by_role("button", name="Extract").click()
    window.wait_for_selector("pre.source mark")


def _first(browser: Browser, folder: Path) -> None:
    """Services that nobody has used yet."""
    server = Server(folder / "empty")
    _take(browser, server.url, "empty", ".hero")
    server.end()
    tokens = folder / "tokens.json"
    add_token(tokens, "library")
    server = Server(folder / "guarded", auth=tokens)
    _take(browser, server.url, "sign-in", "#token")
    server.end()


def _take(
    browser: Browser,
    address: str,
    name: str,
    shown: str,
    act: Callable[[Page], None] | None = None,
) -> None:
    for scheme in ("light", "dark"):
        for width in WIDTHS:
            context = browser.new_context(
                viewport={"width": width, "height": 800}, color_scheme=scheme
            )
            window = context.new_page()
            window.goto(address)
            window.wait_for_selector(shown)
            if act is not None:
                act(window)
            window.wait_for_timeout(300)  # what moves has come to rest
            window.screenshot(path=IMAGES / f"application-{name}-{scheme}-{width}.png")
            context.close()


if __name__ == "__main__":
    main()

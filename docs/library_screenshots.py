"""Take the pictures of docs/library.md: the library in Chromium.

python docs/library_screenshots.py [FOLDER]

Without a FOLDER the pictures of the documentation are replaced. With one, pictures in both schemes
at 1280 and 800 pixels are written there, to be looked at.
"""  # noqa: INP001  # a script

import os
import shutil
import sys
import time
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
sys.path.append(str(ROOT / "tests" / "shared"))

from serving import Server  # noqa: E402
from small_papers import archive, paper  # noqa: E402

SAMPLES = Path(str(files("rowen.samples"))) / "papers"


def main() -> None:
    """Take all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data) / "data")
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=options)
        try:
            if folder is None:
                _take(browser, server, IMAGES / "library", "light", 1280)
            else:
                folder.mkdir(exist_ok=True)
                for scheme in ("light", "dark"):
                    for width in (1280, 800):
                        _take(browser, server, folder / f"{scheme}-{width}", scheme, width)
        finally:
            browser.close()
            server.end()


def _take(browser: Browser, server: Server, place: Path, scheme: str, width: int) -> None:
    look = {"width": width, "height": 800 if width > 1000 else 900}
    context = browser.new_context(viewport=look, color_scheme=scheme)
    window = context.new_page()
    is_new = not httpx.get(f"{server.url}/library").json()["total"]
    window.goto(f"{server.url}/library")
    window.wait_for_selector("#query")
    if is_new:
        _send(server)
        window.wait_for_selector(".progress .files li")
        window.wait_for_selector("table.catalogue")
        window.screenshot(path=place.with_name(f"{place.name}-progress.png"))
        while httpx.get(f"{server.url}/library/queue").json()["waiting"]:
            time.sleep(0.2)
        time.sleep(3)  # until the list shows them
    window.wait_for_selector("table.catalogue")
    window.screenshot(path=place.with_name(f"{place.name}.png"))
    window.fill("#query", "title:emacs")
    window.wait_for_function("() => document.querySelectorAll('tbody tr').length === 1")
    window.click("th.title a")
    _say(window, is_new=is_new)
    window.wait_for_timeout(2500)  # the pages' pictures
    window.screenshot(path=place.with_name(f"{place.name}-paper.png"))
    window.click("#tab-references")
    window.click("[data-key=reference-0]")
    window.locator("#part").scroll_into_view_if_needed()
    window.evaluate("() => document.querySelector('[role=tablist]').scrollIntoView()")
    window.screenshot(path=place.with_name(f"{place.name}-references.png"))
    context.close()


def _send(server: Server) -> None:
    """Send papers that cite each other, two real ones, and one that can't be read."""
    contents = {
        f"reading-{number:02}.pdf": paper(number, cites=[number + 1, number + 2])
        for number in range(40)
    }
    contents |= {file.name: file.read_bytes() for file in sorted(SAMPLES.glob("*.pdf"))}
    contents["scan.pdf"] = b"%PDF-1.4 nothing"
    sent = {"myfile": ("papers.zip", archive(contents))}
    httpx.post(f"{server.url}/library", files=sent, timeout=60).raise_for_status()


def _say(window: Page, *, is_new: bool) -> None:
    """Tag the open paper, note something, and correct its venue, once."""
    window.wait_for_selector("#paper-title")
    if not is_new:
        return
    window.fill("[data-key=new-tag]", "teaching")
    window.keyboard.press("Enter")
    window.wait_for_selector(".tags .badge")
    window.fill("[data-key=new-note]", "Compare with our own slides.")
    window.click("text=Add the note")
    window.wait_for_selector(".notes li")
    window.click("[data-key=edit-venue]")
    window.fill(".editor input", "Journal of Open Source Education")
    window.keyboard.press("Enter")
    window.wait_for_selector("[data-key=undo-venue]")


if __name__ == "__main__":
    main()

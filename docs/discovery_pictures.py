"""Draw the picture of docs/discover.md: one page of the sample shop in four steps, in Chromium.

python docs/discovery_pictures.py
"""  # noqa: INP001  # a script

import os
import shutil
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import sync_playwright

import rowen
from rowen.types import Table

IMAGE = Path(__file__).parent / "images" / "discover-steps.png"
SHOP = files("rowen.samples") / "bookshop"
SHOWN = "travel.html"
PAGES = (SHOWN, "poetry.html", "novels.html")
COLOURS = ("#ffe08a", "#b9e6ff", "#c8f2c2", "#ffd0d9")
REGION = "outline: 3px dashed #2468c8; outline-offset: -2px; background: #eef4ff"
MARK = "background: #ffe08a; outline: 3px solid #b4540a"
FOUND = "background: #ffe08a; outline: 1px solid #b4540a"
STYLE = """
body { margin: 0; padding: 16px; font: 17px/1.4 system-ui, sans-serif; background: #fff }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 16px 20px }
h2 { font-size: 18px; margin: 0 0 6px }
iframe { width: 100%; height: 470px; border: 1px solid #888 }
"""

Insertion = tuple[int, str]


def main() -> None:
    """Draw it."""
    pages = [rowen.Page((SHOP / name).read_text("utf-8"), id=name) for name in PAGES]
    table, *_ = rowen.discover(pages)
    page = pages[0]
    steps = {
        "1. The page": page.text,
        "2. Parts of the same shape: each is a record": _inserted(page, _regions(page)),
        "3. What varies in them: each place is a column": _inserted(page, _slots(page, table)),
        "4. One mark chooses: this column, in all records": _inserted(page, _chosen(page, table)),
    }
    cells = "".join(
        f'<section><h2>{escape(title)}</h2><iframe srcdoc="{escape(text)}"></iframe></section>'
        for title, text in steps.items()
    )
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=options)
        window = browser.new_page(viewport={"width": 1280, "height": 1070})
        window.set_content(f"<!doctype html><style>{STYLE}</style><main>{cells}</main>")
        window.wait_for_timeout(500)  # the frames are drawn
        window.screenshot(path=IMAGE, full_page=True)
        browser.close()


def _regions(page: rowen.Page) -> list[Insertion]:
    """A frame around each book of the page."""
    start, insertions = 0, []
    tag = '<div class="book"'
    while (start := page.text.find(tag, start)) >= 0:
        start += len(tag)
        insertions.append((start, f' style="{REGION}"'))
    return insertions


def _slots(page: rowen.Page, table: Table) -> list[Insertion]:
    """The values of each column in its colour."""
    insertions: list[Insertion] = []
    for column, colour in zip(table.columns, COLOURS, strict=False):
        for start, end in _spans(page, table, column.name):
            insertions += _coloured(start, end, f"background: {colour}", column.name)
    return insertions


def _chosen(page: rowen.Page, table: Table) -> list[Insertion]:
    """The mark, and what it chooses."""
    insertions = _regions(page)
    for number, (start, end) in enumerate(_spans(page, table, table.columns[0].name)):
        insertions += _coloured(start, end, FOUND if number else MARK, "")
    return insertions


def _spans(page: rowen.Page, table: Table, name: str) -> Sequence[tuple[int, int]]:
    records = [record for record in table.records if record.page.id == page.id]
    return [
        (span.start, span.end)
        for record in records
        for field, spans in record.items()
        if field == name
        for span in spans
    ]


def _coloured(start: int, end: int, style: str, name: str) -> list[Insertion]:
    label = f'<sup style="font: 11px system-ui; color: #333"> {name}</sup>' if name else ""
    return [(start, f'<span style="{style}; color: #000">'), (end, f"</span>{label}")]


def _inserted(page: rowen.Page, insertions: list[Insertion]) -> str:
    pieces: list[str] = []
    last = 0
    for place, text in sorted(insertions, key=lambda insertion: insertion[0]):
        pieces += [page.text[last:place], text]
        last = place
    return "".join([*pieces, page.text[last:]])


if __name__ == "__main__":
    main()

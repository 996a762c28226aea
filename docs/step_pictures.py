"""Draw the pictures that show one page in four steps, in Chromium.

`discover-steps.png` shows a page of the sample shop (docs/discover.md), and `learn-steps.png`
the trains of docs/wrappers.md, of which one is marked. What is drawn is what Rowen finds.

python docs/step_pictures.py
"""  # noqa: INP001  # a script

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import rowen
from rowen.records import Record

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
SHOP = files("rowen.samples") / "bookshop"
SHOWN = "travel.html"
PAGES = (SHOWN, "poetry.html", "novels.html")
COLOURS = ("#ffe08a", "#b9e6ff", "#c8f2c2", "#ffd0d9")
REGION = "outline: 3px dashed #2468c8; outline-offset: -2px; background: #eef4ff"
OTHER = "outline: 3px dashed #7a5c9e; outline-offset: -2px; background: #f5effb"
FADED = "color: #9a9a9a"
MARK = "background: #ffe08a; outline: 3px solid #b4540a"
FOUND = "background: #ffe08a; outline: 1px solid #b4540a"
STYLE = """
body { margin: 0; padding: 16px; font: 17px/1.4 system-ui, sans-serif; background: #fff }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 16px 20px }
h2 { font-size: 18px; margin: 0 0 6px }
iframe { width: 100%; border: 1px solid #888 }
"""
TRAINS_STYLE = """<style>
body { margin: 18px 24px; font: 17px/1.4 system-ui, sans-serif }
h2 { font-size: 20px; margin: 12px 0 6px } p { font-size: 15px }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: 5px 10px }
</style>"""

Insertion = tuple[int, str]
Steps = Mapping[str, str]
"""The HTML of each step by its title."""


def main() -> None:
    """Draw them."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=options)
        _draw(browser, _shop(), IMAGES / "discover-steps.png", height=470)
        _draw(browser, _trains(), IMAGES / "learn-steps.png", height=380)
        browser.close()


def _draw(browser: Browser, steps: Steps, image: Path, *, height: int) -> None:
    cells = "".join(
        f"<section><h2>{escape(title)}</h2>"
        f'<iframe height="{height}" srcdoc="{escape(text)}"></iframe></section>'
        for title, text in steps.items()
    )
    window = browser.new_page(viewport={"width": 1280, "height": 2 * height + 130})
    window.set_content(f"<!doctype html><style>{STYLE}</style><main>{cells}</main>")
    window.wait_for_timeout(500)  # the frames are drawn
    window.screenshot(path=image, full_page=True)
    window.close()


def _shop() -> Steps:
    """What discover finds in the shop, and one mark in it."""
    pages = [rowen.Page((SHOP / name).read_text("utf-8"), id=name) for name in PAGES]
    table, *_ = rowen.discover(pages)
    page = pages[0]
    records = [record for record in table.records if record.page.id == page.id]
    regions = _regions(page, records, '<div class="book"', REGION)
    chosen = [
        insertion
        for number, record in enumerate(records)
        for insertion in _coloured(record, {table.columns[0].name: MARK if not number else FOUND})
    ]
    return {
        "1. The page": page.text,
        "2. Parts of the same shape: each is a record": _inserted(page, regions),
        "3. What varies in them: each place is a column": _inserted(page, _columns(records)),
        "4. One mark chooses: this column, in all records": _inserted(page, [*regions, *chosen]),
    }


def _trains() -> Steps:
    """How one marked train chooses a group of rows and its columns."""
    text = (DOCS / "wrappers.md").read_text("utf-8")
    page = rowen.Page(_block(text, "trains.html"), id="trains.html")
    (label,) = json.loads(_block(text, "one.jsonl"))["records"]
    example = rowen.Example(page, [label], partial=True)
    wrapper = rowen.learn([example])
    found = list(wrapper.extract(page))
    (marked,) = [record for record in found if record.values == label]
    extents = [record.extent for record in found]
    starts = {extent.start for extent in extents if extent is not None}
    table = rowen.discover([page])[0]
    others = [record for record in table.records if _start(record) not in starts]
    mark = _coloured(marked, dict.fromkeys(label, MARK))
    group = _regions(page, found, "<tr", REGION)
    rest = _regions(page, others, "<tr", OTHER)
    faded = [
        (page.text.index(f'<table id="{name}"') + 6, f' style="{FADED}"')
        for name in _ids(page, others)
    ]
    return {
        "1. The page, with one marked record": TRAINS_STYLE + _inserted(page, mark),
        "2. Groups of regions: rows with the same surroundings": TRAINS_STYLE
        + _inserted(page, [*group, *rest]),
        "3. The mark chooses its group, and the columns": TRAINS_STYLE
        + _inserted(page, [*group, *_columns(found), *faded]),
        "4. The records, and what the mark leaves open": TRAINS_STYLE + _result(wrapper, found),
    }


def _block(text: str, title: str) -> str:
    """The code of a title in the documentation."""
    match = re.search(
        rf'^```\w+ title="{re.escape(title)}"\n(.*?)^```', text, re.DOTALL | re.MULTILINE
    )
    assert match is not None, title
    return match[1]


def _ids(page: rowen.Page, records: Sequence[Record]) -> set[str]:
    """The ids of the tables that hold records."""
    return {re.findall(r'<table id="(\w+)"', page.text[: _start(record)])[-1] for record in records}


def _result(wrapper: rowen.Wrapper, records: Sequence[Record]) -> str:
    """The records as a table, and the suggestions."""
    rows = [
        "<tr>"
        + "".join(
            f'<td style="background: {colour}">{escape(str(record.values[name] or ""))}'
            for name, colour in zip(wrapper.fields, COLOURS, strict=False)
        )
        for record in records
    ]
    heads = "".join(f"<th>{escape(name)}" for name in wrapper.fields)
    notes = "".join(
        f"<p>Not decided by the mark: {escape(each.message)}" for each in wrapper.suggestions
    )
    return f"<h2>Records</h2><table><tr>{heads}{''.join(rows)}</table>{notes}"


def _regions(page: rowen.Page, records: Sequence[Record], tag: str, style: str) -> list[Insertion]:
    """A frame around the element of each record."""
    return [
        (page.text.rindex(tag, 0, _start(record)) + len(tag), f' style="{style}"')
        for record in records
    ]


def _start(record: Record) -> int:
    assert record.extent is not None
    return record.extent.start


def _columns(records: Sequence[Record]) -> list[Insertion]:
    """The values of each column in its colour."""
    names = list(dict.fromkeys(name for record in records for name, _ in record.items()))
    styles = {name: f"background: {colour}" for name, colour in zip(names, COLOURS, strict=False)}
    return [each for record in records for each in _coloured(record, styles, named=True)]


def _coloured(record: Record, styles: Mapping[str, str], *, named: bool = False) -> list[Insertion]:
    """The values of some fields, with their names where asked for."""
    insertions: list[Insertion] = []
    for name, spans in record.items():
        label = f'<sup style="font: 11px system-ui; color: #333"> {name}</sup>' if named else ""
        for span in spans if name in styles else ():
            insertions += [
                (span.start, f'<span style="{styles[name]}; color: #000">'),
                (span.end, f"</span>{label}"),
            ]
    return insertions


def _inserted(page: rowen.Page, insertions: Sequence[Insertion]) -> str:
    pieces: list[str] = []
    last = 0
    for place, text in sorted(insertions, key=lambda insertion: insertion[0]):
        pieces += [page.text[last:place], text]
        last = place
    return "".join([*pieces, page.text[last:]])


if __name__ == "__main__":
    main()

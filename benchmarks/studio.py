"""The studio's views in a browser: a page of 2 MB with 5,000 marks."""

import os
import shutil
import tempfile
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from benchmarks.measure import Table
from rowen.model import Page
from rowen.views.view import view_of

ROWS = 13_000
MARKS = 5_000
ROUNDS = 15
HARNESS = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="views.css">
<style>body { margin: 0; display: grid; grid-template-columns: 1fr 1fr; height: 100vh; }
div { min-width: 0; min-height: 0; }</style><div id="page"></div><div id="source"></div>"""
SET_UP = """
async () => {
  const { PageView } = await import("/page-view.js");
  const { SourceView } = await import("/source-view.js");
  window.page = new PageView(document.getElementById("page"));
  window.source = new SourceView(document.getElementById("source"));
  window.painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  window.took = async (act) => {
    await painted();
    const start = performance.now();
    await act();
    await painted();
    return performance.now() - start;
  };
}
"""
MEASURE = """
async ([view, text, spans, rounds]) => {
  const took = {};
  const note = async (name, act) => (took[name] ??= []).push(await window.took(act));
  const marks = spans.map(([start, end], at) =>
    ({ id: `${at}`, start, end, color: at % 9, kind: at % 2 ? "proposal" : "mark" }));
  for (let round = 0; round < 3; round++) {
    await note("show the page", () => page.show(view));
    await note("show the source", () => source.show({ text }));
    await note("paint all marks", () => { page.setMarks(marks); source.setMarks(marks); });
  }
  const frame = document.querySelector("iframe");
  const selection = frame.contentDocument.getSelection();
  for (let round = 0; round < rounds; round++) {
    const [start, end] = spans[Math.floor(((round + 0.5) / rounds) * spans.length)];
    page.setMarks(marks);
    source.setMarks(marks);
    await note("go to a mark in both views", () => {
      page.reveal(start, end);
      source.reveal(start, end);
    });
    await note("one more mark", () => {
      const more = [...marks, { id: "new", start, end: end + 3, color: 8, kind: "mark" }];
      page.setMarks(more);
      source.setMarks(more);
    });
    await note("all marks change", () => {
      const others = marks.map((mark) => ({ ...mark, color: (mark.color + round + 1) % 9 }));
      page.setMarks(others);
      source.setMarks(others);
    });
    page.select(start, end);
    await note("what is selected", () => page.selection());
    selection.selectAllChildren(frame.contentDocument.body);
    await note("what is selected: all", () => page.selection());
    page.clearSelection();
    for (let step = 0; step < 5; step++) {
      await note("scroll both views by a step", () => {
        frame.contentWindow.scrollBy(0, 400);
        source.scrollToOffset(page.topOffset());
      });
    }
  }
  return took;
}
"""


def big_page() -> tuple[str, list[list[int]]]:
    """A page of 2 MB, and where its marks stand."""
    text = "<!doctype html><title>Prices</title><body><h1>All prices \U0001f600</h1>\n<table>\n"
    rows, length = [text], len(text)
    spans: list[list[int]] = []
    for number in range(ROWS):
        row = (
            f'<tr class="item"><td><a href="/items/{number}">Item number {number}</a></td>'
            f'<td>&euro; <b>{number % 97}.{number % 10}0</b></td><td class="note">A few words '
            f"that say what item {number} is &amp; why</td></tr>\n"
        )
        if len(spans) < MARKS:
            start = length + row.index("Item")
            spans.append([start, start + len(f"Item number {number}")])
        rows.append(row)
        length += len(row)
    return "".join(rows) + "</table>", spans


def serve(folder: Path) -> tuple[Any, str]:
    """The studio's files, as they are."""
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def run() -> Table | str:
    """The median of each thing that people do, up to the frame in which they see it."""
    path = shutil.which("chromium")
    if path is None:
        return "### studio: a page of 2 MB\n\nThere is no chromium."
    from playwright.sync_api import sync_playwright

    text, spans = big_page()
    view = view_of(Page(text, id="page"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        import rowen.studio

        static = Path(rowen.studio.__file__).with_name("static")
        shutil.copytree(static, folder, dirs_exist_ok=True)
        Path(folder, "harness.html").write_text(HARNESS, encoding="utf-8")
        server, url = serve(Path(folder))
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=options)
        window = browser.new_page(viewport={"width": 1280, "height": 800})
        window.goto(f"{url}/harness.html")
        window.evaluate(SET_UP)
        took: dict[str, list[float]] = window.evaluate(MEASURE, [view, text, spans, ROUNDS])
        browser.close()
        server.shutdown()
    table = Table(
        f"studio: a page of {len(text) / 1e6:.1f} MB with {len(spans):,} marks in Chromium",
        ("what", "median ms", "slowest ms"),
    )
    for name, times in took.items():
        table.add(name, f"{median(times):.0f}", f"{max(times):.0f}")
    return table


if __name__ == "__main__":
    print(run())

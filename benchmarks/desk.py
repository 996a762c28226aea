"""The whole studio in a browser: a page of 2 MB whose label has 5,000 records."""

import os
import shutil
import sys
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import httpx

from benchmarks.measure import Table
from benchmarks.studio import big_page

ROUNDS = 6
STEPS = 4
PAGE = "prices.html"
WATCH = """() => {
  const frame = document.querySelector('#page iframe');
  const painted = (window) => new Promise((done) => window.requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  window.took = [];
  window.blocked = [];
  const note = async ({ timeStamp, view }) => {
    const start = view.performance.timeOrigin + timeStamp;
    await painted(window);
    window.took.push(performance.timeOrigin + performance.now() - start);
  };
  const listen = (target, view) => {
    target.addEventListener('keydown', (event) =>
      note({ timeStamp: event.timeStamp, view }), { capture: true });
    target.addEventListener('wheel', ({ timeStamp }) =>
      target.addEventListener('scroll', async () => {
        await painted(window); // in this frame the other view is told to follow
        note({ timeStamp, view });
      }, { capture: true, once: true }), { capture: true, passive: true });
  };
  listen(document, window);
  listen(frame.contentDocument, frame.contentWindow);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.blocked.push(duration);
  }).observe({ type: 'longtask' });
}"""
SCROLL_TO = """text => {
  const frame = document.querySelector('#page iframe');
  const page = frame.contentDocument;
  const walker = page.createTreeWalker(page.body, 4);
  while (walker.nextNode()) {
    if (walker.currentNode.data !== text) continue;
    const price = walker.currentNode.parentElement.closest('tr').querySelector('b').firstChild;
    price.parentElement.scrollIntoView({ block: 'center' });
    page.getSelection().setBaseAndExtent(price, 0, price, price.length);
    frame.contentWindow.focus();
    return;
  }
}"""


def run() -> Table | str:
    """From what a person does to the frame that shows it, and what keeps others waiting then."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return "### studio: a page of 2 MB on the desk\n\nThere is no chromium."
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    text, spans = big_page()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = import_module("serving").Server(Path(folder) / "data")
        _prepare(server.url, text, spans)
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(120_000)
        desk = import_module("studying").Desk(context.new_page(), server.url)
        took = _used(desk, [text[start:end] for start, end in spans])
        browser.close()
        server.end()
    table = Table(
        f"studio: a page of {len(text) / 1e6:.1f} MB with {len(spans):,} records on the desk",
        ("what", "median ms", "slowest ms"),
    )
    for name, times in took.items():
        table.add(name, f"{median(times):.0f}", f"{max(times):.0f}")
    return table


def _prepare(url: str, text: str, spans: list[list[int]]) -> None:
    """A project with the page, and a label that has all records of it but their prices."""
    project = f"{url}/studio/api/projects/big"
    httpx.post(f"{url}/studio/api/projects", json={"name": "big"})
    answer = httpx.post(f"{project}/pages", params={"page": PAGE}, content=text.encode())
    records = [{"item": span} for span in spans]
    for action in (
        {"do": "fields", "fields": ["item", "price"]},
        {
            "do": "splice",
            "page": PAGE,
            "start": 0,
            "end": 0,
            "records": records,
            "complete": False,
        },
    ):
        given = {"revision": answer.json()["revision"], "action": action}
        answer = httpx.post(f"{project}/actions", json=given, timeout=60)
        answer.raise_for_status()


def _used(desk: Any, items: list[str]) -> dict[str, list[float]]:
    """What is done to the page, again and again at places far from each other."""
    took: dict[str, list[float]] = {}
    window = desk.window
    start = perf_counter()
    desk.open("big")
    desk.at(PAGE)
    took["open the page"] = [1000 * (perf_counter() - start)]
    desk.settle()
    window.evaluate(WATCH)
    for with_source in (False, True):
        shown = ", source shown" if with_source else ""
        if with_source:
            desk.press("s")
        for number in range(ROUNDS):
            place = int((number + 0.5) / ROUNDS * len(items)) + with_source
            window.evaluate(SCROLL_TO, items[place])
            window.wait_for_selector("#selection:not([hidden])")
            window.wait_for_timeout(300)
            window.evaluate("window.blocked.length = 0")
            _note(took, window, f"mark a price{shown}", lambda: desk.press("2"))
            desk.settle()
            window.wait_for_timeout(100)
            blocks = window.evaluate("window.blocked")
            name = f"longest pause from a mark to its proposals{shown}"
            took.setdefault(name, []).append(max(blocks, default=0))
            for _ in range(STEPS):
                _note(took, window, f"cursor down{shown}", lambda: desk.press("j"))
            window.mouse.move(640, 300)
            for _ in range(STEPS):
                _note(took, window, f"wheel step{shown}", lambda: window.mouse.wheel(0, 300))
    return took


def _note(took: dict[str, list[float]], window: Any, name: str, act: Any) -> None:
    window.evaluate("window.took.length = 0")
    act()
    window.wait_for_function("() => window.took.length > 0")
    window.wait_for_timeout(100)
    took.setdefault(name, []).append(window.evaluate("window.took[0]"))


if __name__ == "__main__":
    print(run())

"""The studio in a browser: from a mark to what is proposed then, over ten pages of about 100 KB.

A first answer is learned from few pages. What a person waits for is the answer that is right, that
is, the same as what is learned from all pages: on the page in front, and on all ten.
"""

import json
import os
import shutil
import statistics
import sys
import tarfile
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from benchmarks.measure import Table
from benchmarks.shared import DATA

PAGES = 10
SITES = ("auto-kbb", "book-buy", "movie-imdb")
WATCH = """() => {
  window.took = [];
  const answers = {};
  const request = window.fetch;
  window.fetch = async (...given) => {
    const response = await request(...given);
    const address = String(given[0].url ?? given[0]);
    const [, kind] = /\\/proposals(\\/first)?(?:\\?|$)/.exec(address) ?? [null];
    if (kind !== null && response.ok) answers[kind ?? "all"] = await response.clone().json();
    return response;
  };
  const same = (page) => {
    const [before, after] = ["/first", "all"].map((kind) => answers[kind]?.pages ?? {});
    const pages = page ? [page] : Object.keys(after);
    const records = (answer, name) => JSON.stringify(answer[name]?.records);
    return answers["/first"]?.revision === answers.all?.revision
      && pages.every((name) => records(before, name) === records(after, name));
  };
  let since = null;
  let first = null;
  const table = document.getElementById('table');
  const panel = document.getElementById('panel');
  const look = () => {
    const busy = table.getAttribute('aria-busy') === 'true';
    if (busy) {
      since ??= performance.now();
      const status = panel.querySelector('.status').textContent;
      if (status.includes('first answer')) first ??= performance.now();
    } else if (since !== null) {
      const all = performance.now();
      const page = document.getElementById('title').textContent;
      const right = (name) => (first && same(name) ? first : all) - since;
      window.took.push([right(page), right(null), all - since]);
      since = first = null;
    }
  };
  new MutationObserver(look).observe(table, {attributes: true, attributeFilter: ['aria-busy']});
  new MutationObserver(look).observe(panel, {childList: true, subtree: true, characterData: true});
}"""


def run() -> Table:
    """Each field of two pages is marked; the time until the table shows the records."""
    table = Table(
        "studio: from a mark to updated proposals over 10 pages",
        (
            *("site", "KB a page", "marks", "page in front right, ms", "most"),
            *("all pages right, ms", "most", "learned from all, ms", "most"),
        ),
    )
    path = DATA / "wrappers" / "swde.tar.xz"
    chromium = shutil.which("chromium")
    if not path.exists() or chromium is None:
        return table
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
    serving = import_module("serving")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = serving.Server(Path(folder) / "data")
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        for site in SITES:
            pages, labels = _site(path, site)
            took = _marked(browser, server.url, site, pages, labels)
            size = sum(map(len, pages.values())) / len(pages) / 1000
            times = [
                f"{summary(part):.0f}"
                for part in zip(*took, strict=True)
                for summary in (statistics.median, max)
            ]
            table.add(site, f"{size:.0f}", str(len(took)), *times)
        browser.close()
        server.end()
    return table


def _site(path: Path, site: str) -> tuple[dict[str, str], dict[str, Any]]:
    pages: dict[str, str] = {}
    labels: dict[str, Any] = {}
    with tarfile.open(path) as tar:
        for member in tar:
            name = member.name.removeprefix("./").removeprefix("swde/")
            file = tar.extractfile(member) if name.startswith(f"{site}/") else None
            if file is None:
                continue
            text = file.read().decode("utf-8")
            if name.endswith("labels.jsonl"):
                lines = map(json.loads, text.splitlines())
                labels = {one["page"]: one["spans"][0] for one in lines}
            else:
                pages[Path(name).name] = text
    chosen = sorted(pages)[:PAGES]
    return {name: pages[name] for name in chosen}, labels


def _marked(
    browser: Any, url: str, site: str, pages: dict[str, str], labels: dict[str, Any]
) -> list[tuple[float, float, float]]:
    studying = import_module("studying")
    fields = list(dict.fromkeys(name for page in pages for name in labels[page]))[:5]
    api = f"{url}/studio/api/projects"
    httpx.post(api, json={"name": site})
    for name, text in pages.items():
        answer = httpx.post(f"{api}/{site}/pages", params={"page": name}, content=text.encode())
    given = {"revision": answer.json()["revision"], "action": {"do": "fields", "fields": fields}}
    httpx.post(f"{api}/{site}/actions", json=given)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(30_000)
    desk = studying.Desk(context.new_page(), url)
    desk.open(site)
    desk.window.evaluate(WATCH)
    for name in list(pages)[:2]:
        desk.turn_to(name)
        for number, field in enumerate(fields, 1):
            if isinstance(span := labels[name].get(field), list) and isinstance(span[0], int):
                _mark(desk, pages[name], span, str(number))
    took: list[tuple[float, float, float]] = desk.window.evaluate("() => window.took")
    context.close()
    return took


def _mark(desk: Any, text: str, span: list[int], key: str) -> None:
    """Find the value, as often as it stands before its place, and mark it."""
    desk.find(text, span)
    desk.press(key)
    desk.window.wait_for_timeout(50)  # a mark that says nothing new takes none
    desk.settle()


if __name__ == "__main__":
    print(run())

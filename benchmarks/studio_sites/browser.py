"""A user in Chromium: files are chosen, fields named, values dragged over, keys pressed."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.proposals import WATCH
from benchmarks.studio_sites.cases import Case, spans_of
from benchmarks.studio_sites.scores import Played
from benchmarks.studio_sites.service import Client, judge
from rowen import Page
from rowen.text.charset import encode

WAIT = 60_000
"""Limit: milliseconds for anything that the studio shows; its own limits are shorter."""

PLACE = """async ([project, page, start, end]) => {
  // Where a span of the source is on the screen: the middle of its first and of its last line.
  const { Places } = await import("/studio/static/offsets.js");
  const api = `/studio/api/projects/${encodeURIComponent(project)}/pages/`;
  const view = await (await fetch(`${api}${encodeURIComponent(page)}/view`)).json();
  const texts = [];
  const collect = (node) => {
    if (Array.isArray(node)) node.slice(2).forEach(collect);
    else texts.push(node);
  };
  collect(view.tree);
  const frame = document.querySelector("#page iframe");
  const nodes = [];
  const shown = frame.contentDocument;
  const walker = shown.createTreeWalker(shown.body, 4);
  while (walker.nextNode()) nodes.push(walker.currentNode);
  if (nodes.length !== texts.length) return null;
  const units = new Places(texts).units(start, end);
  if (!units.length) return null;
  const [first, last] = [units[0], units.at(-1)];
  nodes[first.text].parentElement.scrollIntoView({ block: "center", inline: "center" });
  const range = shown.createRange();
  range.setStart(nodes[first.text], first.from);
  range.setEnd(nodes[last.text], last.to);
  const lines = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  if (!lines.length) return null;
  const outer = frame.getBoundingClientRect();
  const [top, bottom] = [lines[0], lines.at(-1)];
  const points = [
    [outer.left + top.left + 0.5, outer.top + (top.top + top.bottom) / 2],
    [outer.left + bottom.right - 0.5, outer.top + (bottom.top + bottom.bottom) / 2],
  ];
  const isSeen = ([x, y]) => x > outer.left && x < outer.right && y > outer.top && y < outer.bottom;
  return points.every(isSeen) ? points : null;
}"""
SELECTED = (
    "() => document.querySelector('#selection') && !document.querySelector('#selection').hidden"
)


class User:
    """Somebody with a browser who has never used the studio."""

    def __init__(self, url: str, browser: Any) -> None:
        self._url = url
        self._browser = browser

    def play(self, case: Case) -> Played:
        """Mark the records of a site, and compare what is proposed then."""
        context = self._browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(WAIT)
        desk = import_module("studying").Desk(context.new_page(), self._url)
        try:
            return self._played(desk, case)
        except Exception as error:  # noqa: BLE001  # whatever stops a user counts as stuck
            reason = str(error).strip().partition("\n")[0]
            return Played(case.name, 0, 0, len(case.pages), [], f"the driver: {reason}")
        finally:
            context.close()

    def _played(self, desk: Any, case: Case) -> Played:
        names = _open(desk, case)
        project = desk.window.evaluate("() => location.hash.slice(1).split('/')[0]")
        client = Client(self._url, project)
        desk.name_fields(*case.fields)
        desk.window.locator(".page-name").get_by_text(names[0], exact=True).click()
        desk.at(names[0])
        desk.settle()
        desk.window.evaluate(WATCH)
        times: list[float] = []
        for record in case.marks:
            desk.window.evaluate("() => { window.took.length = 0; }")
            for number, field in enumerate(case.fields, 1):
                for later, span in enumerate(spans_of(record.get(field))):
                    key = f"Shift+{number}" if later else str(number)
                    self._mark(desk, case.pages[0], (project, names[0]), span, key)
            desk.settle()
            times += [right for _, right, _ in desk.window.evaluate("() => window.took")[-1:]]
        played = judge(case, names, client.proposals(), times)
        client.close()
        errors = "; ".join(desk.errors)
        return played._replace(stuck=f"error in the window: {errors}") if errors else played

    def _mark(
        self, desk: Any, page: Page, place: tuple[str, str], span: list[int], key: str
    ) -> None:
        """Drag over a value that is shown, else find it; then press the field's key."""
        points = desk.window.evaluate(PLACE, [*place, *span])
        if points is None or not _dragged(desk, points):
            _find(desk, page.text, span)
        desk.press(key)
        desk.window.wait_for_selector("#selection", state="hidden")
        desk.settle()


def _open(desk: Any, case: Case) -> list[str]:
    """Choose the files of a site; the names that its pages get, in the order of the case."""
    desk.open()
    with TemporaryDirectory() as folder:
        paths = []
        for number, page in enumerate(case.pages):
            # In page order also by name, for the studio may sort them.
            paths.append(Path(folder) / f"page-{number + 1}.html")
            paths[-1].write_bytes(encode(page.text))
        desk.window.set_input_files("#files", [str(path) for path in paths])
        desk.window.wait_for_selector("#desk:not([hidden])")
        for path in paths:
            desk.window.locator(".page-name").get_by_text(path.name, exact=True).wait_for()
    return [path.name for path in paths]


def _dragged(desk: Any, points: list[list[float]]) -> bool:
    """Drag from a point to another; whether something was selected then."""
    (left, top), (right, bottom) = points
    mouse = desk.window.context.new_cdp_session(desk.window)
    steps = (
        ("mousePressed", left, top, 1),
        ("mouseMoved", (left + right) / 2, (top + bottom) / 2, 1),
        ("mouseMoved", right, bottom, 1),
        ("mouseReleased", right, bottom, 0),
    )
    for kind, x, y, buttons in steps:
        where = {"x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1}
        mouse.send("Input.dispatchMouseEvent", {"type": kind, **where})
    mouse.detach()
    try:
        desk.window.wait_for_function(SELECTED, timeout=2_000)
    except Exception:  # noqa: BLE001  # what covers the value is not the user's fault: they search
        return False
    return True


def _find(desk: Any, text: str, span: list[int]) -> None:
    """Search for a value, as often as it occurs before its place."""
    desk.press("Escape")
    desk.find(text, span)
    desk.window.wait_for_function(SELECTED)


@contextmanager
def opened(url: str) -> Iterator[User]:
    """A user with a new browser."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium; --no-browser plays without")
    options = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield User(url, browser)
        browser.close()

"""The studio's two views of a page in a browser, without the studio around them."""

from rowen.model import Page
from rowen.service.routes.studio import _POLICY
from rowen.studio.view import view_of

HARNESS = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>views</title>
<link rel="stylesheet" href="/studio/static/views.css">
<style>
  html { color-scheme: light dark; }
  body { margin: 0; display: grid; grid-template-columns: 1fr 1fr; height: 100vh; }
  body > div { min-width: 0; min-height: 0; overflow: hidden; }
</style>
<div id="page"></div><div id="source"></div>
<script type="module" src="/studio/static/harness.js"></script>
</html>"""
SCRIPT = """
import { PageView } from "./page-view.js";
import { SourceView } from "./source-view.js";
import * as offsets from "./offsets.js";
import * as rows from "./rows.js";
const told = { select: [], click: [], key: [], scroll: [] };
const handlers = {
  onSelect: (span) => told.select.push(span),
  onMarkClick: (id) => told.click.push(id),
  onKey: (event) => told.key.push(event.key),
  onScroll: (offset) => told.scroll.push(offset),
};
const page = new PageView(document.getElementById("page"), handlers);
const source = new SourceView(document.getElementById("source"), handlers);
const frame = document.querySelector("iframe");
const texts = () => {
  const found = [];
  const walker = frame.contentDocument.createTreeWalker(frame.contentDocument.body, 4);
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
};
Object.assign(window, { told, page, source, frame, texts, offsets, rows });
window.isReady = true;
"""


class Viewer:
    """A window with both views: `page` and `source` in its scripts, and what they `told`."""

    def __init__(self, window, url):
        self.window = window
        files = {"html": (HARNESS, "text/html"), "js": (SCRIPT, "text/javascript")}

        def answer(route):
            body, kind = files[route.request.url.rpartition(".")[2]]
            headers = {"Content-Security-Policy": _POLICY, "Content-Type": f"{kind}; charset=utf-8"}
            route.fulfill(body=body, headers=headers)

        window.route("**/studio/static/harness.*", answer)
        window.set_default_timeout(20_000)
        window.goto(f"{url}/studio/static/harness.html")
        window.wait_for_function("() => window.isReady")

    def run(self, script, given=None):
        return self.window.evaluate(script, given)

    def show(self, text):
        """Show a page in both views."""
        view = view_of(Page(text, id="page.html"))
        self.run(
            "async ([view, text]) => { await page.show(view); await source.show({text}); }",
            [view, text],
        )
        return view

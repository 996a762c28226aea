"""The studio's two views of a page in a browser, without the studio around them."""

from rowen.model import Page
from rowen.service.static_files import POLICY
from rowen.views.view import view_of

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
import * as intents from "./intents.js";
const events = { select: [], click: [], key: [], scroll: [] };
const handlers = {
  onSelect: (span) => events.select.push(span),
  onMarkClick: (id) => events.click.push(id),
  onKey: (event) => events.key.push(event.key),
  onScroll: (offset) => events.scroll.push(offset),
};
const page = new PageView(document.getElementById("page"), handlers);
const source = new SourceView(document.getElementById("source"), handlers);
const frame = document.querySelector("iframe");
const texts = () => {
  const nodes = [];
  const walker = frame.contentDocument.createTreeWalker(frame.contentDocument.documentElement, 4);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("head")) nodes.push(walker.currentNode);
  }
  return nodes;
};
Object.assign(window, { events, page, source, frame, texts, offsets, rows, intents });
window.isReady = true;
"""


class Viewer:
    """A window with both views: `page` and `source` in its scripts, with their `events`."""

    def __init__(self, window, url):
        self.window = window
        files = {"html": (HARNESS, "text/html"), "js": (SCRIPT, "text/javascript")}

        def answer(route):
            body, kind = files[route.request.url.rpartition(".")[2]]
            headers = {"Content-Security-Policy": POLICY, "Content-Type": f"{kind}; charset=utf-8"}
            route.fulfill(body=body, headers=headers)

        window.route("**/studio/static/harness.*", answer)
        window.set_default_timeout(20_000)
        self._address = f"{url}/studio/static/harness.html"
        self.reload()

    def reload(self):
        """Begin again with two empty views."""
        self.window.goto(self._address)
        self.window.wait_for_function("() => window.isReady")

    def run(self, script, argument=None):
        return self.window.evaluate(script, argument)

    def show(self, text):
        """Show a page in both views."""
        view = view_of(Page(text, id="page.html"))
        self.run(
            "async ([view, text]) => { await page.show(view); await source.show({text}); }",
            [view, text],
        )
        return view

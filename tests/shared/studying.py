"""The studio in a browser, driven as a person does."""

import re

from playwright.sync_api import expect

PLACE = """text => {
  const frame = document.querySelector('#page iframe');
  const page = frame.contentDocument;
  const walker = page.createTreeWalker(page.documentElement, 4);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const at = node.data.indexOf(text);
    if (at < 0 || node.parentElement.closest('head')) continue;
    const range = page.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    node.parentElement.scrollIntoView({block: 'center'});
    const box = range.getBoundingClientRect();
    const outer = frame.getBoundingClientRect();
    return [outer.left + box.left, outer.left + box.right, outer.top + (box.top + box.bottom) / 2];
  }
  return null;
}"""
HIGHLIGHTED = """kind => {
  const texts = [];
  const frame = document.querySelector('#page iframe').contentWindow;
  for (const [name, highlight] of frame.CSS.highlights) {
    if (!name.startsWith(`rowen-${kind}-`)) continue;
    for (const {startContainer, startOffset, endOffset} of highlight) {
      texts.push(startContainer.data.slice(startOffset, endOffset));
    }
  }
  return texts.sort();
}"""


class Desk:
    """A window of the studio."""

    def __init__(self, window, url):
        self.window = window
        self.url = url
        self.errors = []
        window.on("pageerror", self._note)

    def _note(self, error):
        self.errors.append(str(error))

    def leave(self):
        """Leave the window as a new one is: nothing shown, nothing stored, nothing held back."""
        self.window.unroute_all(behavior="ignoreErrors")
        if self.window.url.startswith(self.url):
            self.window.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        self.window.goto("about:blank")
        self.window.context.clear_cookies()
        self.window.remove_listener("pageerror", self._note)

    def open(self, project=""):
        self.window.goto(f"{self.url}/studio#{project}")
        shown = "#desk" if project else "#welcome"
        self.window.wait_for_selector(f"{shown}:not([hidden])")

    def add(self, *paths):
        """Choose files."""
        self.window.set_input_files("#files", [str(path) for path in paths])
        self.window.wait_for_selector("#desk:not([hidden])")
        for path in paths:
            expect(self.window.locator(".page-name", has_text=path.name)).to_have_count(1)

    def drop(self, *paths, on):
        """Drag files from outside of the browser onto an element."""
        box = self.window.locator(on).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        files = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        mouse = self.window.context.new_cdp_session(self.window)
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            mouse.send("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": files})
        mouse.detach()

    def name_fields(self, *names):
        for name in names:
            self.window.fill("#new-field", name)
            self.window.press("#new-field", "Enter")
            expect(self.window.locator(".field-name", has_text=name)).to_have_count(1)

    def turn_to(self, page):
        self.window.locator(".page-name", has_text=page).click()
        self.at(page)

    def at(self, page):
        """Wait until a page is shown."""
        expect(self.window.locator("#title")).to_have_text(page)
        self.window.wait_for_selector("#page[aria-busy=false]")

    def select(self, text):
        """Drag the mouse over a text of the page, from its first to its last character."""
        self.window.wait_for_function(f"text => ({PLACE})(text) !== null", arg=text)
        left, right, middle = self.window.evaluate(PLACE, text)
        mouse = self.window.context.new_cdp_session(self.window)
        # Playwright's own dragging waits for scripts in the frame, which can run none.
        steps = (
            ("mousePressed", left + 0.5, 1),
            ("mouseMoved", (left + right) / 2, 1),
            ("mouseMoved", right - 0.5, 1),
            ("mouseReleased", right - 0.5, 0),
        )
        for kind, x, buttons in steps:
            where = {"x": x, "y": middle, "button": "left", "buttons": buttons, "clickCount": 1}
            mouse.send("Input.dispatchMouseEvent", {"type": kind, **where})
        mouse.detach()
        self.window.wait_for_selector("#selection:not([hidden])")

    def mark(self, text, key):
        self.select(text)
        self.window.keyboard.press(key)
        self.window.wait_for_selector("#selection", state="hidden")

    def click_text(self, text):
        left, right, middle = self.window.evaluate(PLACE, text)
        self.window.mouse.click((left + right) / 2, middle)

    def find(self, text, span):
        """Search for the value at a span of the page's source, and select it."""
        value = text[span[0] : span[1]].strip()
        spaced = r"\s+".join(map(re.escape, value.split()))
        case = re.IGNORECASE if value == value.lower() else 0
        before = sum(match.start() < span[0] for match in re.finditer(spaced, text, case))
        self.press("/")
        self.window.keyboard.insert_text(value)
        status = self.window.locator("#finder [role=status]").inner_text()
        number, total = map(int, status.split(" of "))
        self.press(*["ArrowDown"] * ((before + 1 - number) % total), "Enter")

    def highlighted(self, kind):
        """The texts on the page that are painted as marks of a kind."""
        return self.window.evaluate(HIGHLIGHTED, kind)

    def settle(self):
        """Wait until all is saved and learned."""
        expect(self.window.locator("#saved")).to_have_text("Saved")
        # Suggested tables are shown in its place while nothing is marked.
        self.window.wait_for_selector("#table[aria-busy=false]", state="attached")

    def rows(self):
        """The table's values."""
        cells = "tr => [...tr.querySelectorAll('td:not(.tools)')].map(td => td.innerText.trim())"
        return self.window.evaluate(
            f"() => [...document.querySelectorAll('#table tbody tr')].map({cells})"
        )

    def expect_rows(self, number):
        expect(self.window.locator("#table tbody tr")).to_have_count(number)

    def cell(self, row, field):
        """A cell of the table, by its row's number and its column's name."""
        names = self.window.locator("#table thead th").evaluate_all(
            "heads => heads.map(head => head.dataset.field ?? head.innerText.trim())"
        )
        place = names.index(field)
        return self.window.locator("#table tbody tr").nth(row).locator("th, td").nth(place)

    def choose_class(self, name):
        """Choose a class of wrappers, below "Advanced"."""
        if not self.window.locator("#class").is_visible():
            self.window.click(".advanced summary")
        self.window.select_option("#class", name)

    def press(self, *keys):
        for key in keys:
            self.window.keyboard.press(key)

    def message(self, pattern):
        expect(self.window.locator(".message", has_text=re.compile(pattern)).first).to_be_visible()

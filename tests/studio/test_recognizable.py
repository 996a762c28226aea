"""Saved modern pages are laid out in the studio as they were in the browser that saved them."""

import pytest
from modern_layouts import LAYOUTS, ModernSite, archive
from studying import Desk

TOLERANCE = 2
"""In CSS pixels: what is shown as another element may have half a pixel more."""
PLACES = """page => Object.fromEntries([...page.querySelectorAll('[id]')].map((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const { color, backgroundColor, display } = page.defaultView.getComputedStyle(element);
  const box = [left, top, width, height].map((size) => Math.round(size * 10) / 10);
  return [element.id, { box, color, backgroundColor, shown: display !== 'none' }];
}))"""
SHOWN = f"() => ({PLACES})(document.querySelector('#page iframe').contentDocument)"
FRAME = {"width": 810, "height": 600}
RESIZE = """({ width, height }) => {
  const { style } = document.querySelector('#page iframe');
  style.cssText = `flex: none; width: ${width}px; height: ${height}px`;
}"""


@pytest.fixture(scope="module")
def origin():
    with ModernSite() as address:
        yield address


def differences(before, after):
    """What is somewhere else, has another size or another colour."""
    return {
        name: (was, after.get(name))
        for name, was in before.items()
        if name not in after
        or any(abs(a - b) > TOLERANCE for a, b in zip(was["box"], after[name]["box"], strict=True))
        or any(was[key] != after[name][key] for key in ("color", "backgroundColor", "shown"))
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ten_modern_pages_are_laid_out_as_they_were(server, chromium, origin, tmp_path, scheme):
    """Each as Chromium saves it (MHTML), and as a crawler does (WARC)."""
    context = chromium.new_context(viewport=FRAME, color_scheme=scheme)
    window = context.new_page()
    protocol = context.new_cdp_session(window)
    project = f"modern {scheme}"
    server.client.post("/studio/api/projects", json={"name": project})

    def add(file, content):
        path = f"/studio/api/projects/{project}/pages"
        answer = server.client.post(path, params={"page": file}, content=content)
        assert answer.is_success, answer.text
        return answer.json()["all_added"]

    names = list(LAYOUTS) if scheme == "light" else ["dark"]
    crawled = add("site.warc", archive(tmp_path / "site.warc", origin).read_bytes())
    assert len(crawled) == len(LAYOUTS)
    before, pages = {}, []
    for name in names:
        window.goto(f"{origin}/{name}.html")
        before[name] = window.evaluate(f"() => ({PLACES})(document)")
        mhtml = protocol.send("Page.captureSnapshot", {"format": "mhtml"})["data"].encode()
        pages += [(name, page) for page in add(f"{name}-saved.mhtml", mhtml)]
        pages += [(name, page) for page in crawled if name in page]
    assert len(pages) == 2 * len(names)

    requests = []
    window.on("request", lambda request: requests.append(request.url))
    window.set_viewport_size({"width": 1280, "height": 800})
    desk = Desk(window, server.url)
    desk.open(f"{project}/{pages[0][1]}")
    wrong = []
    for name, page in pages:
        desk.turn_to(page)
        window.evaluate(RESIZE, FRAME)
        different = differences(before[name], window.evaluate(SHOWN))
        wrong += [f"{page}, #{key}: {values}" for key, values in different.items()]
    context.close()
    assert not wrong, "\n".join(wrong)
    assert [url for url in requests if not url.startswith((server.url, "data:"))] == []
    assert not desk.errors

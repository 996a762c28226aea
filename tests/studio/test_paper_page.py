"""The page of a paper in a browser: pictures of its pages, switches, and nothing from elsewhere."""

from importlib.resources import files

import httpx
import pytest

FILL = "(kind) => getComputedStyle(document.querySelector(`svg .${kind}`)).fill"
STROKE = "(kind) => getComputedStyle(document.querySelector(`svg .area.${kind}`)).stroke"


@pytest.fixture
def page(chromium, server):
    paper = (files("rowen.samples") / "papers" / "jcon.00187.pdf").read_bytes()
    context = chromium.new_context(viewport={"width": 800, "height": 900})
    window = context.new_page()
    window.complaints, window.requested = [], []
    window.on("console", lambda message: window.complaints.append(message.text))
    window.on("pageerror", lambda error: window.complaints.append(str(error)))
    window.on("request", lambda request: window.requested.append(request.url))
    place = httpx.post(server.url, content=paper, timeout=60).headers["location"]
    window.address = f"{server.url}/studio/papers{place}"
    window.goto(window.address)
    yield window
    context.close()


def test_pages_have_pictures_and_each_kind_can_be_hidden(page):
    drawn = page.evaluate(
        "() => Promise.all([...document.querySelectorAll('svg image')].map(async (one) => {"
        " const picture = new Image(); picture.src = one.href.baseVal; await picture.decode();"
        " return picture.naturalHeight; }))"
    )
    assert len(drawn) == page.locator("svg.sheet").count() > 0
    assert all(height > 1000 for height in drawn)
    ink = "() => getComputedStyle(document.querySelector('svg text')).fill"
    assert page.evaluate(ink) == "rgba(0, 0, 0, 0)"
    page.locator("#show-picture").uncheck()
    assert page.evaluate(ink) != "rgba(0, 0, 0, 0)"
    for kind in ("title", "heading", "reference"):
        assert page.evaluate(FILL, f"ground.{kind}") != "none"
        page.locator(f"#show-{kind}").uncheck()
        assert page.evaluate(FILL, f"ground.{kind}") == "none"
    assert page.evaluate(STROKE, "paragraph") != "none"
    page.locator("#show-all").check()
    assert page.evaluate(FILL, "ground.title") != "none"
    page.locator("#show-all").uncheck()
    assert page.evaluate(STROKE, "paragraph") == page.evaluate(FILL, "ground.title") == "none"
    assert page.complaints == []
    assert [own for own in page.requested if not own.startswith("data:")] == [page.address]


def test_an_entry_leads_to_its_place_and_nothing_is_wider_than_the_window(page):
    page.locator(".sections > li > a").nth(2).click()
    anchor = page.evaluate("() => location.hash")
    assert page.locator(f"svg {anchor}").count() == 1
    page.wait_for_function(
        "(name) => { const box = document.querySelector(name).getBoundingClientRect();"
        " return box.top > 0 && box.bottom < innerHeight; }",
        arg=anchor,
    )
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

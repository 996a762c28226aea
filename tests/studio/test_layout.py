"""The studio in windows of all sizes: nothing runs out of sight, and the document never scrolls."""

from importlib.resources import files

import pytest
from playwright.sync_api import expect

SIZES = {
    "laptop": (1280, 800),
    "large": (1920, 1080),
    "half": (800, 700),
    "laptop at 200%": (640, 400),
}
OVERFLOW = """() => {
  const page = document.documentElement;
  const buttons = [...document.querySelectorAll('#top button, #top a, #top select, #bar button')];
  return {
    scrolls: page.scrollHeight > page.clientHeight + 1 || page.scrollWidth > page.clientWidth + 1,
    cut: buttons.filter((button) => button.checkVisibility()).filter((button) => {
      const { left, right } = button.getBoundingClientRect();
      return left < -1 || right > innerWidth + 1;
    }).map((button) => button.id || button.textContent),
  };
}"""


@pytest.fixture(scope="session")
def fifty(server):
    server.client.post("/studio/api/projects", json={"name": "fifty"})
    # The longest name sets the width of the choice of projects, whichever project is open.
    server.client.post("/studio/api/projects", json={"name": "a-name-that-is-rather-long"})
    text = (files("rowen.samples") / "bookshop" / "novels.html").read_bytes()
    for number in range(50):
        page = {"page": f"p{number}.html"}
        server.client.post("/studio/api/projects/fifty/pages", params=page, content=text)
    return "fifty"


@pytest.mark.parametrize("size", SIZES)
def test_fifty_pages_fit_every_window(desk, fifty, size):
    width, height = SIZES[size]
    desk.window.set_viewport_size({"width": width, "height": height})
    try:
        desk.open(fifty)
        desk.at("p0.html")
        assert desk.window.evaluate(OVERFLOW) == {"scrolls": False, "cut": []}
        desk.turn_to("p49.html")
        expect(desk.window.locator(".page-name", has_text="p49.html")).to_be_in_viewport()
        expect(desk.window.locator("#accept")).to_be_in_viewport()
        is_narrow = width < 1100
        assert desk.window.locator("#panel").is_hidden() == is_narrow
        if is_narrow:
            desk.window.click("#panel-button")
            expect(desk.window.locator("#panel")).to_be_visible()
            desk.window.click("#panel-button")
            expect(desk.window.locator("#panel")).to_be_hidden()
        for part in ("publish", "drift", "papers"):
            desk.window.click(f"[data-key=part-{part}]")
            desk.window.wait_for_selector("#screen:not([hidden]) h2")
            assert desk.window.evaluate(OVERFLOW) == {"scrolls": False, "cut": []}
    finally:
        desk.window.set_viewport_size({"width": 1280, "height": 800})


def test_marking_works_in_half_a_window(desk):
    desk.window.set_viewport_size({"width": 800, "height": 700})
    try:
        desk.open()
        desk.window.click("#sample")
        desk.at("children.html")
        desk.name_fields("title", "price")
        desk.mark("The Princess and the Goblin", "1")
        desk.mark("£45.00", "2")
        desk.expect_rows(5)
    finally:
        desk.window.set_viewport_size({"width": 1280, "height": 800})


def test_a_screen_that_fails_says_so_and_can_be_tried_again(desk):
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.window.route("**/versions", lambda route: route.fulfill(status=500, body="{}"))
    desk.window.click("[data-key=part-drift]")
    failed = desk.window.locator("#screen .state.failed")
    expect(failed).to_be_visible()
    desk.window.unroute("**/versions")
    failed.get_by_role("button", name="Try again").click()
    expect(desk.window.get_by_role("heading", name="Nothing is published yet")).to_be_visible()

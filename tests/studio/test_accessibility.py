"""All screens without a violation of accessibility rules, in light and dark."""

from accessibility import violations


def test_no_main_state_has_a_violation(server, open_window):
    desk = open_window(server.url, bypass_csp=True)
    desk.open()
    assert violations(desk) == []
    desk.window.click("#sample")
    desk.at("children.html")
    desk.window.wait_for_selector("#suggestions .cards > li")
    assert violations(desk) == []
    desk.name_fields("title", "price")
    desk.mark("The Princess and the Goblin", "1")
    desk.mark("£45.00", "2")
    desk.expect_rows(5)
    desk.settle()
    assert violations(desk) == []
    desk.cell(0, "price").click()
    desk.press("m", "t", "s", "/")
    desk.settle()
    assert violations(desk) == []
    desk.press("Escape", "?")
    assert violations(desk) == []
    desk.press("Escape", "o")
    assert violations(desk) == []
    desk.press("Escape")
    desk.window.click("[data-key=place-studio]")
    desk.window.wait_for_selector("#project-list li")
    assert violations(desk) == []
    desk.window.locator("#project-list button", has_text="Rename").first.click()
    assert violations(desk) == []
    desk.press("Escape")
    desk.window.locator("#project-list button", has_text="\N{MULTIPLICATION SIGN}").first.click()
    assert violations(desk) == []


def test_no_other_screen_has_a_violation(server, open_window):
    desk = open_window(server.url, bypass_csp=True)
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title")
    desk.mark("The Princess and the Goblin", "1")
    desk.settle()
    for part in ("data", "publish", "drift", "papers"):
        desk.window.click(f"[data-key=part-{part}]")
        desk.window.wait_for_selector("#screen h2")
        assert violations(desk) == [], part


def test_no_state_in_which_something_is_wrong_has_a_violation(server, open_window):
    desk = open_window(server.url, bypass_csp=True)
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.name_fields("title", "author")
    desk.turn_to("novels.html")
    desk.mark("Middlemarch", "1")
    desk.mark("George Eliot", "2")
    desk.choose_class("hlrt")
    desk.settle()
    desk.mark("Trollope", "2")
    desk.window.wait_for_selector(".side")
    desk.settle()
    assert violations(desk) == []
    desk.window.request.post(f"{server.url}/studio/api/projects", data={"name": "without pages"})
    desk.open("without pages")
    desk.window.wait_for_selector("#empty:not([hidden])")
    assert violations(desk) == []

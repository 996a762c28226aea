"""Values that are only in a page's data, pointed at and marked like text."""

import json

import pytest
from playwright.sync_api import expect

SHELL = (
    "<!doctype html><html lang=en><title>{title}</title><style>.grey{{height:80px;margin:12px;"
    "background:#e5e7eb}} div{{display:none!important}}</style><nav>Shop Basket</nav>"
    "<div id=root><div class=grey></div><div class=grey></div></div>{script}"
)
LAMPS = {
    "a": [("Vase", 8), ("Lamp \N{LATIN SMALL LETTER O WITH DIAERESIS}ld", 12.5), ("Chair", 99.95)],
    "b": [("Bowl", 45), ("Stool", 30)],
}


def shell(title, data, kind="application/json", name="__NEXT_DATA__"):
    script = f'<script id="{name}" type="{kind}">{json.dumps(data)}</script>'
    return SHELL.format(title=title, script=script)


@pytest.fixture
def lists(tmp_path):
    """Pages of a shop whose products are in the data of their scripts; the price comes first."""
    paths = []
    for name, products in LAMPS.items():
        items = [{"price": price, "name": title, "id": f"{title}-1"} for title, price in products]
        data = {"props": {"pageProps": {"title": f"Shelf {name}", "items": items}}}
        paths.append(tmp_path / f"{name}.html")
        paths[-1].write_text(shell(name, data))
    return paths


@pytest.fixture
def details(tmp_path):
    """Pages of one product each, in JSON-LD."""
    paths = []
    for number, (title, price) in enumerate([("Vase", 8), ("Lamp", 12.5), ("Chair", 99.95)]):
        product = {"@type": "Product", "name": title, "offers": {"price": price, "unit": "EUR"}}
        paths.append(tmp_path / f"product{number}.html")
        paths[-1].write_text(shell(title, product, "application/ld+json"))
    return paths


def opened(desk, paths):
    desk.open()
    desk.add(*paths)
    desk.at(paths[0].name)
    desk.window.wait_for_function(
        "() => document.querySelector('#page iframe').contentDocument"
        ".querySelector('[data-rowen-data]')"
    )


def shows(desk, rows):
    """Wait until the table has these rows; the texts of other pages take a moment."""
    expect(desk.window.locator("#table tbody td:not(.tools)")).to_have_text(
        [text for row in rows for text in row]
    )


def parts(desk, selector):
    return desk.window.frame_locator("#page iframe").locator(selector)


def test_a_list_is_learned_from_one_value_of_the_data(desk, lists):
    opened(desk, lists)
    expect(parts(desk, "[data-rowen-data]")).to_contain_text("drawn by its scripts")
    desk.click_text("Vase")
    desk.expect_rows(3)
    desk.settle()
    # The price comes before the name in each object: only the data says where a record begins.
    desk.click_text("99.95")
    desk.settle()
    names = [name for name, _ in LAMPS["a"]]
    shows(desk, zip(names, ["8", "12.5", "99.95"], strict=True))
    desk.press("t")
    desk.expect_rows(5)
    expect(desk.window.locator("#table tbody tr").last).to_contain_text("Stool")
    assert desk.rows()[3:] == [["b.html", "Bowl", "45"], ["b.html", "Stool", "30"]]
    assert "Chair" in desk.highlighted("proposal")


def test_a_table_of_the_data_is_suggested_and_lights_up_in_the_list(desk, lists):
    opened(desk, lists)
    card = desk.window.locator("#suggestions .cards > li").first
    expect(card).to_contain_text(LAMPS["a"][1][0])
    card.hover()
    desk.window.wait_for_function(
        "() => document.querySelector('#page iframe').contentWindow.CSS.highlights.size > 2"
    )
    assert "Vase" in desk.highlighted("hint")
    card.locator("text='Use this table'").click()
    desk.expect_rows(3)
    desk.settle()
    desk.window.locator("#accept").click()
    desk.at("b.html")
    desk.expect_rows(2)


def test_a_table_of_plain_text_is_suggested_and_used(desk, tmp_path):
    people = [("Ada", 36, "London"), ("Grace", 85, "Arlington"), ("Emmy", 53, "Erlangen")]
    lines = [f"{name:<9}{age:>4}  {place}" for name, age, place in people]
    path = tmp_path / "people.txt"
    path.write_text("\n".join(lines))
    desk.open()
    desk.add(path)
    desk.at("people.txt")
    desk.window.locator("#suggestions >> text='Use this table'").first.click()
    shows(desk, [[name, str(age), place] for name, age, place in people])


def test_pages_of_one_product_each_are_learned_from_their_data(desk, details):
    opened(desk, details)
    desk.click_text("Vase")
    desk.settle()
    desk.click_text("8")
    desk.settle()
    desk.press("t")
    shows(
        desk,
        [
            ["product0.html", "Vase", "8"],
            ["product1.html", "Lamp", "12.5"],
            ["product2.html", "Chair", "99.95"],
        ],
    )


def test_a_value_is_found_selected_and_marked_with_keys_alone(desk, lists):
    opened(desk, lists)
    desk.press("/")
    desk.window.keyboard.insert_text("Chair")
    expect(desk.window.locator("#finder [role=status]")).to_have_text("1 of 2")
    desk.press("Enter")
    desk.window.wait_for_selector("#selection:not([hidden])")
    assert desk.window.locator("#source").is_hidden()
    desk.press("1")
    desk.expect_rows(3)


def test_on_pages_with_text_the_list_is_folded_and_a_key_opens_it(desk, tmp_path):
    text = "<p>" + "A page with a text of its own. " * 30 + "</p>"
    path = tmp_path / "article.html"
    path.write_text(
        text + '<script type="application/ld+json">{"@type": "Article", "wordCount": 240}</script>'
    )
    opened(desk, [path])
    value = parts(desk, "[data-rowen-value] >> text='240'")
    expect(value).to_be_hidden()
    desk.press("v")
    expect(value).to_be_visible()
    parts(desk, "[data-rowen-data] > [data-rowen-folded]").click(position={"x": 20, "y": 10})
    expect(value).to_be_hidden()
    desk.window.locator("#data-button").click()
    expect(value).to_be_visible()


def test_a_page_of_scripts_without_data_says_what_to_do(desk, tmp_path):
    path = tmp_path / "empty.html"
    path.write_text(SHELL.format(title="empty", script="<script src=app.js></script>"))
    opened(desk, [path])
    expect(parts(desk, "[data-rowen-data]")).to_contain_text("save it in your browser")
    expect(desk.window.locator("#suggestions")).to_contain_text("as MHTML")
    expect(desk.window.locator("#data-button")).to_be_hidden()


def test_a_page_can_not_pretend_to_have_the_list_or_hide_it(desk, tmp_path):
    path = tmp_path / "hostile.html"
    fake = '<div data-rowen-data><b data-rowen-value="0 5" data-rowen-part=row>Fake</b></div>'
    style = "<style>section,div,*{display:none!important;color:red!important}</style>"
    data = '<script>var state = {name: "<img src=x onerror=alert(1)>", ok: "Vase"}</script>'
    path.write_text(f"<body>{style}{fake}{data}")
    opened(desk, [path])
    expect(parts(desk, "[data-rowen-data]")).to_have_count(1)
    expect(parts(desk, "[data-rowen-value] >> text=Vase")).to_be_visible()
    expect(parts(desk, "img")).to_have_count(0)
    colour = parts(desk, "[data-rowen-value]").first.evaluate(
        "node => getComputedStyle(node).color"
    )
    assert colour != "rgb(255, 0, 0)"

"""Pointing at values, suggested tables and the way to the data, by real mouse and key events."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect
from studying import PLACE

CARDS = "#suggestions .cards > li"
MOST_CLICKS = 8


@pytest.fixture
def sample(desk):
    """The bookshop of the package, opened as a newcomer does."""
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    desk.window.wait_for_selector(CARDS)
    return desk


def middle(desk, text):
    desk.window.wait_for_function(f"text => ({PLACE})(text) !== null", arg=text)
    left, right, y = desk.window.evaluate(PLACE, text)
    return (left + right) / 2, y


def point(desk, text):
    """Move the mouse to a text, from elsewhere on the page."""
    x, y = middle(desk, text)
    desk.window.mouse.move(x + 1, y + 1)
    desk.window.mouse.move(x, y)
    desk.window.wait_for_selector("#pointer:not([hidden])")


def click(desk, text):
    point(desk, text)
    desk.click_text(text)


def fields(desk):
    return desk.window.locator("#fields .field-name .text").all_inner_texts()


def test_the_data_is_six_clicks_away_with_a_suggested_table(desk):
    """The whole way of a newcomer, who reads only what the studio says; every click is counted."""
    window, clicks = desk.window, 0

    def press(what):
        nonlocal clicks
        window.locator(what).click()
        clicks += 1

    desk.open()
    press("text='Try it with a sample'")
    desk.at("children.html")
    press(f"{CARDS}:first-child >> text='Use this table'")
    desk.expect_rows(5)
    desk.settle()
    press("#accept")  # a look at the first page
    desk.settle()
    press("text='Get the data' >> visible=true >> nth=0")
    window.wait_for_selector(".data table")
    with window.expect_download() as download:
        press("text='CSV'")
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8"))))
    # Another test may have opened the sample before: then the project's name has a number.
    assert re.fullmatch(r"bookshop(-\d+)?\.csv", download.value.suggested_filename)
    assert len(rows) == 24
    assert {"page", "price_amount", "price_currency"} <= set(rows[0])
    assert clicks <= MOST_CLICKS
    expect(window.locator(".data")).to_contain_text("proposals that nobody has accepted yet")


def test_the_data_is_as_near_by_clicking_one_value_after_the_other(sample):
    clicks = 1  # the sample
    for text in ("The Princess and the Goblin", "George MacDonald", "£45.00"):
        click(sample, text)
        sample.settle()
        clicks += 1
    sample.expect_rows(5)
    sample.settle()
    assert len(fields(sample)) == 3
    sample.window.click("#get-data")
    sample.window.wait_for_selector(".data table")
    with sample.window.expect_download() as download:
        sample.window.click("text='CSV'")
    clicks += 2
    text = download.value.path().read_text("utf-8")
    assert "Middlemarch,George Eliot,£48.00" in text
    assert len(text.splitlines()) == 25
    assert clicks <= MOST_CLICKS


def test_the_rows_that_would_be_extracted_light_up_before_anything_is_marked(sample):
    point(sample, "Black Beauty")
    sample.window.wait_for_function(
        "() => [...document.querySelector('#page iframe').contentWindow.CSS.highlights]"
        ".some(([name, ranges]) => name.startsWith('rowen-column-') && ranges.size)"
    )
    assert sample.highlighted("column") == sorted(
        [
            "The Princess and the Goblin",
            "Black Beauty",
            "The Water-Babies",
            "Through the Looking-Glass",
            "Jackanapes",
        ]
    )
    assert "£45.00" in sample.highlighted("hint")
    assert sample.highlighted("mark") == []
    sample.window.hover("#top")
    sample.window.wait_for_selector("#pointer", state="hidden")
    sample.window.hover(CARDS)
    sample.window.wait_for_function(
        "() => [...document.querySelector('#page iframe').contentWindow.CSS.highlights]"
        ".some(([name, ranges]) => name.startsWith('rowen-hint-') && ranges.size > 3)"
    )


def test_a_click_in_plain_text_takes_a_cell_of_a_line(desk, tmp_path):
    trees = ("Oak", "Black Ash", "Fir", "Yew", "Box")
    rows = "".join(f"{tree:14}{n * 11:4} m\n" for n, tree in enumerate(trees, 1))
    (tmp_path / "trees.txt").write_text(f"Trees & more\n\nTree           Height\n{rows}", "utf-8")
    desk.open()
    desk.add(tmp_path / "trees.txt")
    desk.at("trees.txt")
    desk.window.wait_for_selector(CARDS)
    click(desk, "Black Ash")
    desk.settle()
    assert ["Black Ash"] in [row[-1:] for row in desk.rows()]
    click(desk, "22 m")
    desk.settle()
    # The heads of the columns are proposed as well: nothing marked tells them from trees.
    assert [row[-2:] for row in desk.rows()][-5:] == [
        [tree, f"{n * 11} m"] for n, tree in enumerate(trees, 1)
    ]


def test_what_is_outlined_is_what_a_click_marks(sample):
    point(sample, "Anna Sewell")
    box = sample.window.locator(".pointed-box").bounding_box()
    x, y = middle(sample, "Anna Sewell")
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]
    sample.window.mouse.click(x, y)
    sample.settle()
    assert sample.highlighted("mark") == ["Anna Sewell"]


def test_one_undo_takes_back_a_click_with_the_field_that_it_brought(sample):
    click(sample, "Black Beauty")
    expect(sample.window.locator("#fields .field-name")).to_have_count(1)
    sample.press("u")
    expect(sample.window.locator("#fields .field-name")).to_have_count(0)
    sample.settle()
    assert sample.highlighted("mark") == []
    sample.press("Control+Shift+Z")
    expect(sample.window.locator("#fields .field-name")).to_have_count(1)


def test_a_double_click_selects_a_word_and_marks_nothing(sample):
    x, y = middle(sample, "Beauty")
    sample.window.mouse.dblclick(x, y)
    sample.window.wait_for_selector("#selection:not([hidden])")
    expect(sample.window.locator("#fields .field-name")).to_have_count(0)
    sample.settle()
    assert sample.highlighted("mark") == []


def test_named_fields_are_marked_in_their_order(sample):
    sample.name_fields("name", "price")
    click(sample, "Black Beauty")
    click(sample, "£33.00")
    sample.settle()
    assert fields(sample) == ["name", "price"]
    expect(sample.cell(1, "name")).to_have_text("Black Beauty")
    expect(sample.cell(1, "price")).to_have_text("£33.00")


def test_a_field_that_is_chosen_on_the_left_gets_the_next_click(sample):
    sample.name_fields("name", "price")
    sample.window.click(".field-name >> text=price")
    expect(sample.window.locator(".field-name[aria-pressed=true]")).to_contain_text("price")
    click(sample, "£33.00")
    sample.settle()
    expect(sample.window.locator(".field-name[aria-pressed=true]")).to_have_count(0)
    assert "£33.00" in sample.window.locator("#table td.mark").all_inner_texts()


def test_everything_that_is_pointed_at_can_be_marked_with_keys_alone(sample):
    sample.name_fields("name", "price")
    sample.press("Escape")
    label = sample.window.locator("#pointer:not([hidden])")
    for _ in range(4):  # the shop, the heading, the first book, and back
        sample.press(".")
        expect(label).to_be_visible()
    sample.press(",")
    sample.press("Space")
    sample.settle()
    (first,) = sample.highlighted("mark")
    sample.press("u")
    expect(sample.window.locator("#redo")).to_be_enabled()
    sample.settle()
    sample.press(".", "2")
    sample.settle()
    expect(sample.window.locator("#table td.mark")).to_have_count(1)
    assert first


LINKS = "<!doctype html><title>Links</title><ul>" + "".join(
    f'<li><a href="/item/{number}">Item {number}</a> <img src="/{number}.png" alt="Pic {number}"'
    f' width=40 height=20> <time datetime="2026-01-0{number}">{number} days ago</time></li>'
    for number in range(1, 7)
)


@pytest.fixture
def links(desk, tmp_path):
    path = tmp_path / "links.html"
    path.write_text(LINKS, "utf-8")
    desk.open()
    desk.add(path)
    desk.at("links.html")
    return desk


def test_the_address_of_a_link_is_marked_by_its_chip(links):
    point(links, "Item 2")
    links.window.click(".pointed-label button:text-is('link')")
    links.settle()
    expect(links.window.locator("#table td.mark")).to_have_text("/item/2")
    assert fields(links) == ["link"]


def test_a_key_goes_through_text_link_and_other_values(links):
    point(links, "Item 2")
    pressed = links.window.locator(".pointed-label button[aria-pressed=true]")
    expect(pressed).to_have_text("text")
    links.press("x")
    expect(pressed).to_have_text("link")
    links.press("Space")
    links.settle()
    expect(links.window.locator("#table td.mark")).to_have_text("/item/2")


def test_a_click_on_a_date_marks_what_the_page_says_not_what_it_shows(links):
    click(links, "3 days ago")
    links.settle()
    expect(links.window.locator("#table td.mark")).to_have_text("2026-01-03")


def test_a_table_goes_away_when_it_is_undone_and_suggestions_return(sample):
    sample.window.click(f"{CARDS}:first-child button")
    sample.expect_rows(5)
    sample.settle()
    expect(sample.window.locator("#suggestions")).to_be_hidden()
    sample.press("u")
    expect(sample.window.locator("#suggestions")).to_be_visible()
    expect(sample.window.locator("#fields .field-name")).to_have_count(0)


def test_types_are_changed_in_the_table_and_wrong_values_are_marked(sample):
    sample.window.click(f"{CARDS}:first-child button")
    sample.expect_rows(5)
    sample.settle()
    price = next(name for name in fields(sample) if "GBP" in sample.cell(0, name).inner_text())
    sample.window.select_option(f"[aria-label='Type of {price}']", "text")
    expect(sample.cell(0, price)).to_have_text("£45.00")
    sample.window.select_option(f"[aria-label='Type of {price}']", "date")
    expect(sample.cell(0, price)).to_have_class(re.compile(r"\bwrong\b"))
    expect(sample.cell(0, price)).to_have_attribute("title", re.compile("not of the type date"))
    sample.press("Escape", "u")
    expect(sample.cell(0, price)).not_to_have_class(re.compile(r"\bwrong\b"))


def test_a_type_is_offered_where_all_marked_values_have_it(sample):
    sample.name_fields("price")
    click(sample, "£45.00")
    sample.settle()
    offer = sample.window.locator(".type .offer")
    expect(offer).to_have_text("price?")
    offer.click()
    expect(sample.cell(0, "price")).to_have_text("45.00 GBP")
    expect(offer).to_have_count(0)


def test_after_the_last_page_the_data_is_the_next_step(sample):
    sample.window.click(f"{CARDS}:first-child button")
    sample.expect_rows(5)
    for number in range(1, 6):
        sample.window.wait_for_selector("#page[aria-busy=false]")
        sample.settle()
        sample.window.click("#accept")
        expect(sample.window.locator("#pages .count")).to_have_text(f"{number} of 5 accepted")
    expect(sample.window.locator("#get-data")).to_have_class(re.compile("primary"))
    expect(sample.window.locator(".path [aria-current=step]")).to_contain_text("Get the data")
    sample.window.click(".message >> text=Get the data")
    expect(sample.window.locator(".data")).to_contain_text("You have accepted every page")


def test_more_pages_are_run_on_searched_sorted_and_filtered(sample, tmp_path):
    books = "".join(
        f'<div class="book"><div><h3>Extra {number}</h3><p>by <em>Ann {number}</em>, 1900</p></div>'
        f'<span class="price">£{number}.00</span></div>'
        for number in range(10, 30)
    )
    page, notes = tmp_path / "extra.html", tmp_path / "notes.html"
    head = "<!doctype html><html><head><title>Extra</title></head>"
    page.write_text(f"{head}<body><nav>Lamplight</nav>{books}</body></html>", "utf-8")
    notes.write_text("<p>no books here", "utf-8")
    window = sample.window
    window.click(f"{CARDS}:first-child button")
    sample.expect_rows(5)
    sample.settle()
    sample.press("g")
    count = window.locator(".results [role=status].quiet")
    expect(count).to_have_text("24 records")
    window.set_input_files("input[aria-label='More pages']", [str(page), str(notes)])
    expect(count).to_have_text("44 records")
    expect(window.locator(".failed summary")).to_have_text("1 page without data")
    window.fill("[aria-label='Search the records']", "extra 21")
    expect(count).to_have_text("1 of 44 records")
    window.fill("[aria-label='Search the records']", "")
    window.click(".results th >> text=price")
    window.click(".results th >> text=price")
    first = window.locator(".results tbody tr").first
    expect(first).to_contain_text("On the Origin of Species")  # 140.00, not 95.00
    window.select_option("[aria-label='Which records']", "missing")
    expect(count).to_have_text("1 of 44 records")
    expect(first).to_contain_text("The Voyage of the Beagle")
    window.click("text='Remove these pages'")
    expect(count).to_have_text(re.compile("1 of 24 records"))


def test_other_pages_are_not_red_after_the_first_mark(desk, tmp_path):
    listing, other = tmp_path / "a.html", tmp_path / "b.html"
    listing.write_text("".join(f"<li><b>word {n}</b> <i>{n}</i>" for n in range(5)), "utf-8")
    other.write_text("<p>something else", "utf-8")
    desk.open()
    desk.add(listing, other)
    desk.turn_to("a.html")
    click(desk, "word 1")
    desk.settle()
    expect(desk.window.locator("#pages .failing")).to_have_count(0)
    expect(desk.window.locator("#panel")).not_to_contain_text(
        "Guarantee (PAC)", use_inner_text=True
    )


def test_a_click_in_another_record_than_the_first_mark_is_for_that_one(sample):
    click(sample, "Black Beauty")
    sample.settle()
    click(sample, "£45.00")  # the price of the book before
    sample.settle()
    sample.expect_rows(5)
    assert sample.rows()[:2] == [
        ["The Princess and the Goblin", "£45.00"],
        ["Black Beauty", "£33.00"],
    ]


def test_a_selection_is_marked_as_a_new_field(sample):
    click(sample, "Black Beauty")
    sample.settle()
    sample.select("£33.00")
    sample.window.get_by_role("button", name="+ price").click()
    sample.settle()
    assert fields(sample) == ["title", "price"]
    sample.mark("1877", "3")
    sample.settle()
    assert fields(sample) == ["title", "price", "year"]
    assert sample.rows()[1] == ["Black Beauty", "£33.00", "1877"]

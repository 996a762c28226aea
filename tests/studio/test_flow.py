"""The whole way in a real browser: open, name, mark, look, correct, accept."""

import json
import re
import subprocess
import sys
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import expect
from serving import Server

FIELDS = ["title", "author", "price"]
NOVELS = [
    ["Middlemarch", "George Eliot", "£48.00"],
    ["The Warden", "Anthony Trollope", "£22.50"],
    ["North and South", "Elizabeth Gaskell", "£36.00"],
    ["Cranford", "Elizabeth Gaskell", "£18.00"],
    ["Villette", "Charlotte Brontë", "£64.00"],
    ["The Moonstone", "Wilkie Collins", "£31.50"],
]


@pytest.fixture
def begun(desk, bookshop):
    """Three pages, three fields, one record marked."""
    name = make_project(desk.url, bookshop)
    desk.open(name)
    desk.at("novels.html")
    desk.expect_rows(6)
    desk.settle()
    return desk


def make_project(url, folder):
    """What a person would have by then."""
    name = f"shop-{uuid4()}"
    with httpx.Client(timeout=60) as client:

        def post(path, **options):
            answer = client.post(f"{url}/studio/api/projects{path}", **options)
            assert answer.is_success, answer.text
            return answer.json()["revision"]

        def act(revision, **action):
            return post(f"/{name}/actions", json={"revision": revision, "action": action})

        revision = post("", json={"name": name})
        for page in sorted(folder.iterdir()):
            path = f"/{name}/pages"
            revision = post(path, params={"page": page.name}, content=page.read_bytes())
        text = (folder / "novels.html").read_text()
        record = {
            field: [text.index(value), text.index(value) + len(value)]
            for field, value in zip(FIELDS, NOVELS[0], strict=True)
        }
        revision = act(revision, do="fields", fields=FIELDS)
        place = {"page": "novels.html", "start": 0, "end": 0}
        act(revision, do="splice", **place, records=[record], complete=False)
    return name


def state(desk):
    """What the server has."""
    project = desk.window.evaluate("() => location.hash.slice(1).split('/')[0]")
    answer = httpx.get(f"{desk.url}/studio/api/projects/{project}")
    return answer.json()


def test_one_marked_record_finds_all_others_on_all_pages(desk, bookshop):
    desk.open()
    desk.add(*sorted(bookshop.iterdir()))
    desk.name_fields(*FIELDS)
    desk.turn_to("novels.html")
    for value, key in zip(NOVELS[0], "123", strict=True):
        desk.mark(value, key)
    desk.expect_rows(6)
    desk.settle()
    assert desk.rows() == NOVELS
    assert desk.highlighted("mark") == sorted(NOVELS[0])
    assert desk.highlighted("current") == ["£48.00"]
    assert desk.highlighted("proposal") == sorted(value for row in NOVELS[1:] for value in row)
    desk.press("t")
    desk.expect_rows(15)
    eothen = desk.window.locator("#table tbody tr", has_text="Eothen")  # its page is read first
    expect(eothen).to_contain_text(re.compile("travel.html.*Alexander Kinglake.*£16.50", re.DOTALL))
    assert ["travel.html", "The Voyage of the Beagle", "Charles Darwin", "missing"] in desk.rows()


def test_what_is_shown_is_what_the_command_line_extracts(begun, tmp_path):
    begun.press("t")
    begun.expect_rows(15)
    project = state(begun)["name"]
    learned = httpx.get(f"{begun.url}/studio/api/projects/{project}/proposals").json()
    (tmp_path / "wrapper.json").write_text(json.dumps(learned["wrapper"]))
    command = [sys.executable, "-m", "rowen", "extract", str(tmp_path / "wrapper.json")]
    ran = subprocess.run(
        [*command, str(tmp_path / "bookshop"), "-f", "jsonl"], capture_output=True, check=True
    )
    records = [json.loads(line) for line in ran.stdout.splitlines()]
    shown = [
        [record["page"], *(value or "missing" for value in record["values"].values())]
        for record in records
    ]
    assert begun.rows() == shown


def test_enter_accepts_pages_until_none_is_left(begun):
    for left in (2, 1, 0):
        begun.window.wait_for_selector("#page[aria-busy=false]")
        begun.settle()  # what is shown is accepted
        begun.press("Enter")
        expect(begun.window.locator("#pages .count")).to_have_text(f"{3 - left} of 3 accepted")
    begun.settle()
    begun.message("All pages are accepted")
    labels = state(begun)["labels"]
    assert {page: len(label["records"]) for page, label in labels.items()} == {
        "novels.html": 6,
        "poetry.html": 4,
        "travel.html": 5,
    }
    assert all(label["complete"] for label in labels.values())


def test_an_accepted_page_is_taken_back(begun):
    accept, counted = begun.window.locator("#accept"), begun.window.locator("#pages .count")
    page = begun.window.locator("#title").inner_text()
    begun.window.keyboard.press("Enter")
    expect(counted).to_have_text("1 of 3 accepted")
    begun.turn_to(page)
    expect(accept).to_contain_text("Accepted")
    records = begun.rows()
    begun.press("Escape", "Shift+Enter")
    expect(counted).to_have_text("0 of 3 accepted")
    begun.settle()
    assert begun.rows() == records
    accept.click()
    expect(counted).to_have_text("1 of 3 accepted")
    begun.turn_to(page)
    accept.click()
    expect(counted).to_have_text("0 of 3 accepted")
    begun.window.keyboard.press("u")
    expect(counted).to_have_text("1 of 3 accepted")


def test_the_focus_follows_the_cursor_in_the_table(begun):
    begun.cell(1, "author").click()
    for key, row, field in (("ArrowDown", 2, "author"), ("ArrowRight", 2, "price")):
        begun.press(key)
        expect(begun.cell(row, field)).to_be_focused()
        expect(begun.cell(row, field)).to_have_class(re.compile(r"\bat\b"))


def test_a_value_is_corrected_in_the_table_and_learned_from(begun):
    cell = begun.cell(0, "author")
    cell.dblclick()
    begun.window.keyboard.type("by <em>George Eliot</em>, 1872")
    begun.press("Enter")
    expect(begun.cell(0, "author")).to_have_text("by George Eliot, 1872")
    begun.settle()
    expect(begun.cell(1, "author")).to_have_text("by Anthony Trollope, 1855")
    assert [row[1] for row in begun.rows()][:2] == [
        "by George Eliot, 1872",
        "by Anthony Trollope, 1855",
    ]
    expect(cell).to_have_attribute(
        "title", re.compile("In the source: by <em>George Eliot</em>, 1872")
    )
    cell.dblclick()
    begun.window.keyboard.type("no such text")
    begun.press("Enter")
    begun.message("was not found on")


RIDERS = "<!doctype html><title>Riders</title><table>" + "".join(
    f"<tr><td><span>{family}</span> {given}<td>{team}</tr>"
    for family, given, team in [
        ("Poga\u010dar", "Tadej", "UAE &amp; Emirates"),
        ("Vos", "Marianne", "Visma &amp;\n  Lease"),
        ("Kopecky", "Lotte", "SD&nbsp;Worx"),
    ]
)
READ = [
    ["Poga\u010dar Tadej", "UAE & Emirates"],
    ["Vos Marianne", "Visma & Lease"],
    ["Kopecky Lotte", "SD Worx"],
]


def test_the_table_shows_what_a_reader_sees(desk, tmp_path):
    path = tmp_path / "riders.html"
    path.write_text(RIDERS, "utf-8")
    desk.open()
    desk.add(path)
    desk.name_fields("name", "team")
    for text, key in (("Kopecky", "1"), ("SD\xa0Worx", "2")):
        desk.mark(text, key)

    def row():
        """Where the marked rider is: the riders before her are found, too."""
        desk.settle()
        return next(number for number, cells in enumerate(desk.rows()) if "Kopecky" in cells[0])

    # Typed as it is read: across a tag, with another white space.
    for text, field in (("Kopecky Lotte", "name"), ("SD Worx", "team")):
        desk.cell(row(), field).dblclick()
        desk.window.keyboard.type(text)
        desk.press("Enter")
        expect(desk.cell(row(), field)).to_have_text(text)
    expect(desk.cell(row(), "name")).to_have_attribute(
        "title", re.compile("In the source: Kopecky</span> Lotte")
    )
    desk.cell(row(), "name").dblclick()
    desk.window.keyboard.type("kopecky LOTTE")
    desk.press("Enter")
    desk.message("Did you mean \u201cKopecky Lotte\u201d?")


def test_values_and_records_are_removed_and_marked_missing(begun):
    begun.cell(1, "price").click()
    begun.press("m")
    begun.settle()
    assert begun.rows()[1] == ["The Warden", "Anthony Trollope", "missing"]
    begun.press("u")
    begun.settle()
    assert begun.rows() == NOVELS
    begun.cell(5, "title").click()
    begun.press("Shift+Delete")
    begun.expect_rows(5)
    begun.settle()
    label = state(begun)["labels"]["novels.html"]
    assert not label["complete"]
    assert len(label["records"]) == len(label["rejected"]) == 1


def test_everything_can_be_undone_and_done_again(begun):
    revision = state(begun)["revision"]
    begun.press("Control+z", "u")
    begun.settle()
    begun.expect_rows(0)
    assert state(begun)["fields"] == []
    begun.press("Control+Shift+Z", "Control+Shift+Z")
    begun.settle()
    assert begun.rows() == NOVELS
    assert state(begun)["revision"] == revision + 4


def test_a_reload_in_the_middle_shows_all_as_it_was(begun):
    begun.turn_to("travel.html")
    begun.settle()
    before = begun.rows()
    begun.window.reload()
    begun.at("travel.html")
    begun.expect_rows(5)
    begun.settle()
    assert begun.rows() == before


def test_the_table_and_the_page_are_linked_both_ways(begun):
    begun.click_text("£36.00")
    expect(begun.cell(2, "price")).to_have_class("proposal at")
    begun.cell(4, "author").click()
    assert begun.highlighted("current") == ["Charlotte Brontë"]
    begun.press("ArrowUp", "ArrowLeft")
    assert begun.highlighted("current") == ["Cranford"]
    begun.press("j", "Tab")
    assert begun.highlighted("current") == ["Charlotte Brontë"]


def test_all_of_it_works_without_a_mouse(desk, bookshop):
    desk.open()
    desk.add(*sorted(bookshop.iterdir()))
    desk.at("novels.html")
    desk.press("f")
    desk.window.keyboard.type("title")
    desk.press("Enter")
    desk.window.keyboard.type("price")
    desk.press("Enter")
    for text, key in (("Middlemarch", "1"), ("£48.00", "2")):
        desk.window.locator("#accept").focus()
        desk.press("/")
        desk.window.keyboard.type(text)
        desk.press("Escape", key)
        desk.settle()
    desk.expect_rows(6)
    assert desk.rows()[0] == ["Middlemarch", "£48.00"]
    desk.press("j", "m")
    desk.settle()
    desk.press("?")
    expect(desk.window.locator("#help")).to_be_visible()
    desk.press("Escape", "n")
    desk.at("poetry.html")


def test_finding_starts_at_what_the_page_shows_and_ignores_case_without_capitals(desk, bookshop):
    desk.open()
    desk.add(bookshop / "novels.html")
    desk.at("novels.html")
    status = desk.window.locator("#finder [role=status]")
    desk.press("/")
    desk.window.keyboard.type("novels")  # its first match is the title in the head
    expect(status).to_have_text("2 of 2")
    expect(desk.window.locator("#source")).to_be_hidden()
    desk.window.locator("#finder input").fill("the w")
    expect(status).to_have_text("1 of 1")
    desk.press("Enter", "Escape", "/")
    desk.window.locator("#finder input").fill("THE W")
    expect(status).to_have_text("not found")


def test_fields_are_renamed_reordered_and_removed(begun):
    def choose(field, item):
        begun.window.locator(f'[aria-label="Change {field}"]').click()
        begun.window.locator(".menu:popover-open button", has_text=item).click()

    choose("price", "Move up")
    begun.settle()
    assert begun.rows()[0] == ["Middlemarch", "£48.00", "George Eliot"]
    choose("author", "Rename")
    begun.window.keyboard.type("by")
    begun.press("Enter")
    choose("title", "Remove")
    begun.settle()
    assert state(begun)["fields"] == ["price", "by"]
    assert begun.rows()[0] == ["£48.00", "George Eliot"]


def test_recognized_values_are_accepted_and_dropped_one_by_one(desk, bookshop):
    desk.open()
    desk.add(bookshop / "novels.html")
    desk.name_fields("price")
    desk.window.locator('[aria-label="Change price"]').click()
    desk.window.select_option('[aria-label="Recognizer for price"]', "price")
    recognized = desk.window.locator("#recognized")
    expect(recognized).to_contain_text("Recognized 1 of 6: £48.00 for price")
    assert len(desk.highlighted("recognized")) == 6
    desk.press("a")
    desk.settle()
    assert desk.highlighted("mark") == ["£48.00"]
    desk.press("u")
    expect(recognized).to_contain_text("Recognized 1 of 6")
    desk.press("d")
    expect(recognized).to_contain_text("Recognized 1 of 5: £22.50")
    desk.press("Shift+A")
    desk.settle()
    assert len(desk.highlighted("mark")) == 5


def test_an_attribute_is_marked_in_the_source(desk, tmp_path):
    rows = "".join(f'<li><a href="/item/{n}?x=😀&amp;n={n}">Item {n}</a></li>' for n in range(5))
    (tmp_path / "links.html").write_text(f"<ul>{rows}</ul>")
    desk.open()
    desk.add(tmp_path / "links.html")
    desk.name_fields("link", "name")
    desk.press("Escape", "s")
    for text, key in (("/item/0?x=😀&amp;n=0", "1"), ("Item 0", "2")):
        desk.press("/")
        desk.window.keyboard.type(text)
        desk.press("Escape", key)
        desk.settle()
    desk.expect_rows(5)
    expect(desk.cell(3, "link")).to_have_text("/item/3?x=😀&n=3")
    assert desk.rows()[3] == ["/item/3?x=😀&n=3", "Item 3"]


def test_marks_that_contradict_are_named_and_shown(desk, tmp_path):
    (tmp_path / "odd.html").write_text("<p>a1x</p><p>b2x</p><p>c3x</p>")
    desk.open()
    desk.add(tmp_path / "odd.html")
    desk.name_fields("sign")
    desk.choose_class("lr")
    desk.mark("a", "1")
    desk.settle()
    desk.mark("3x", "1")
    desk.settle()
    panel = desk.window.locator("#panel")
    expect(panel).to_contain_text("No wrapper fits all marks")
    panel.locator(".side .link").first.click()
    assert desk.highlighted("conflict")
    desk.press("u")
    desk.settle()
    expect(panel).not_to_contain_text("No wrapper fits")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("paper.pdf", b"%PDF-1.7\n...", "is a PDF, not a page: use `rowen paper`"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "picture.png"),
        ("empty.html", b"", "is empty"),
        ("huge.html", b"<p>" * (7 * 1024 * 1024), "the limit is 16 MB"),
    ],
)
def test_what_is_no_page_is_refused_with_a_reason(desk, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    uploads = []
    desk.window.on(
        "request", lambda request: uploads.append(request) if "/pages?" in request.url else None
    )
    desk.open()
    desk.window.set_input_files("#files", str(tmp_path / name))
    desk.message(message)
    assert len(uploads) == (1 if name == "picture.png" else 0)
    expect(desk.window.locator("#welcome")).to_be_visible()


def test_a_file_is_dropped_and_html_is_pasted(desk):
    desk.open()
    desk.window.evaluate(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(['<p>dropped</p>'], 'dropped.html'));
          document.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true}));
        }"""
    )
    desk.at("dropped.html")
    desk.window.evaluate(
        """() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', '<p>pasted</p>');
          document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
        }"""
    )
    desk.at("pasted.html")


def test_the_sample_is_there_to_begin_with(desk):
    desk.open()
    desk.window.click("#sample")
    desk.at("children.html")
    expect(desk.window.locator(".page-name")).to_have_count(5)


def test_two_windows_do_not_lose_each_others_marks(begun, open_window):
    # Without news of changes, as in the moment before they come.
    begun.window.route("**/events", lambda route: route.abort())
    begun.window.reload()
    begun.turn_to("novels.html")
    begun.settle()
    second = open_window(begun.url)
    second.open(state(begun)["name"])
    second.turn_to("novels.html")
    second.settle()
    second.mark("The Warden", "1")
    second.settle()
    begun.mark("£18.00", "3")
    begun.settle()
    begun.message("changed in another window")
    records = state(begun)["labels"]["novels.html"]["records"]
    assert len(records) == 3
    assert begun.rows() == NOVELS
    begun.window.unroute("**/events")


def test_no_mark_is_lost_while_the_server_is_gone(open_window, bookshop, tmp_path):
    server = Server(tmp_path / "data")
    port = int(server.url.rpartition(":")[2])
    desk = open_window(server.url)
    desk.open()
    desk.add(bookshop / "novels.html")
    desk.name_fields("title", "price")
    desk.settle()
    frame = desk.window.locator("#page iframe")
    place = frame.bounding_box()
    server.end()
    desk.mark("Middlemarch", "1")
    desk.mark("£48.00", "2")
    banner = desk.window.locator("#banner")
    expect(banner).to_contain_text("2 changes kept in this window")
    assert frame.bounding_box() == place  # what the mouse is on must not move away
    assert desk.rows() == [["Middlemarch", "£48.00"]]
    server = Server(tmp_path / "data", port=port)
    try:
        desk.message("The server is back")
        desk.settle()
        desk.expect_rows(6)
        expect(banner).to_be_hidden()
        (label,) = state(desk)["labels"].values()
        assert len(label["records"]) == 1
    finally:
        assert server.end() == 0


def label(desk, page="novels.html"):
    return state(desk)["labels"].get(page)


def texts(desk, bookshop, page="novels.html"):
    """The label's records as texts."""
    text = (bookshop / page).read_text()
    return [
        {name: text[slice(*span)] for name, span in record.items() if span}
        for record in label(desk, page)["records"]
    ]


def test_a_mark_near_a_wrong_proposal_labels_nothing_but_itself(begun, bookshop):
    begun.mark("Anthony Trollope", "1")  # as the title of a book that has one already
    begun.settle()
    assert texts(begun, bookshop)[1:] == [{"title": "Anthony Trollope"}]
    assert not label(begun)["complete"]


def test_a_correction_labels_nothing_but_itself(begun, bookshop):
    begun.cell(2, "price").dblclick()
    begun.window.keyboard.insert_text("36.00")
    begun.press("Enter")
    begun.settle()
    assert texts(begun, bookshop)[1:] == [{"price": "36.00"}]


def test_a_deleted_row_accepts_no_other_row(begun, bookshop):
    before = texts(begun, bookshop)
    begun.cell(5, "title").click()
    begun.press("Shift+Delete")
    begun.expect_rows(5)
    begun.settle()
    assert begun.rows() == NOVELS[:5]
    assert texts(begun, bookshop) == before
    begun.press("u")
    begun.expect_rows(6)
    begun.settle()
    assert begun.rows() == NOVELS


def test_a_page_is_not_accepted_before_anything_is_asked_for(desk, bookshop):
    desk.open()
    desk.add(*sorted(bookshop.iterdir()))
    desk.at("novels.html")
    desk.window.locator("#accept").click()
    desk.message("nothing to accept yet")
    assert state(desk)["labels"] == {}
    desk.name_fields(*FIELDS)
    desk.window.locator("#accept").click()
    desk.message("nothing to accept yet")
    for text, key in zip(NOVELS[0], "123", strict=True):
        desk.mark(text, key)
    desk.settle()
    assert desk.rows() == NOVELS


def test_a_field_that_is_added_after_pages_were_accepted_gets_proposals(begun, bookshop):
    begun.press("Enter")  # accepts the page, and goes on
    begun.settle()
    begun.turn_to("novels.html")
    begun.name_fields("year")
    begun.mark("1872", "4")
    begun.settle()
    years = ["1872", "1855", "1855", "1853", "1853", "1868"]
    assert begun.rows() == [[*row, year] for row, year in zip(NOVELS, years, strict=True)]
    assert texts(begun, bookshop) == [
        dict(zip([*FIELDS, *["year"] * (number == 0)], [*row, "1872"], strict=False))
        for number, row in enumerate(NOVELS)
    ]


def test_any_record_of_a_list_finds_those_before_it(desk, bookshop):
    desk.open()
    desk.add(bookshop / "novels.html")
    desk.name_fields(*FIELDS)
    for text, key in zip(NOVELS[5], "123", strict=True):
        desk.mark(text, key)
    desk.settle()
    assert desk.rows() == NOVELS


def test_a_value_belongs_to_the_record_whose_region_holds_it(desk, tmp_path):
    cards = [("Walden", "£9.00"), ("Black Beauty", "£7.00"), ("Emma", "£4.50")]
    shown = [
        f"<li><p class=buy>{price} <button>Buy</button></p><h3>{title}</h3></li>"
        for title, price in cards
    ]
    page = tmp_path / "cards.html"
    page.write_text(f"<title>Shop</title><ul>{''.join(shown)}</ul>")
    desk.open()
    desk.add(page)
    desk.name_fields("title", "price")
    desk.mark("Black Beauty", "1")
    desk.settle()
    # The price of the next book is nearer to this title than its own.
    desk.mark("£7.00", "2")
    desk.settle()
    text = page.read_text()
    (record,) = state(desk)["labels"]["cards.html"]["records"]
    assert {name: text[slice(*span)] for name, span in record.items()} == {
        "title": "Black Beauty",
        "price": "£7.00",
    }
    assert desk.rows() == [[title, price] for title, price in cards]


def contradict(desk):
    """Mark the author of a second book in another way, with a class that allows no exceptions."""
    desk.choose_class("hlrt")
    desk.settle()
    desk.mark("Trollope", "2")
    desk.settle()


def test_marks_that_contradict_each_other_are_shown_side_by_side_and_one_is_removed(begun):
    contradict(begun)
    sides = begun.window.locator(".side")
    expect(sides).to_have_count(2)
    expect(sides.filter(has_text="Trollope").locator("mark")).to_have_text("Trollope")
    assert len(begun.rows()) == len(NOVELS)  # the last good proposals stay
    assert begun.highlighted("conflict")
    begun.press("w")  # as in a narrow window
    expect(sides.first).to_be_hidden()
    begun.window.get_by_role("button", name="Show them").click()
    expect(begun.window.locator("#working")).to_be_hidden()
    sides.filter(has=begun.window.locator("mark", has_text="Trollope")).locator(".removal").click()
    expect(sides).to_have_count(0)
    begun.settle()
    assert begun.rows() == NOVELS


def test_learning_that_takes_long_can_be_stopped_and_tried_again(begun):
    held = []

    def hold(route):  # Playwright does not take a method of a list
        held.append(route)

    begun.window.route("**/proposals", hold)
    begun.mark("Anthony Trollope", "2")
    working = begun.window.locator("#working")
    expect(working).to_contain_text("takes longer than usual")
    assert len(begun.rows()) == len(NOVELS)
    begun.window.route("**/proposals/stop", lambda route: route.fulfill(json={"stopped": 1}))
    with begun.window.expect_request("**/proposals/stop"):
        working.get_by_role("button", name="Stop").click()
    answer = {"wrapper": None, "explanation": None, "conflict": None, "pages": {}}
    revision = state(begun)["revision"]
    held[0].fulfill(json={**answer, "revision": revision, "stale": True, "stopped": True})
    expect(working).to_contain_text("Stopped")
    assert len(begun.rows()) == len(NOVELS)
    begun.window.unroute("**/proposals")
    working.get_by_role("button", name="Try again").click()
    expect(working).to_be_hidden()
    begun.settle()
    assert begun.rows() == NOVELS


def test_nobody_waits_for_learning_before_anything_is_marked(desk, bookshop):
    def hold(route):
        held.append(route)

    held = []
    desk.open()
    desk.window.route("**/proposals", hold)
    desk.add(bookshop / "novels.html")
    desk.at("novels.html")
    desk.name_fields("title")
    desk.window.wait_for_timeout(1500)  # longer than what is called slow
    assert held
    expect(desk.window.locator("#working")).to_be_hidden()
    expect(desk.window.locator("#panel .status")).to_have_text("")
    desk.window.unroute_all(behavior="ignoreErrors")


def test_a_first_answer_for_all_pages_is_shown_until_all_are_learned_from(begun):
    held, is_held = [], [True]

    def hold(route):
        if is_held:
            held.append(route)
        else:
            route.continue_()

    begun.window.route("**/proposals", hold)
    begun.name_fields("year")
    begun.mark("1872", "4")
    status = begun.window.locator("#panel .status")
    expect(begun.cell(5, "year")).to_have_text("1868")
    expect(status).to_contain_text("first answer")
    years = ["1872", "1855", "1855", "1853", "1853", "1868"]
    assert [row[-1] for row in begun.rows()] == years
    begun.press("t")
    begun.expect_rows(15)
    expect(begun.window.locator("#table tbody td", has_text="…")).to_have_count(0)
    assert [row for row in begun.rows() if not re.fullmatch(r"\d{4}", row[-1])] == []
    begun.press("t")
    is_held.clear()
    for route in held:
        route.continue_()
    begun.settle()
    begun.window.unroute("**/proposals")
    expect(status).not_to_contain_text("first answer")
    assert [row[-1] for row in begun.rows()] == years

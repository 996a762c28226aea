"""The two views as people use them: by mouse and by keys."""

import random

PAGE = (
    "<!doctype html><title>T</title><style>.gone{display:none}</style>\n<body>\n"
    "<h1>Prices &amp; \U0001f600 dates</h1>\n"
    "<table border=1><tr><td id=a>Apple</td><td><b>1.20</b> &euro;</td></tr></table>\n"
    "<p>Some <i>nested <b>text</b></i> here<span class=gone>hidden</span></p>\n"
    "<p><a href='http://e.org/x?a=1&amp;b=2'>a link</a></p><pre>\r\nline 1\r\nline 2</pre>\n"
    + "".join(f"<p>row {number} of many</p>\n" for number in range(300))
)


def span(text, inside=PAGE):
    start = inside.index(text)
    return {"start": start, "end": start + len(text)}


def mark(text, kind="mark", **more):
    return {"id": text, **span(text), "color": 1, "kind": kind, **more}


def page_text(viewer, text):
    return viewer.window.frame_locator("iframe").get_by_text(text, exact=True)


def settle(viewer):
    viewer.run("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))")


def test_double_and_triple_clicks_select_text(viewer):
    viewer.show(PAGE)
    page_text(viewer, "1.20").dblclick()
    assert viewer.run("page.selection()") == span("1.20")
    page_text(viewer, "nested text").click(click_count=3)
    assert viewer.run("page.selection()") == span("Some <i>nested <b>text</b></i> here")
    page_text(viewer, "Apple").click(click_count=3)
    assert viewer.run("page.selection()") == span("Apple")
    settle(viewer)
    assert viewer.run("events.select.at(-1)") == span("Apple")
    viewer.run("page.clearSelection()")
    settle(viewer)
    assert viewer.run("[page.selection(), events.select.at(-1)]") == [None, None]


def test_a_selection_may_be_dragged_across_tags(viewer):
    viewer.show(PAGE)
    boxes = [page_text(viewer, text).bounding_box() for text in ("Apple", "1.20")]
    # Playwright's own mouse asks all frames about dragging, and this one runs no scripts.
    devtools = viewer.window.context.new_cdp_session(viewer.window)
    start = {"x": boxes[0]["x"] + 2, "y": boxes[0]["y"] + 9}
    end = {"x": boxes[1]["x"] + boxes[1]["width"], "y": boxes[1]["y"] + 9}
    for kind, place in (("Pressed", start), ("Moved", end), ("Released", end)):
        event = {"type": f"mouse{kind}", **place, "button": "left", "buttons": 1, "clickCount": 1}
        devtools.send("Input.dispatchMouseEvent", event)
    assert viewer.run("page.selection()") == span("Apple</td><td><b>1.20")
    assert viewer.run("events.click") == []


def test_all_of_a_page_is_selected_from_its_first_sign_to_its_last(viewer):
    viewer.show(PAGE)
    viewer.run("page.focus()")
    viewer.window.keyboard.press("Control+a")
    assert viewer.run("page.selection()") == {
        "start": PAGE.index("Prices"),
        "end": PAGE.rindex("many") + 4,
    }


def test_a_click_on_a_mark_reports_its_id(viewer):
    viewer.show(PAGE)
    marks = [mark("Some <i>nested <b>text</b></i> here"), mark("text", "proposal"), mark("1.20")]
    viewer.run("(marks) => { page.setMarks(marks); source.setMarks(marks); }", marks)
    page_text(viewer, "1.20").click()
    page_text(viewer, "text").click()
    page_text(viewer, "row 1 of many").click()
    assert viewer.run("events.click") == ["1.20", "text"]
    row = viewer.window.locator(".source-row", has_text="1.20").bounding_box()
    before = viewer.window.locator(".source-row", has_text="1.20").inner_text().index("1.20")
    sign = viewer.run("""() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(".source-row"));
      const { left, width } = range.getBoundingClientRect();
      return [left, width / range.toString().trimEnd().length];
    }""")
    viewer.window.mouse.click(sign[0] + sign[1] * (before + 1.6), row["y"] + 10)
    assert viewer.run("events.click") == ["1.20", "text", "1.20"]


def test_text_is_selected_by_keys_alone(viewer):
    viewer.show(PAGE)
    viewer.run("page.focus()")
    keys = viewer.window.keyboard
    for key in ("ArrowRight", "ArrowLeft", "Control+Shift+ArrowRight"):
        keys.press(key)
    assert viewer.run("page.selection()") == span("Prices")
    assert viewer.run("events.key").count("ArrowRight") >= 2
    viewer.run("() => { page.clearSelection(); source.focus(); }")
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown", "Home", "Shift+End"):
        keys.press(key)
    assert viewer.run("source.selection()") == span("<h1>Prices &amp; \U0001f600 dates</h1>")


def test_keys_pressed_in_either_view_are_reported(viewer):
    viewer.show(PAGE)
    viewer.run("page.focus()")
    viewer.window.keyboard.press("1")
    viewer.run("source.focus()")
    viewer.window.keyboard.press("2")
    assert viewer.run("events.key") == ["1", "2"]


def test_a_place_in_the_source_is_revealed_in_both_views(viewer):
    viewer.show(PAGE)
    place = span("row 250 of many")
    reveal = "({ start, end }) => [page.reveal(start, end), source.reveal(start, end)]"
    assert viewer.run(reveal, place) == [True, True]
    assert page_text(viewer, "row 250 of many").bounding_box()["y"] < 800
    assert viewer.window.locator(".source-row", has_text="row 250 of").bounding_box()["y"] < 800
    settle(viewer)
    assert viewer.run("events.scroll") == []
    # An attribute is not shown: the page goes to what follows.
    assert viewer.run(reveal, span("http://e.org/x?a=1&amp;b=2")) == [False, True]
    assert page_text(viewer, "a link").bounding_box()["y"] > 0
    assert viewer.run(reveal, span("hidden")) == [False, True]


def test_views_that_follow_each_other_come_to_rest(viewer):
    viewer.show(PAGE)
    viewer.window.mouse.move(300, 400)
    viewer.window.mouse.wheel(0, 3000)
    viewer.window.wait_for_function("() => events.scroll.length > 0")
    viewer.window.wait_for_timeout(200)
    count = viewer.run(
        "() => { source.scrollToOffset(page.topOffset()); return events.scroll.length; }"
    )
    settle(viewer)
    assert viewer.run("events.scroll.length") == count
    top = viewer.run("[page.topOffset(), source.topOffset()]")
    assert PAGE.index("row 50 ") < top[0]
    assert abs(top[0] - top[1]) < 100
    viewer.run(f"page.scrollToOffset({PAGE.index('row 200 ')})")
    assert abs(viewer.run("page.topOffset()") - PAGE.index("row 200 ")) < 60


def test_spans_of_the_source_are_selected_exactly_wherever_they_are(viewer):
    drawn = random.Random(7)
    text = "".join(
        drawn.choices(["ab ", "\U0001f600", "\r\n", "\n\n", "x" * 300, "&lt;", "\t"], k=4000)
    )
    spans = [sorted(drawn.sample(range(len(text)), 2)) for _ in range(200)]
    viewer.run("(text) => source.show({ text })", text)
    answers = viewer.run(
        """(spans) => spans.map(([start, end]) => {
          source.select(start, end);
          source.reveal(end - 1, end);
          const found = source.selection({ exact: true });
          return [found.start, found.end, document.querySelectorAll(".source-row").length];
        })""",
        spans,
    )
    expected = [list(span) for span in spans]
    # A line break of two signs is one to a browser: it starts and ends where the pair does.
    assert [answer[:2] for answer in answers] == expected
    assert max(answer[2] for answer in answers) < 200


def test_what_is_copied_from_the_source_is_all_that_is_selected(viewer):
    viewer.show(PAGE)
    viewer.run("source.focus()")
    viewer.window.keyboard.press("Control+a")
    assert viewer.run("source.selection({ exact: true })") == {"start": 0, "end": len(PAGE)}
    copied = viewer.run("""() => {
      const data = { clipboardData: new DataTransfer(), bubbles: true };
      const event = new ClipboardEvent("copy", data);
      document.querySelector(".source-view").dispatchEvent(event);
      return event.clipboardData.getData("text/plain");
    }""")
    assert copied == PAGE


def test_marks_in_the_source_are_painted_where_they_are(viewer):
    viewer.show(PAGE)
    marks = [mark("http://e.org/x?a=1&amp;b=2"), mark("row 299 of many", "conflict")]
    painted = """(marks) => {
      source.setMarks(marks);
      return [...CSS.highlights].filter(([name, one]) => /-\\d$/.test(name) && one.size).map(
        ([name, one]) => [name, [...one].map(({ startContainer, startOffset, endOffset }) =>
          startContainer.data.slice(startOffset, endOffset)).join("")]);
    }"""
    assert viewer.run(painted, marks) == [["source-mark-1", marks[0]["id"]]]
    viewer.run("({ start, end }) => source.reveal(start, end)", marks[1])
    settle(viewer)
    assert viewer.run(painted, marks) == [["source-conflict-1", marks[1]["id"]]]


def test_a_new_width_keeps_the_place_and_the_selection(viewer):
    viewer.show(PAGE)
    place = span("row 150 of many")
    viewer.run(
        "({ start, end }) => { source.select(start, end); source.reveal(start, end); }", place
    )
    viewer.window.set_viewport_size({"width": 700, "height": 500})
    viewer.window.wait_for_timeout(200)
    assert viewer.run("source.selection({ exact: true })") == place
    assert viewer.window.locator(".source-row", has_text="row 150").count() >= 1


def test_marks_of_a_long_page_are_painted_where_one_is(viewer):
    page = "".join(f"<p>row {number:05}</p>" for number in range(12_000))
    viewer.show(page)
    places = [span(f"row {number:05}", page) for number in range(0, 12_000, 10)]
    marks = [{"id": "x", **place, "color": 0, "kind": "mark"} for place in places]
    painted = """() => new Set([...frame.contentWindow.CSS.highlights.get("rowen-mark-0")].map(
      ({ startContainer, startOffset, endOffset }) =>
        startContainer.data.slice(startOffset, endOffset)))"""
    viewer.run("(marks) => page.setMarks(marks)", marks)
    for number in (0, 11_990, 6000, 0):
        row = f"row {number:05}"
        viewer.run("({ start, end }) => page.reveal(start, end)", span(row, page))
        settle(viewer)
        said = viewer.run(f"() => [...({painted})()]")
        assert row in said
        assert len(said) < 1000
        assert all(len(text) == len(row) for text in said)
    viewer.run("frame.contentWindow.scrollTo(0, 1e9)")
    settle(viewer)
    said = viewer.run(f"() => [...({painted})()]")
    assert "row 11990" in said
    assert "row 00000" not in said

"""What the pages without labels say about a wrapper: pages and fields that it misses."""

import rowen
from rowen import Example, Page
from rowen.learning.other_pages import FEWEST, MOST

ROW = "<li><b>{}</b> <i>{}</i></li>"


def listing(number):
    rows = "".join(ROW.format(f"Name {number}{at}", number * 10 + at) for at in range(5))
    return Page(f"<ul>{rows}</ul>", id=f"p{number}.html")


def kinds_with(pages):
    marked = Example(listing(1), [{"name": "Name 10", "count": "10"}], partial=True)
    wrapper = rowen.learn([marked], pages=pages)
    return [warning.kind for warning in wrapper.warnings]


def test_pages_that_have_no_records_are_named_if_they_are_most():
    full, empty = listing(2), Page("<p>Nothing here.</p>", id="empty.html")
    other = Page("<p>Nothing there.</p>", id="other.html")
    assert kinds_with([full, listing(3), empty]) == []
    assert kinds_with([]) == []
    assert kinds_with([full, empty, other]) == ["pages-without-records"]


def offer(number, *, sale=False):
    title = f"<h1>Lamp {number}</h1>" if not sale else f"<h4>Sale of {number} lamps</h4>"
    return Page(f"{title}<p>Price: <b>{number}.50</b></p>", id=f"o{number}.html")


def learned(pages, label):
    return rowen.learn([Example(offer(1), [label])], pages=pages)


def test_a_layout_that_nobody_marked_is_suggested_to_be_marked():
    pages = [offer(number, sale=number % 2 == 0) for number in range(2, 10)]
    wrapper = learned(pages, {"title": "Lamp 1", "price": "1.50"})
    assert wrapper.warnings == ()
    (suggestion,) = wrapper.suggestions
    assert (suggestion.page, suggestion.field) == ("o2.html", "title")
    assert offer(2, sale=True).text[suggestion.start : suggestion.end] == "2.50"
    assert "4 of 8 others have none" in suggestion.message


def test_nothing_is_suggested_where_all_is_found_or_one_page_is_odd():
    assert learned([offer(n) for n in range(2, 8)], {"title": "Lamp 1"}).suggestions == ()
    odd = [offer(2, sale=True)] * (FEWEST - 1) + [offer(3)]
    assert learned(odd, {"title": "Lamp 1"}).suggestions == ()


def test_there_are_no_more_suggestions_than_people_read():
    page = "".join(f"<p>{{0}} {name}: <b>{{1}}{name}</b></p>" for name in "abcdef").format
    marked = Example(page("Our", 1), [{name: f"1{name}" for name in "abcdef"}])
    others = [page("Our" if n % 2 else "Not", n).replace("<b>", "<i>" * (n % 2)) for n in range(9)]
    assert len(rowen.learn([marked], pages=others).suggestions) <= MOST


def test_a_field_that_no_marked_record_has_is_named():
    label = {"title": "Lamp 1", "maker": None}
    (warning,) = learned([offer(2)], label).warnings
    assert (warning.kind, warning.field) == ("field-never-marked", "maker")
    assert not warning.is_about_labels
    assert learned([offer(2)], label).extract(offer(2))[0].values["maker"] is None

"""The report is parsed back as a browser would, and compared with what went in."""

import io
import re

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.export import html as html_module
from rowen.export import open_writer
from rowen.export import report as report_module
from rowen.export.markup import looks_like_html
from rowen.model import Page
from rowen.records import Record

HOSTILE = [
    "</script><script>alert(1)</script>",
    "</mark></a></div></details><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<!-- --><svg/onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "javascript:alert(1)",
    "&lt;b&gt; &amp; &#60;script&#62; &notin",
    "$title $sections ${script} {0} %s",
]


def report(found, **options):
    """The report of `(page, extractor, records)`, as text and parsed."""
    output = io.BytesIO()
    with open_writer("html", output, **options) as writer:
        for page, extractor, records in found:
            writer.write(records, page=page, extractor=extractor)
    text = output.getvalue().decode()
    return text, turbohtml.parse(text)


class View:
    """What a section shows: the text, its marks as (field, record, start, end), and the gaps."""

    def __init__(self, section):
        self.text = ""
        self.gaps = []
        self.unmarked = []
        self._fields = {}
        self._places = {}
        self._read(section.select_one("div.text"))
        self.marks = sorted(
            (*self._fields[key], start, end) for key, (start, end) in self._places.items()
        )

    def _read(self, element):
        for child in element.children:
            if isinstance(child, turbohtml.Text):
                self.text += child.data
                continue
            classes = child.attrs.get("class") or []
            if "gap" in classes:
                self.gaps.append(child.text)
                continue
            start = len(self.text)
            self._read(child)
            if "markup" in classes:
                self.unmarked.append(self.text[start:])
            if child.tag == "mark":
                key = child.attrs["data-m"]
                self._fields[key] = tuple(child.attrs["title"].rsplit(", record ", 1))
                first, last = self._places.get(key, (start, start))
                assert last == start, "a mark's pieces follow each other"
                self._places[key] = (first, len(self.text))


def expected_marks(records, number=""):
    for position, record in enumerate(records, 1):
        named = f"{number}{position}"
        for name, spans in record.items():
            for span in spans:
                yield (name, named, *span)
        yield from expected_marks(record.children, f"{named}.")


def visible(text):
    return re.sub("[\ud800-\udfff]", "\ufffd", text).replace("\0", "\u2400")


TEXTS = st.text(st.sampled_from("ab<>&\"' \r\n\0\udc80𝄞/!-"), min_size=1, max_size=30)


@st.composite
def pages(draw):
    page = Page(draw(TEXTS), id="p" + draw(TEXTS))
    size = len(page.text)
    places = st.tuples(st.integers(0, size), st.integers(0, size)).map(sorted)
    values = st.one_of(st.none(), places, st.lists(places, min_size=1, max_size=2))
    spans = st.dictionaries(st.sampled_from(["a", "b<", 'c"']), values, max_size=3)
    children = st.builds(Record, st.just(page), spans)
    records = st.builds(Record, st.just(page), spans, st.lists(children, max_size=2))
    return page, draw(st.lists(records, max_size=4))


@settings(deadline=None)
@given(pages())
def test_the_text_is_the_pages_and_marks_stand_where_the_records_say(case):
    page, records = case
    _, parsed = report([(page, "x", records)])
    view = View(parsed.select_one("details"))
    assert view.text == visible(page.text)
    assert view.marks == sorted(expected_marks(records))
    assert view.gaps == []
    assert parsed.select_one("summary .id").text == visible(page.id)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_from_a_page_becomes_markup(hostile):
    page = Page(f"before {hostile} after", id=hostile)
    record = Record(page, {hostile: (7, 7 + len(hostile)), "inner": (8, 10)})
    harmless = Page("before after", id="p")
    options = {"name_extractor": True, "fields": [hostile]}
    _, parsed = report([(page, hostile, [record])], **options)
    _, model = report(
        [(harmless, "x", [Record(harmless, {"outer": (0, 9), "inner": (1, 3)})])], **options
    )
    assert View(parsed.select_one("details")).text == page.text
    assert len(parsed.select("script")) == len(parsed.select("style")) == 1
    assert {one.tag for one in parsed.select("*")} <= {one.tag for one in model.select("*")}
    for element in parsed.select("*"):
        assert not [name for name in element.attrs if name.startswith("on")]
        assert element.attrs.get("href", "#").startswith("#")
    assert parsed.select_one("td a").text == hostile
    assert parsed.select_one("caption").text == hostile


def test_the_page_loads_nothing():
    page = Page("<img src=http://example.com/x.png>", id="http://example.com/")
    text, parsed = report([(page, "x", [Record(page, {"all": (0, 10)})])])
    policy = parsed.select_one("meta[http-equiv]").attrs["content"]
    assert policy.startswith(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    )
    assert not parsed.select("[src], link, img, iframe, object, base")
    style = parsed.select_one("style").text
    assert "url(" not in style
    assert "@import" not in style
    assert text.startswith("<!doctype html>")


def test_links_lead_from_cells_to_marks_and_back():
    page = Page("Congo 242", id="p")
    records = [Record(page, {"country": (0, 5), "all": (0, 9)}), Record(page, {"code": (6, 9)})]
    _, parsed = report([(page, "x", records), (Page("Egypt", id="q"), "x", [])])
    ids = [one.attrs["id"] for one in parsed.select("[id]")]
    assert len(ids) == len(set(ids))
    links = [one.attrs["href"][1:] for one in parsed.select("a")]
    assert links
    assert set(links) <= set(ids)
    for cell in parsed.select("td a"):
        mark = parsed.select_one(f'[id="{cell.attrs["href"][1:]}"]')
        assert mark.tag == "mark"
        assert mark.attrs["data-m"] == cell.attrs["data-m"]


def test_the_header_says_what_and_how_many():
    page, other = Page("Congo 242", id="p"), Page("Egypt", id="q")
    record = Record(page, {"country": (0, 5), "code": [(6, 7), (7, 8)]})
    _, parsed = report([(page, "codes", [record, record]), (other, "codes", [])])
    assert parsed.select_one("h1").text == parsed.select_one("title").text == "2 records on 2 pages"
    assert "codes" in parsed.select_one(".meta").text
    legend = [item.text.split() for item in parsed.select(".legend li")]
    assert legend == [["country", "2"], ["code", "4"]]
    counts = [one.text for one in parsed.select("summary .count")]
    assert counts == ["2 records", "0 records"]


def test_extractors_that_follow_each_other_on_a_page_share_its_section():
    page = Page("Congo 242", id="p")
    names, codes = Record(page, {"country": (0, 5)}), Record(page, {"code": (6, 9)})
    found = [(page, "names", [names]), (page, "codes", [codes]), (page, "dates", [])]
    _, parsed = report(found, name_extractor=True)
    (section,) = parsed.select("details")
    assert [one.text for one in section.select("caption")] == ["names", "codes", "dates"]
    assert View(section).marks == [("code", "codes 1", 6, 9), ("country", "names 1", 0, 5)]


def test_a_table_has_a_row_for_each_nested_record_and_distinguishes_missing_from_unknown():
    page = Page("Congo 242 243", id="p")
    children = [
        Record(page, {"code": [(6, 9), (10, 13)], "name": None}),
        Record(page, {"code": (6, 6)}),
    ]
    _, parsed = report([(page, "x", [Record(page, {"country": (0, 5)}, children)])])
    rows = [
        [[part.text for part in cell.select("a")] or cell.text for cell in row.select("th, td")]
        for row in parsed.select("tbody tr")
    ]
    assert rows == [
        ["1", ["Congo"], "", ""],
        ["1.1", "", ["242", "243"], "–"],  # noqa: RUF001  # what a missing value looks like
        ["1.2", "", ["empty"], ""],
    ]


def test_a_nested_field_is_a_table_in_its_cell_with_typed_values():
    page = Page("Tea Ann 4 Bob 1,200", id="p")
    reviews = [{"by": (4, 7), "stars": (8, 9)}, {"by": (10, 13), "stars": (14, 19)}, {"by": None}]
    schema = {"reviews": {"fields": {"by": {}, "stars": {"type": "integer", "language": "en"}}}}
    record = Record(page, {"title": (0, 3), "reviews": reviews}, schema=schema)
    _, parsed = report([(page, "x", [record])])
    (inner,) = parsed.select("td table.inner")
    rows = [[cell.text for cell in row.select("th, td")] for row in inner.select("tr")]
    assert rows == [["by", "stars"], ["Ann", "4"], ["Bob", "1200"], ["–", ""]]  # noqa: RUF001  # missing
    fields = {mark[0] for mark in View(parsed.select_one("details")).marks}
    assert fields == {"title", "reviews"}


def test_a_very_long_page_gives_a_small_report_that_says_what_is_left_out():
    text = "x " * 2_000_000 + "Congo" + " y" * 2_000_000
    page = Page(text, id="p")
    html, parsed = report([(page, "x", [Record(page, {"country": (4_000_000, 4_000_005)})])])
    assert len(html) < 50_000
    view = View(parsed.select_one("details"))
    assert "Congo" in view.text
    hidden = sum(int(re.sub(r"\D", "", gap)) for gap in view.gaps)
    assert hidden + len(view.text) == len(text)


def test_a_very_long_value_is_cut_in_the_table():
    page = Page("x" * 100_000, id="p")
    _, parsed = report([(page, "x", [Record(page, {"all": (0, 100_000)})])])
    assert parsed.select_one("td a").text == "x" * 300 + " … 99,700 more"


def test_more_records_than_fit_are_counted(monkeypatch):
    monkeypatch.setattr(report_module, "REPORT_RECORDS", 3)
    page = Page("Congo", id="p")
    nested = Record(page, {"a": (0, 1)}, [Record(page, {"a": (1, 2)})] * 5)
    _, parsed = report([(page, "x", [nested] * 10)])
    assert len(parsed.select("tbody tr")) == 3
    assert parsed.select_one("p.none").text == "9 further records not shown"
    assert parsed.select_one("h1").text == "10 records on 1 page"


def test_more_pages_than_fit_are_counted(monkeypatch):
    monkeypatch.setattr(html_module, "REPORT_CHARACTERS", 2_000)
    found = []
    for number in range(20):
        page = Page("Congo", id=f"p{number}")
        found.append((page, "x", [Record(page, {"a": (0, 1)})]))
    _, parsed = report(found)
    shown = len(parsed.select("details"))
    assert 0 < shown < 20
    note = f"{20 - shown} further pages with {20 - shown} records not shown: the report is full."
    assert parsed.select_one(".left-out").text == note


def test_only_the_first_pages_are_unfolded():
    found = [(Page("Congo", id=f"p{number}"), "x", []) for number in range(10)]
    _, parsed = report(found)
    assert len(parsed.select("details")) == 10
    assert len(parsed.select("details[open]")) == 3


def test_fields_beyond_the_colours_differ_by_their_line():
    page = Page("Congo", id="p")
    record = Record(page, {f"f{number}": (0, 5) for number in range(20)})
    _, parsed = report([(page, "x", [record])])
    looks = [tuple(one.attrs["class"]) for one in parsed.select(".legend .chip")]
    assert len(set(looks)) == 20


def test_an_empty_page_and_an_empty_report_are_shown():
    _, parsed = report([(Page("", id="p"), "x", [Record("", {"a": (0, 0)})])])
    assert View(parsed.select_one("details")).marks == [("a", "1", 0, 0)]
    _, parsed = report([])
    assert parsed.select_one("h1").text == "0 records on 0 pages"


def test_markup_is_dimmed_on_html_pages_alone():
    pytest.importorskip("rowen._core.native", reason="the C++ core is not built")
    source = "<html>\n<p class=x>Congo &amp; <b>Egypt</b><script>if (a < b) c()</script>"
    page = Page(source, id="p")
    start = source.index("Congo")
    _, parsed = report([(page, "x", [Record(page, {"a": (start, start + 5)})])])
    view = View(parsed.select_one("details"))
    assert view.text == source
    assert view.unmarked == ["<html>\n<p class=x>", "<b>", "</b><script>if (a < b) c()</script>"]
    assert len(parsed.select(".markup.lines")) == 1


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<!DOCTYPE html><title>x", True),
        ("\ufeff\n <HTML>", True),
        ("<div class=x>", True),
        ("a < b and b > c", False),
        ("<pre-release>", False),
        ("x" * 5000 + "<html>", False),
        ("", False),
    ],
)
def test_html_is_known_by_a_tag_near_its_start(text, answer):
    assert looks_like_html(text) is answer

r"""Clean values: what a source means in its place, and that the native writer agrees."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markup import pages

import rowen
from rowen.export.jsonl import RecordEncoder
from rowen.model import Page
from rowen.records.records import Rows
from rowen.text.html_tokens import Kind, Tokens
from rowen.text.visible import visible
from rowen.values.clean import SCANS, clean, clean_digits, tidy


def cleaned(page, source, read=clean):
    start = page.index(source)
    return read(Page(page), start, start + len(source))


@pytest.mark.parametrize(
    ("page", "source", "value"),
    [
        ("<p>Tom <b>&amp;</b>\n Jerry</p>", "Tom <b>&amp;</b>\n Jerry", "Tom & Jerry"),
        ("<td><span>Pogačar</span> Tadej</td>", "Pogačar</span> Tadej", "Pogačar Tadej"),
        ("<p> one<br>two\t</p>", " one<br>two\t", "one two"),
        ("<p>a\xa0\xa0b\u2003c</p>", "a\xa0\xa0b\u2003c", "a b c"),
        ("<p>auto\u00admatic</p>", "auto\u00admatic", "automatic"),
        (
            "<p>\u0645\u06cc&zwnj;\u062e\u0648\u0627\u0647\u0645</p>",
            "\u0645\u06cc&zwnj;\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("<a href='?a=1&amp;b=2&copy=3'>x</a>", "?a=1&amp;b=2&copy=3", "?a=1&b=2&copy=3"),
        ("<a href=' /x\n'>x</a>", " /x\n", "/x"),
        ("<a title='a <b> c'>x</a>", "a <b> c", "a <b> c"),
        ("<p><a href='/x&amp;y", "/x&amp;y", "/x&y"),
        (r'<p><script>{"a": "Caf\u00e9 \"G\" \/"}</script>', r"Caf\u00e9 \"G\" \/", 'Café "G" /'),
        (r'<p><script>"\ud83d\ude00 &amp;"</script>', r"\ud83d\ude00 &amp;", "\U0001f600 &amp;"),
        ("<p><!-- a &amp;  b --></p>", "a &amp;  b", "a &amp; b"),
        ("<p>a<!-- no -->b<script>x</script>c</p>", "a<!-- no -->b<script>x</script>c", "abc"),
        ("<p>x<img alt=no>", "<img alt=no>", ""),
        ("<title>a &amp; b</title><p>", "a &amp; b", "a & b"),
        ("<title>a <br> b</title><p>", "a <br> b", "a <br> b"),
        # A span may begin or end in a tag: what is outside of it counts.
        ("<p>48 EUR<b class=x>", "48 EUR<b cla", "48 EUR"),
        ("<a href='/x'>Tom</a>", "/x'>Tom", "Tom"),
    ],
)
def test_a_value_is_what_a_reader_sees_at_its_place(page, source, value):
    assert cleaned(page, source) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("48<b>99</b>", "48 99"),
        ("48</b><i>99", "48 99"),
        ("48<sup>99</sup>", "48 99"),
        ("1<b>.</b>5", "1.5"),
        ("£<b>1</b>,048", "£1,048"),
        ("48<i title='>'>99", "48 99"),
    ],
)
def test_digits_of_different_elements_stay_apart_in_numbers(source, value):
    assert cleaned(f"<p>{source}</p>", source, clean_digits) == value


def test_digits_in_an_attribute_are_read_as_they_are():
    assert cleaned("<p title='4<b>8'>", "4<b>8", clean_digits) == "4<b>8"


PLAIN = "Tom &amp;  Jerry\r\n\t<b>1940</b> \\u00e9 \u00ad"


@pytest.mark.parametrize("identity", ["a.txt", "https://example.org/a.csv?b=1.html", "x/y.JSON"])
def test_plain_text_stays_as_it_is(identity):
    page = Page(PLAIN, identity)
    assert clean(page, 0, len(PLAIN)) == clean_digits(page, 0, len(PLAIN)) == PLAIN


@given(st.text("z &;<>\\\n\u00ad\u200d1"))
def test_pages_without_tags_stay_as_they_are(text):
    assert clean(Page(text), 0, len(text)) == text


def test_an_ending_says_that_a_page_is_markup():
    source = "Tom &amp; Jerry"
    assert clean(Page(source, "a.html"), 0, len(source)) == "Tom & Jerry"
    assert clean(Page(f"<?xml version='1.0'?>{source}", "a"), 21, 21 + len(source)) == "Tom & Jerry"


SPACED = st.text("a\u0628 \n\xa0\u2003\x1f\u00ad\u200b\u200c\u200d\ufeff\u2066\U0001f469")


@example("a\u00ad\u200d\u0628")
@example("\u0628\u2003\u200d\u0628")
@given(SPACED | st.text())
def test_tidying_is_idempotent(text):
    once = tidy(text)
    assert tidy(once) == once
    assert not once or not (once[0].isspace() or once[-1].isspace())


@given(pages, st.data())
def test_a_clean_text_has_neither_edges_nor_double_blanks(page, data):
    start = data.draw(st.integers(0, len(page)))
    end = data.draw(st.integers(start, len(page)))
    # The name says that it is markup: most random pages have none of the usual tags.
    for value in (
        clean(Page(page, "a.html"), start, end),
        clean_digits(Page(page, "a.html"), start, end),
    ):
        assert value == tidy(value)


SIMPLE = [
    *("<b>", "</b>", "<i class='x y'>", '<a href="?a&amp;b">', "</a >", "<BR/>", "<br />", "<td>"),
    *(
        "<b x>",
        "<b 'y'>",
        "<b c=\"d'>",
        "<p/x>",
        "<x-y>",
        "<script>",
        "</script>",
        "<sup>",
        "<title>",
    ),
    *("<!-- ", " -->", "&amp;", "&am", "p;", "4", "9", " ", "Tom", "<", ">", "'", '"', "=", "</>"),
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(SIMPLE), max_size=10).map("".join), st.data())
def test_the_short_way_for_simple_tags_gives_what_the_long_way_gives(page, data):
    page = f"<p>{page}"
    start = data.draw(st.integers(3, len(page)))
    end = data.draw(st.integers(start, len(page)))
    tokens = Tokens(page)
    number = tokens.at(start)
    if number >= 0 and tokens[number].kind is Kind.TEXT and not tokens[number].literal:
        expected = tidy(visible(tokens, start, end).text)
        assert clean(Page(page, "a.html"), start, end) == expected


@given(pages, st.data())
def test_a_value_is_the_same_whatever_was_read_before_it(page, data):
    bounds = st.integers(0, len(page) + 3)
    spans = data.draw(st.lists(st.tuples(bounds, bounds).map(sorted), max_size=3 * SCANS))
    read = Page(f"<p>{page}", "a.html")
    # Other pages with the same text: the tokens of none of them are kept.
    alone = [clean(Page(f"<p>{page}", "a.html"), *span) for span in spans]
    assert [clean(read, *span) for span in spans] == alone


@given(pages, st.data())
def test_the_native_writer_reads_as_records_do(page, data):
    page = Page(f"<p>{page}", "a.html")
    bounds = st.integers(0, len(page.text))
    pairs = data.draw(st.lists(st.tuples(bounds, bounds).map(sorted).map(tuple), min_size=1))
    rows = Rows(page, ("a",), [(pair,) for pair in pairs])
    lines = RecordEncoder(name_extractor=False).lines(rows, extractor="x").splitlines()
    assert [json.loads(line)["values"] for line in lines] == [
        record.values for record in rows.records()
    ]
    assert [json.loads(line)["source"] for line in lines] == [
        record.source for record in rows.records()
    ]


@given(st.characters(exclude_categories=["Cs"]))
def test_the_native_writer_knows_every_character_that_is_not_seen(character):
    page = Page(f"<p>a{character}b", "a.html")
    rows = Rows(page, ("a",), [((3, 6),)])
    (line,) = RecordEncoder(name_extractor=False).lines(rows, extractor="x").splitlines()
    assert json.loads(line)["values"] == {"a": clean(page, 3, 6)}
    assert clean(page, 3, 6) == tidy(f"a{character}b") or character in "&<"


@given(st.text())
def test_escapes_of_json_are_resolved(text):
    for written in (json.dumps(text), json.dumps(text, ensure_ascii=False)):
        page = f'<p><script>{{"a": {written}}}'
        if "</script" not in page.lower():
            assert clean(Page(page), 18, len(page) - 2) == tidy(text)


@pytest.mark.parametrize(
    "unit", ["1<", "1<b>", "\\", "\\u0041", "&#", "&amp;", "\u200d", " \u00ad"]
)
def test_hostile_values_are_read_in_linear_time(unit):
    # A quadratic scan of half a million characters would take an hour.
    for around in ("<p>", "<p><script>", "<p title='"):
        text = around + unit * (500_000 // len(unit))
        value = clean_digits(Page(text), len(around), len(text))
        assert len(value) <= 2 * len(text)


def test_values_of_a_learned_wrapper_are_clean():
    page = (
        "<table><tr><td><span>Pogačar</span> Tadej<td>1&nbsp;048"
        "<tr><td><span>Vos</span> Marianne<td>99</table>"
    )
    labels = [
        {"name": "Pogačar Tadej", "points": "1 048"},
        {"name": "Vos Marianne", "points": "99"},
    ]
    marked = rowen.Example(page, labels)
    records = rowen.learn([marked], "token").extract(page)
    assert [record.values for record in records] == labels
    assert records[0].source["name"] == "Pogačar</span> Tadej"

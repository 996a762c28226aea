import html
import re
from itertools import pairwise

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from rowen.model import Span
from rowen.text.character_references import decode

PIECES = [
    *(
        "&",
        "&amp;",
        "&amp",
        "&lt",
        "&notit;",
        "&notin;",
        "&not",
        "&copy",
        "&copy;",
        "&AMP;",
        "&fjlig;",
    ),
    *(
        "&#65;",
        "&#65",
        "&#x41;",
        "&#X41",
        "&#128;",
        "&#0;",
        "&#xD800;",
        "&#x110000;",
        "&#13;",
        "&#",
    ),
    *(
        "&#x",
        ";",
        "=",
        "a",
        "1",
        " ",
        "\r\n",
        "é",
        "😀",
        "&CounterClockwiseContourIntegral;",
        "&zzz;",
    ),
    *("&#1;", "&#x81;", "&#xfdd0;", "&thetasym;", "&thetasymx", "&#0000000000000065;"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)

NUMERIC = re.compile(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?")


def without_deleted(text):
    """The text without references that the standard library deletes and browsers keep."""

    def kept(match):
        code = int(match[1], 16) if match[1] else int(match[2])
        return "|" if code in html._invalid_codepoints else match[0]

    return NUMERIC.sub(kept, text)


@given(st.one_of(texts, st.text()))
def test_references_mean_what_the_standard_library_says(text):
    # It deletes references to controls and non-characters; browsers keep those characters.
    text = without_deleted(text)
    assert decode(text).text == html.unescape(text)


@given(texts)
def test_text_is_what_a_browser_shows(text):
    body = turbohtml.parse(f"<!doctype html><body>-{text}").find("body")
    shown = decode(f"-{text}".replace("\r\n", "\n")).text
    assert body is not None
    assert body.text == shown


@given(texts)
def test_attribute_values_are_what_a_browser_takes_them_for(text):
    text = text.replace("\r\n", "\n")
    (tag,) = turbohtml.tokenize(f'<a b="{text}">')
    assert decode(text, attribute=True).text == tag.attr("b")


@given(texts, texts, texts)
def test_a_span_is_decoded_by_itself(before, text, after):
    source = before + text + after
    decoded = decode(source, Span(len(before), len(before) + len(text)))
    assert decoded.text == decode(text).text
    assert decoded.source(0, len(decoded.text)) == (len(before), len(before) + len(text))


@given(texts, st.data())
def test_every_part_leads_back_to_the_source_that_says_it(text, data):
    decoded = decode(text)
    start = data.draw(st.integers(0, len(decoded.text)))
    end = data.draw(st.integers(start, len(decoded.text)))
    span = decoded.source(start, end)
    assert (span.length == 0) == (start == end)
    if "&" in decoded.text or "fj" in decoded.text:
        return  # cut at other places the source may say something else
    assert decode(text, span).text == decoded.text[start:end]


@given(texts)
def test_parts_side_by_side_are_side_by_side_in_the_source(text):
    decoded = decode(text)
    spans = [decoded.source(at, at + 1) for at in range(len(decoded.text))]
    for left, right in pairwise(spans):
        assert left == right or left.end == right.start  # two characters can come of one reference
    assert (spans[0].start, spans[-1].end) == (0, len(text)) if spans else not text


def test_the_way_back_is_exact():
    text = "a &lt; b&copy c"
    decoded = decode(text)
    assert decoded.text == "a < b© c"
    assert decoded.source(2, 3).of(text) == "&lt;"
    assert decoded.source(4, 6).of(text) == "b&copy"
    assert decoded.source(3, 3) == (6, 6)
    assert decoded.source(8, 8) == (15, 15)


def test_a_reference_of_two_characters_is_taken_whole():
    decoded = decode("&fjlig;")
    assert decoded.text == "fj"
    assert decoded.source(0, 1) == decoded.source(1, 2) == (0, 7)


def test_an_attribute_keeps_what_only_looks_like_a_reference():
    assert decode("?a=1&copy=2&lt;", attribute=True).text == "?a=1&copy=2<"
    assert decode("?a=1&copy=2&lt;").text == "?a=1©=2<"


@pytest.mark.parametrize("bounds", [(-1, 0), (0, 2), (1, 0)])
def test_only_what_is_in_the_text_has_a_source(bounds):
    with pytest.raises(ValueError, match="not a span"):
        decode("&lt;").source(*bounds)


@pytest.mark.parametrize("piece", ["&", "&#", "&a", "&#0", "&amp", "&notit", "0", "a"])
def test_hostile_references_of_a_megabyte_take_linear_time(piece):
    assert decode("&#" + piece * (1_000_000 // len(piece))).text

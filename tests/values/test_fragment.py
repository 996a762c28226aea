"""A value of type html stands by itself."""

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen.values.fragment import fragment


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("plain & text", "plain & text"),
        ("one</p><p>two <b>three", "<p>one</p><p>two <b>three</b></p>"),
        ("a</b></i> c", "<i><b>a</b></i> c"),
        (" <p>whole</p> ", "<p>whole</p>"),
        ("a<br>b<img src=x>", "a<br>b<img src=x>"),
        ("<p>a<b>b</p>c", "<p>a<b>b</p>c"),
        ("a</br>", "a</br>"),
        ("<svg/>a", "<svg/>a"),
    ],
)
def test_tags_that_a_span_cuts_off_are_completed(source, expected):
    assert fragment(source) == expected


pieces = st.lists(
    st.sampled_from(
        ["a", " ", "<i>", "</i>", "<em>", "</em>", "<br>", "<span>", "</span>", "&amp;"]
    )
)


@given(pieces)
def test_a_completed_fragment_is_complete(parts):
    completed = fragment("".join(parts))
    assert fragment(completed) == completed


@given(pieces)
def test_a_completed_fragment_keeps_its_text(parts):
    source = "".join(parts)
    texts = [turbohtml.parse(html).text for html in (source, fragment(source))]
    assert texts[0].split() == texts[1].split()


def test_html_fields_are_completed():
    page = rowen.Page("<div><p>one</p><p>two</p></div>")
    record = rowen.Record(page, {"body": (8, 21)}, schema={"body": "html"})
    assert record.values == {"body": "<p>one</p><p>two</p>"}
    assert record.source == {"body": "one</p><p>two"}

"""Texts are found on a page as a reader sees them."""

import pytest

import rowen
from rowen.model.errors import LabelError
from rowen.records.positions import Positions

PAGE = (
    "<html><body><h1>Tom <i>&amp;</i>\n Jerry</h1><p>Pogačar</span> Tadej</p>"
    "<p>12 Main St<br>Springfield</p><p title='A &amp; B'>co&shy;op\u200b</p>"
    "<p>€48<sup>99</sup></p><table><tr><td>one</td><td>two</td></tr></table>"
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Tom & Jerry", "Tom <i>&amp;</i>\n Jerry"),
        ("Pogačar Tadej", "Pogačar</span> Tadej"),
        ("12 Main St Springfield", "12 Main St<br>Springfield"),
        ("A & B", "A &amp; B"),
        ("coop", "co&shy;op"),
        ("one two", "one</td><td>two"),
        ("one", "one"),
        ("€4899", "€48<sup>99"),
    ],
)
def test_a_text_is_found_across_tags_references_and_what_is_not_seen(text, source):
    positions = Positions(rowen.Page(PAGE)).of(text)
    assert [PAGE[start:end] for start, end in positions] == [source]


def test_a_text_across_lines_is_meant_only_where_there_is_no_other():
    page = rowen.Page("<table><tr><td>one</td><td>two</td></tr></table><p>one two</p>")
    assert [page.text[slice(*place)] for place in Positions(page).of("one two")] == ["one two"]


def test_a_label_by_value_is_located_across_tags():
    example = rowen.Example(PAGE, [{"name": "Pogačar Tadej", "home": "12 Main St Springfield"}])
    assert example.records[0].values == {"name": "Pogačar Tadej", "home": "12 Main St Springfield"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tom & jerry", "Tom & Jerry"),
        ("It\u2019s 5\u20136 \u201co\u2019clock\u201d", "it's 5-6 \"o'clock\""),
        ("ONE", "one"),
    ],
)
def test_a_text_that_is_nearly_there_is_offered_with_its_place(text, meant):
    page = rowen.Page(f"<body>{PAGE}<b>it's 5-6 \"o'clock\"</b>", id="p.html")
    with pytest.raises(LabelError, match="did you mean") as caught:
        rowen.Example(page, [{"a": text}])
    message = str(caught.value)
    assert repr(meant) in message
    place = message[message.index("[") + 1 : message.index(")?")].split(", ")
    source = page.text[int(place[0]) : int(place[1])]
    assert rowen.Record(page, {"a": tuple(map(int, place))}).values["a"] == meant, source


def test_a_text_that_is_nowhere_is_not_found():
    with pytest.raises(LabelError, match=r"'zzz' was not found on the page\Z"):
        rowen.Example(PAGE, [{"a": "zzz"}])

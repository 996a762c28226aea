import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import ExtractionError, ExtractorError, Page, Pattern


def test_named_groups_are_fields():
    rooms = Pattern(r"(?P<room>CS\s*\d{3}) at (?P<time>\d+[ap]m)(?P<note>!)?", name="rooms")
    records = rooms.extract("CS 105 at 2pm, CS310 at 4pm!")
    assert rooms.fields == ("room", "time", "note")
    assert [record.values for record in records] == [
        {"room": "CS 105", "time": "2pm", "note": None},
        {"room": "CS310", "time": "4pm", "note": "!"},
    ]


def test_a_match_without_a_character_in_any_field_is_no_record():
    assert Pattern(r"(?P<x>a*)").extract("baab")[0].spans == {"x": (1, 3)}
    assert len(Pattern(r"(?P<x>a*)").extract("baab")) == 1


def test_a_field_in_a_look_ahead_counts():
    pairs = Pattern(r"(?=(?P<pair>\w\w))")
    assert [record.values["pair"] for record in pairs.extract("abc")] == ["ab", "bc"]


def test_unicode_properties_and_repeated_names_work():
    names = Pattern(r"(?P<x>\p{Lu}+)|<(?P<x>\d+)>")
    assert [record.values["x"] for record in names.extract("ÄÖ <12>")] == ["ÄÖ", "12"]


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("(?P<x>a", "does not compile"),
        ("(a)", "no named group"),
        ("(?P<children>a)", "children"),
        ("(" * 5000 + ")" * 5000, "nested too deeply"),
        (7, "a pattern must be a string"),
    ],
)
def test_a_bad_pattern_is_refused_with_its_name(pattern, complaint):
    with pytest.raises(ExtractorError, match=f"'mine'.*{complaint}"):
        Pattern(pattern, name="mine")


def test_a_pattern_that_runs_away_is_stopped_and_says_on_which_page():
    evil = Pattern(r"(?P<x>(a|a)+)$", name="evil", seconds=0.2)
    with pytest.raises(ExtractionError, match=r"p7: extractor 'evil' took more than 0.2 s"):
        evil.extract(Page("a" * 60 + "b", id="p7"))


def test_the_version_follows_the_pattern_unless_it_is_given():
    assert Pattern("(?P<x>a)").version == Pattern("(?P<x>a)", name="other").version
    assert Pattern("(?P<x>a)").version != Pattern("(?P<x>b)").version
    assert Pattern("(?P<x>a)", version="2").version == "2"


pieces = st.sampled_from(
    [
        "a",
        "b",
        ".",
        r"\d",
        r"\s",
        r"\w",
        "[ab]",
        "[^a]",
        r"\b",
        "^",
        "$",
        "(?:a|ab)",
        "a+",
        "b*?",
        "1?",
    ]
)


@given(
    st.lists(pieces, min_size=1, max_size=5).map("".join),
    st.text(string.ascii_letters[:3] + "1 \n_ÄA", max_size=20),
)
def test_the_engine_agrees_with_the_standard_library(body, text):
    pattern = f"(?P<x>{body})"
    expected = [match.span("x") for match in re.finditer(pattern, text) if match["x"]]
    assert [record.spans["x"] for record in Pattern(pattern).extract(text)] == expected

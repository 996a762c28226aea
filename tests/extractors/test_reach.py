"""What is derived about a pattern is held against what the engine does."""

import random
import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen import Pattern, Segments, WholePage, Window
from rowen.extractors.reach import harmless_size, reach_of
from rowen.extractors.reach import locality_of as locality_of_reach
from rowen.testing import check_locality


def locality_of(pattern):
    return locality_of_reach(reach_of(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        r"CS \d{3}",
        r"[a-z]+",
        r"\w+@\w+",
        r".*",
        r"(?m)^# .*$",
        r"\b\d+\b",
        r"[^\n]+",
        r"[^\s]+",
        r"\S+(?= euro)",
        r"(?<=\$)\d+",
        r"(?i)room",
        r"(?x) a  b  # a comment",
        r"a{2,}",
        r"(?>a+)b",
    ],
)
def test_what_never_touches_a_newline_is_local_to_lines(pattern):
    assert locality_of(pattern) == Segments("\n")


@pytest.mark.parametrize(
    "pattern",
    [
        r"CS\s*\d{3}",
        r"[^<]+",
        r"(?s).*",
        r"\D+",
        r"\W",
        r"a(?!\n)",
        r"a(?=\s)",
        r"(?<!\s)a",
        r"^a",
        r"a$",
        r"\Aa",
        r"a\Z",
        "a\nb",
        r"[\s\S]",
    ],
)
def test_what_may_look_past_a_newline_or_to_the_edge_is_not(pattern):
    assert locality_of(pattern) != Segments("\n")


def test_a_bounded_pattern_whose_matches_can_not_overlap_has_a_window():
    assert locality_of(r"CS\s\d{3}") == Window(6, 7)
    assert locality_of(r"(?<=ab)<\n>") == Window(3, 6)


def test_matches_that_can_shift_have_no_window():
    assert not isinstance(locality_of(r"[\d\n]{3}"), Window)
    assert not isinstance(locality_of(r"\d\s\d"), Window)


@pytest.mark.parametrize(
    ("pattern", "separators"),
    [
        (r"(?m)^# (?P<a>.*)$", "\n"),
        (r"(?P<a>.*)", "\n"),
        (r"(?P<a>[^<\n]+)", "\n<"),
        (r"(?P<a>\w+=\w+)", "\n\t\r <>\"'()[]{},;|"),
        (r"(?P<a>CS\s*\d{3})", "<>\"'()[]{},;|="),
    ],
)
def test_reuse_goes_by_all_that_never_comes_in_a_match(pattern, separators):
    assert Pattern(pattern).grain == Segments(separators)


def test_a_locality_that_is_given_is_the_grain_too():
    assert Pattern("(?P<a>a)", locality=Segments("\n")).grain == Segments("\n")


def test_text_between_tags_stands_for_itself():
    assert locality_of(r"CS\s*\d{3}") == Segments("<>")
    assert locality_of(r"[^<]+") == Segments("<")


@pytest.mark.parametrize(
    "pattern", [r"(a)\1", r"(a)?(?(1)b|c)", r"[[:alpha:]]", r"(?:a){e}", r"\p{Lu}", r"[^<>]*$"]
)
def test_what_is_not_understood_takes_the_whole_page(pattern):
    assert locality_of(pattern) == WholePage()


ATOMS = [
    "a", "b", "<", r"\n", ".", r"\d", r"\s", r"\w", r"\D", r"\S", r"\W", "[ab]", "[^a]", r"[^\n]",
    r"[^\s<]", "(?:a|b<)", "(?:ab|a)", r"\b", r"\B", "^", "$", r"\A", r"\Z", "(?=a)", "(?!b)",
    "(?<=a)", "(?<!<)", "(?=a.)", r"(?!\s)", "(?i:A)", "(?s:.)", "(?>a|ab)",
]  # fmt: skip
REPEATS = ["", "", "", "", "?", "*", "+", "{2}", "{1,2}", "*?", "+?", "?+"]


def patterns():
    part = st.tuples(st.sampled_from(ATOMS), st.sampled_from(REPEATS)).map("".join)
    body = st.lists(part, min_size=1, max_size=2).map("".join)
    around = st.just("") | part
    grouped = st.tuples(around, body, around).map(lambda three: "{}(?P<x>{}){}".format(*three))
    return st.tuples(st.sampled_from(["", "(?m)", "(?i)", "(?s)"]), grouped).map("".join)


def compiles(pattern):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            re.compile(pattern)
        except (re.error, Warning):
            return False
    return True


@settings(max_examples=3000)
@given(
    patterns().filter(compiles),
    st.lists(st.text("ab\n", min_size=5, max_size=14), min_size=1, max_size=2)
    | st.lists(st.text("ab1 <>\n_A\x1cé", min_size=5, max_size=25), min_size=2, max_size=4),
    st.integers(0, 2**32),
)
def test_no_pattern_looks_further_than_is_derived(pattern, texts, seed):
    own = Pattern(pattern)
    check_locality(own, texts, trials=10, seed=seed)
    if own.grain != own.locality:
        check_locality(Pattern(pattern, locality=own.grain), texts, trials=10, seed=seed)


def test_the_check_catches_a_pattern_that_is_declared_wrongly():
    text = "".join(random.Random(1).choices("0123456789", k=60))
    with pytest.raises(Exception, match="looks further"):
        check_locality(Pattern(r"(?P<x>\d{3})", locality=Window(3, 2)), [text], trials=50)


@pytest.mark.parametrize(
    ("pattern", "size"),
    [("abc", 999_999), ("a?b", 499_999), (r"a\s*b", 999), ("ab|c", 499_999), ("(?=a)b", 999_999)],
)
def test_texts_on_which_a_pattern_can_not_take_long_are_known(pattern, size):
    assert harmless_size(reach_of(pattern), 1e6) == size


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|a)*", "(a?){30}", "(?:a|ab){20}", r"(a)\1"])
def test_what_can_run_away_is_harmless_on_no_text(pattern):
    assert harmless_size(reach_of(pattern), 1e6) == -1


@pytest.mark.parametrize(
    ("pattern", "fills"),
    [
        ("(?P<x>a+)", True),
        ("(?P<x>a*)", False),
        ("(?P<x>a)?b", False),
        ("(?P<x>a)|b", False),
        ("(?P<x>a)|(?P<y>b)", True),
        ("(a)(?P<x>b?)", False),
        ("(?:(?P<x>a)b)+", True),
        ("(?=(?P<x>a))", False),
    ],
)
def test_whether_a_field_always_holds_a_character_is_known(pattern, fills):
    assert reach_of(pattern).fills is fills

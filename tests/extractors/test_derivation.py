"""Derived localities are held against what the engine does, over all small texts."""

import pytest
from contradiction import contradiction, rows_of, texts_over
from hypothesis import given, settings
from patterns import EXPLORE, patterns

from rowen import Pattern, Segments, WholePage, Window
from rowen.extractors.derivation import Derivation
from rowen.extractors.locality import Either


def locality_of(pattern):
    return Derivation(f"(?P<all>{pattern})").locality


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
        r"(?x) a  b  # a comment" + "\n",
        r"a{2,}",
        r"(?>a+)b",
        r"key[:=]\d+",
        r"key[=:]\d+",
        r"\{\w+\}",
        r"[{]\w+",
        r"[[:alpha:]]+",
        r"\p{Lu}\p{Ll}+",
        r"(['\"]).*?\2",
        r"(a)?(?(1)b|c)",
        r"a(?=.*b)",
        r"\h+",
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
        r"[^\s\S]",
        r"[^\d\D]",
        r"[^\w\W]",
        r"[[:space:]]a",
        r"\p{Cc}a",
        r"\R",
    ],
)
def test_what_may_look_past_a_newline_or_to_the_edge_is_not(pattern):
    assert locality_of(pattern) != Segments("\n")


@pytest.mark.parametrize(
    ("pattern", "window"),
    [
        (r"(?P<room>CS\s\d{3})", Window(6, 0)),
        (r"CS\s(?P<room>\d{3})", Window(3, 3)),
        (r"(?<=ab)(?P<x><\n>)", Window(3, 2)),
        (r"(?P<x><\n>)(?=ab)", Window(3, 2)),
        (r"<h1>(?P<t>[^<]{1,80})</h1>", Window(80, 84)),
        (r"(?s)(?<=(?P<left>.{40}))Rowen(?=(?P<right>.{40}))", Window(85, 0)),
        (r"(?s)(?<=(?P<left>.{40}))Rowen", Window(40, 5)),
        (r"(?s)(?=(?P<all>.{9}))(?P<a>a)", Window(9, 0)),
        (r"(?P<x>a\n?)b?(?=\n)", Window(2, 3)),
        (r"(?P<x>a\nb|b\nc)", Window(3, 2)),
        (r"^(?P<x>a\n)", Window(2, 1)),
    ],
)
def test_a_window_covers_all_fields_and_all_that_decides(pattern, window):
    assert Derivation(pattern).locality == window


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?P<x>[\d\n]{3})",
        r"(?P<x>\d\s\d)",
        r"(?P<x>a{0,3})",
        r"(?P<x>a+)",
        r"(?P<x>a)(?=.*)",
        '<a href="(?P<u>[^"]{1,200})">(?P<t>[^<]{1,80})</a>',
    ],
)
def test_matches_that_can_shift_or_have_no_end_have_no_window(pattern):
    assert Derivation(pattern).window is None


def test_the_answer_to_matches_that_shift_without_end_is_real():
    """Each match of this ends in the middle of the next candidate, so that one more shifts all."""
    links = Pattern('<a href="(?P<u>[^"]{1,200})">(?P<t>[^<]{1,80})</a>')
    link = '<a href=">t</a>'
    starts = [record.extent.start for record in links.extract(link * 40)]
    shifted = [record.extent.start - len(link) for record in links.extract(link * 41)]
    assert set(starts).isdisjoint(shifted)
    assert links.locality == WholePage()


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
def test_reuse_separates_at_all_characters_that_never_occur_in_a_match(pattern, separators):
    grain = Pattern(pattern).grain
    assert (grain.options[0] if isinstance(grain, Either) else grain) == Segments(separators)


def test_reuse_may_choose_where_a_window_holds_too():
    grain = Pattern(r"CS (?P<room>\d{3})").grain
    assert grain == Either((Segments("\n\t\r<>\"'()[]{},;|="), Window(3, 3)))


def test_a_locality_that_is_given_is_the_grain_too():
    assert Pattern("(?P<a>a)", locality=Segments("\n")).grain == Segments("\n")


def test_text_between_tags_can_be_extracted_by_itself():
    assert locality_of(r"CS\s*\d{3}") == Segments("<>")
    assert locality_of(r"[^<]+") == Segments("<")
    assert locality_of(r'(?s)<b>[^"]*</b>') == Segments('"')


@pytest.mark.parametrize(
    "pattern",
    [r"(?P<x>a|b(?&x))", r"(?P<x>a){e}", r"(?P<x>\X)", r"(?P<x>[^<>]*)$", r"(?r)(?P<x>a)"],
)
def test_what_is_not_understood_takes_the_whole_page(pattern):
    assert Derivation(pattern).locality == WholePage()


LINES = texts_over("ab\n", 6 if EXPLORE else 5)
LETTERS = texts_over("ab", 10 if EXPLORE else 7)
OTHERS = texts_over("a <é1", 4)


@settings(max_examples=5_000 if EXPLORE else 30)
@given(patterns())
def test_no_pattern_looks_further_than_is_derived(pattern):
    extract = rows_of(pattern)
    derived = Derivation(pattern)
    for texts in (LINES, LETTERS, OTHERS):
        assert contradiction(extract, derived.grain, texts) is None
        assert contradiction(extract, derived.locality, texts) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "(?P<x>a)b",
        "b(?P<x>a)",
        "(?P<x>a)(?!b)",
        "(?<!b)(?P<x>a)",
        "(?P<x>a)(?=bb)",
        r"(?P<x>a)\b",
        r"\b(?P<x>a)",
        "(?P<x>a)$",
        r"\A(?P<x>a)",
        "a(?P<x>b)(?=(?P<y>a)?)",
        "(?<=(?P<y>a))b(?P<x>a)",
        "(?<=(?P<y>a))b",
        "b(?=(?P<y>a)?)(?P<x>a)",
    ],
)
def test_the_check_finds_what_a_smaller_window_misses(pattern):
    """That is, these windows are as small as can be, and the check above has teeth."""
    extract = rows_of(pattern)
    window = Derivation(pattern).window
    texts = [*LINES, *LETTERS]
    assert contradiction(extract, window, texts) is None
    if window.context:
        assert contradiction(extract, Window(window.scope, window.context - 1), texts) is not None
    assert contradiction(extract, Window(window.scope - 1, window.context), texts) is not None

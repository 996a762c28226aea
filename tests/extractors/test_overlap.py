"""Chains of overlapping candidates are never longer than is derived."""

import pytest
import regex
from contradiction import texts_over
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.extractors.expression import read
from rowen.extractors.overlap import most_overlaps
from rowen.extractors.reach import reach_of


def overlaps(pattern):
    return most_overlaps(read(pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        "<h1>[^<]{1,80}</h1>",
        '<a href="[^"<>]{1,200}">[^<]{1,80}</a>',
        r"CS \d{3}",
        r"\bAKIA[0-9A-Z]{16}\b",
        r"\b[0-9a-f]{40}\b",
        r"(?<![0-9a-f])[0-9a-f]{8}",
        r"[A-Z]{3}(?![A-Z])",
        r"[A-Z]{3}(?!\w|$)",
        r"(?<=\s|^)\w{1,9}(?=\s|$)",
        r"\m\w{1,9}\M",
        r"(?m)^.{1,80}$",
        r"\A\w{3}",
        "a",
    ],
)
def test_matches_that_can_not_overlap_are_known(pattern):
    assert overlaps(pattern) == 0


@pytest.mark.parametrize(
    ("pattern", "most"),
    [("aab", 0), ("ab|bc", 1), ("ab|bc|cd", 2), ("ab|bc|cd|de", 3), (r"key\w{0,9}=\d{3}", 1)],
)
def test_short_chains_are_counted(pattern, most):
    assert overlaps(pattern) == most


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{3}",
        r"\d\s\d",
        "aba",
        "AKIA[0-9A-Z]{16}",
        "ab|ba",
        r"(['\"])[a-z]{1,9}\1",
        # <a href=">t</a> again and again: each match ends in the middle of the next candidate.
        '<a href="[^"]{1,200}">[^<]{1,80}</a>',
    ],
)
def test_matches_that_can_shift_without_end_are_known(pattern):
    assert overlaps(pattern) is None


def test_a_pattern_that_is_too_large_is_left():
    assert overlaps("|".join(f"{number:b}2{number:o}" for number in range(500))) is None


TEXTS = texts_over("ab", 8) + texts_over("ab ", 5)
ATOMS = ["a", "b", ".", "[ab]", " ", r"\b", r"\B", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "^", "$",
         "(?:ab|a)", "(?:a|bb)", r"\m", r"\M", "(?=a|$)", "(?<!a|^)", r"(a|b)\1"]  # fmt: skip
PARTS = st.tuples(
    st.sampled_from(ATOMS), st.sampled_from(["", "", "", "?", "{2}", "{1,3}", "??", "{2,7}"])
).map("".join)
SEQUENCES = st.lists(PARTS, min_size=1, max_size=4).map("".join)
PATTERNS = st.lists(SEQUENCES, min_size=1, max_size=2).map("|".join)


def chain_starts(compiled, text):
    """For each candidate, where the leftmost candidate begins that it hangs on."""
    leftmost = {}
    ends = {}
    for place in range(len(text)):
        match = compiled.match(text, place)
        if match is not None and match.end() > place:
            inside = [leftmost[start] for start, end in ends.items() if start < place < end]
            ends[place] = match.end()
            leftmost[place] = min([place, *inside])
    return leftmost


@settings(max_examples=60)
@given(PATTERNS)
def test_no_candidate_hangs_on_one_further_away_than_is_derived(pattern):
    compiled = regex.compile(pattern)
    tree = read(pattern)
    reach = reach_of(tree)
    most = most_overlaps(tree)
    if most is None or not reach.least:
        return
    for text in TEXTS:
        for start, leftmost in chain_starts(compiled, text).items():
            assert start - leftmost <= most * (reach.most - 1), text

import re

import pytest

import rowen
from rowen import LocalityError, Segments, WholePage, Window
from rowen.testing import check_locality

PAGE = "x CS 105 topic CS 310 and\nCS 200 or CS 417 topic " * 4


def make(locality, pattern=r"CS \d{3}"):
    @rowen.extractor(name="rooms", locality=locality)
    def rooms(text):
        return [{"room": match.span()} for match in re.finditer(pattern, text)]

    return rooms


def test_honest_extractors_pass_and_the_number_of_comparisons_is_returned():
    assert check_locality(make(Window(6, 0)), [PAGE], trials=30) == 31
    assert check_locality(make(Segments("\n")), [PAGE], trials=30) == 32
    assert check_locality(make(WholePage()), [PAGE]) == 1


def test_a_record_longer_than_its_scope_is_caught():
    with pytest.raises(LocalityError, match="scope of 5.*of 6 characters"):
        check_locality(make(Window(5, 0)), [PAGE])


def test_looking_past_the_context_is_caught():
    needy = r"CS \d{3}(?= topic)"
    check_locality(make(Window(6, 6), needy), [PAGE])
    with pytest.raises(LocalityError, match="looks further than Window"):
        check_locality(make(Window(6, 5), needy), [PAGE], trials=200)


def test_looking_past_a_separator_is_caught():
    with pytest.raises(LocalityError, match="looks further than Segments"):
        check_locality(make(Segments("\n"), r"CS \d{3}(?=.*\nCS)"), [PAGE])


def test_needing_the_page_s_edge_is_caught():
    with pytest.raises(LocalityError, match="looks further"):
        check_locality(make(Segments("\n"), r"\A.*"), [PAGE])


def test_chance_is_caught():
    calls = iter(range(100))

    @rowen.extractor
    def moody(_text):
        return [{"x": (0, next(calls))}]

    with pytest.raises(LocalityError, match="different records on each call"):
        check_locality(moody, ["abcdef"])


def test_edges_may_count_within_the_context():
    check_locality(make(Window(6, 1), r"\ACS \d{3}|CS \d{3}\Z"), ["CS 105 CS 310"], trials=100)

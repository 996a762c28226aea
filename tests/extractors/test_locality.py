from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import ExtractorError, Segments, WholePage, Window
from rowen.extractors.locality import locality_from_dict, locality_to_dict


@pytest.mark.parametrize("bad", [(-1, 0), (0, -1), (1.5, 0), ("6", 0), (True, 0)])
def test_a_window_takes_numbers_of_characters(bad):
    with pytest.raises(ExtractorError, match="number of characters"):
        Window(*bad)


def test_a_string_names_separators_of_one_character():
    assert Segments("<>") == Segments(["<", ">"])


@pytest.mark.parametrize("bad", ["", [], [""], [3]])
def test_segments_need_separators(bad):
    with pytest.raises(ExtractorError, match="separator"):
        Segments(bad)


@given(st.text("ab\n. ", max_size=20), st.sampled_from(["\n", "ab", [". ", "."], ["a", "aa"]]))
def test_segments_hold_no_separator_and_are_what_lies_between(text, separators):
    segments = Segments(separators)
    spans = list(segments.split(text))
    assert spans[0].start == 0
    assert spans[-1].end == len(text)
    for span in spans:
        assert not any(separator in span.of(text) for separator in segments.separators)
    for before, after in pairwise(spans):
        assert text[before.end : after.start] in segments.separators


@pytest.mark.parametrize("locality", [Window(6, 0), Segments("\n"), Segments([". "]), WholePage()])
def test_saved_localities_read_back(locality):
    assert locality_from_dict(locality_to_dict(locality)) == locality

"""Segments of a new page are found wherever the old page has them."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rowen import Segments
from rowen._core import segments_elsewhere

TEXTS = st.one_of(
    st.text("ab\n ", max_size=40), st.text("ab\n é€\u010a\U0001f600\ud800", max_size=40)
)
MARKS = st.sampled_from(["\n", " \n", "a", "€ ", "\U0001f600é\n"])


@given(TEXTS, TEXTS, MARKS, st.data())
def test_places_are_those_of_equal_segments(old: str, new: str, marks: str, data: st.DataObject):
    cut = Segments(marks)
    old_segments = {tuple(span): old[slice(*span)] for span in cut.split(old)}
    segments = list(cut.split(new))
    # Every other run of segments is a gap.
    ends = sorted(data.draw(st.sets(st.integers(0, len(segments)), max_size=6)))
    runs = [segments[first:last] for first, last in zip(ends[::2], ends[1::2], strict=False)]
    gaps = np.array([(run[0].start, run[-1].end) for run in runs], np.int64).reshape(-1, 2)
    columns = segments_elsewhere(old, new, gaps, marks)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    assert [row[:2] for row in rows] == [tuple(span) for run in runs for span in run]
    for start, end, place in rows:
        if place < 0:
            assert new[start:end] not in old_segments.values()
        else:
            assert old_segments[place, place + end - start] == new[start:end]


@pytest.mark.parametrize("gap", [(-1, 2), (2, 1), (0, 4)])
def test_gaps_outside_the_text_are_refused(gap):
    with pytest.raises(ValueError, match="inside the text"):
        segments_elsewhere("abc", "abc", np.array([gap], np.int64), "b")

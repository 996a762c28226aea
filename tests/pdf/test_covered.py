"""Text that nobody sees is left out; white or invisible text that may be seen or needed stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import one_page

from rowen.pdf import read_layout
from rowen.pdf.covered import covered_text

LABEL = b"0 g BT /F1 10 Tf 72 700 Td (Figure 2) Tj ET "
UNDER = b"BT /F1 10 Tf 72 700 Td (A title that stands below the label) Tj ET "
TEXT = b"0 g BT /F1 10 Tf 72 600 Td (Some text) Tj ET "


def texts(content):
    return [line.text for line in read_layout(one_page(content)).lines]


@pytest.mark.parametrize("hidden", [b"1 g " + UNDER, b"3 Tr " + UNDER + b"0 Tr "])
def test_hidden_text_below_other_text_is_left_out(hidden):
    assert texts(hidden + LABEL + TEXT) == ["Figure 2", "Some text"]
    assert texts(LABEL + hidden + TEXT) == ["Figure 2", "Some text"]


def test_white_text_on_something_dark_stays():
    banner = b"0 g 60 690 200 30 re f 1 g " + UNDER
    assert texts(banner + TEXT) == ["A title that stands below the label", "Some text"]


def test_the_text_layer_of_a_scan_stays():
    assert texts(b"3 Tr " + UNDER + TEXT) == ["A title that stands below the label", "Some text"]


def test_black_text_that_is_printed_twice_stays():
    assert len("".join(texts(LABEL + LABEL + TEXT))) >= len("Figure 2Some text")


def covered_slowly(places, codes, pale):
    """The same by comparing every character with every other one."""
    struck = set()
    for i, (left, bottom, right, top, _, y, size) in enumerate(places.tolist()):
        if not pale[i] or codes[i] <= 32:
            continue
        x_middle, y_middle = (left + right) / 2, (bottom + top) / 2
        for k, (other_left, other_bottom, other_right, other_top, *_) in enumerate(places.tolist()):
            inside = other_left < x_middle < other_right and other_bottom < y_middle < other_top
            if not pale[k] and codes[k] > 32 and inside:
                struck.add((round(y), round(size)))
    return [
        bool(own) and (round(y), round(size)) in struck
        for own, (*_, y, size) in zip(pale, places.tolist(), strict=True)
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 3), st.booleans(), st.sampled_from("a ")),
        max_size=14,
    )
)
def test_covered_characters_are_those_that_a_slow_comparison_finds(letters):
    places = np.array(
        [[5 * x, 9 * y, 5 * x + 6, 9 * y + 10, 5 * x, 9 * y + 2, 10] for x, y, _, _ in letters],
        np.float32,
    ).reshape(-1, 7)
    codes = np.array([ord(letter) for *_, letter in letters], np.uint32)
    pale = np.array([own for _, _, own, _ in letters], np.bool_)
    found = covered_text(places, codes, pale)
    expected = covered_slowly(places, codes, pale)
    assert (found.tolist() if found is not None else [False] * len(letters)) == expected


def test_thousands_of_characters_at_one_place_take_no_time():
    count = 20_000
    places = np.tile(np.array([[1, 1, 9, 9, 1, 2, 8]], np.float32), (count, 1))
    places[::7] = np.nan
    codes = np.full(count, 65, np.uint32)
    assert covered_text(places, codes, np.arange(count) % 2 == 0) is not None

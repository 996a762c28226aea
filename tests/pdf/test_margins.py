"""Numbers of lines are left out, keys of references are part of their lines."""

from types import SimpleNamespace

import numpy as np
import pytest

from rowen.pdf.margins import with_keys, without_line_numbers
from rowen.pdf.pieces import Piece


def page_of(*texts):
    """A page of pieces (text, left, baseline), and these pieces, with a space behind each."""
    codes, pieces = [], []
    for text, left, baseline in texts:
        first = len(codes)
        codes += [*map(ord, text), ord(" ")]
        pieces.append(
            Piece(
                first, first + len(text), left, baseline - 2, left + 5 * len(text), baseline + 7,
                baseline, 10,
            )
        )  # fmt: skip
    return SimpleNamespace(codes=np.array(codes, np.uint32)), pieces


def text_of(page, piece):
    return "".join(map(chr, page.codes[piece.first : piece.end].tolist()))


def left_after(page, pieces):
    return [text_of(page, piece) for piece in without_line_numbers(page, pieces)]


def lines(numbers, *, apart=12.0):
    """Text lines with a number at the left of some."""
    for i, number in enumerate(numbers):
        if number:
            yield str(number), 60.0 - 5 * len(str(number)), 700 - apart * i
        yield "some words of a text", 80.0, 700 - apart * i


def test_each_fifth_number_at_the_left_of_the_text_is_left_out():
    page, pieces = page_of(*lines([0, 0, 0, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 15]))
    assert left_after(page, pieces) == ["some words of a text"] * 15


def test_numbers_of_each_line_are_left_out():
    page, pieces = page_of(*lines(range(90, 105)))
    assert left_after(page, pieces) == ["some words of a text"] * 15


def test_few_late_numbers_and_those_of_a_page_of_figures_are_left_out():
    page, pieces = page_of(*lines(range(313, 319)))
    assert left_after(page, pieces) == ["some words of a text"] * 6
    numbers = [(str(n), 45.0, 700 - 11.0 * i) for i, n in enumerate(range(261, 300))]
    page, pieces = page_of(*numbers, *(("some words", 80.0, 700 - 110.0 * i) for i in range(4)))
    assert left_after(page, pieces) == ["some words"] * 4


@pytest.mark.parametrize("numbers", [[5, 0, 10], [5, 10, 20, 25], [1, 2, 3, 4, 5], [7, 12, 17, 22]])
def test_few_numbers_and_those_that_do_not_count_in_steps_stay(numbers):
    page, pieces = page_of(*lines(numbers))
    assert len(without_line_numbers(page, pieces)) == len(pieces)


def test_numbers_of_references_at_uneven_distances_stay():
    places = [i for i in range(60) if i % 3 == 0 or i % 7 == 0][:15]
    numbers = {place: k for k, place in enumerate(places, 1)}
    page, pieces = page_of(*lines([numbers.get(i, 0) for i in range(60)], apart=10.0))
    assert len(without_line_numbers(page, pieces)) == len(pieces)


def test_numbers_inside_the_text_stay():
    page, pieces = page_of(
        *((text, 200.0, 700 - 12.0 * i) for i, text in enumerate(["5", "10", "15", "20"])),
        *(("some words", 60.0, 700 - 12.0 * i) for i in range(4)),
        *(("more words", 300.0, 700 - 12.0 * i) for i in range(4)),
    )
    assert len(without_line_numbers(page, pieces)) == len(pieces)


def test_a_key_is_joined_to_the_text_behind_it():
    page, pieces = page_of(
        ("[ARC04]", 60, 700), ("Al-Rashid, M.", 120, 700), ("[tBLF+22a]", 60, 688),
        ("ten Brink, N.", 120, 688), ("Robots.", 120, 676),
    )  # fmt: skip
    joined = with_keys(page, pieces)
    assert [text_of(page, piece) for piece in joined] == [
        "[ARC04] Al-Rashid, M.", "[tBLF+22a] ten Brink, N.", "Robots.",
    ]  # fmt: skip
    assert [piece.left for piece in joined] == [60, 60, 120]


def test_words_in_brackets_and_keys_far_from_text_are_no_keys():
    page, pieces = page_of(
        ("[see]", 60, 700), ("above", 120, 700), ("[Knu84]", 60, 688), ("far away", 400, 688),
        ("[Abc99]", 60, 676),
    )  # fmt: skip
    assert with_keys(page, pieces) == pieces

"""Text from right to left comes out in reading order, whatever the order of the file."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rowen.pdf.leftward import mirrored, reading_indexes
from rowen.pdf.order import reading_order
from rowen.pdf.pieces import Piece

_WORDS = st.lists(st.sampled_from(["سلام", "שלום", "كتاب"]), min_size=1, max_size=5)


def _page(texts: list[str], xs: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Codes and places of lines: a text in the order of the file, and where its letters are."""
    codes = np.array([ord(letter) for text in texts for letter in text], np.uint32)
    places = np.zeros((len(codes), 7), np.float32)
    places[:, 4] = places[:, 0] = [x for line in xs for x in line]
    places[:, 2] = places[:, 0] + 5
    places[:, 5] = [700 - 20 * i for i, text in enumerate(texts) for _ in text]
    places[:, 6] = 10
    return codes, places


def _read(codes: np.ndarray, places: np.ndarray) -> str:
    order = reading_indexes(codes, places)
    return "".join(map(chr, codes if order is None else codes[order]))


@given(_WORDS)
def test_text_in_reading_order_stays(words: list[str]) -> None:
    text = " ".join(words)
    codes, places = _page([text], [[500.0 - 5 * i for i in range(len(text))]])
    assert reading_indexes(codes, places) is None


@given(_WORDS)
def test_text_in_the_order_of_the_page_is_reversed(words: list[str]) -> None:
    text = " ".join(words)
    codes, places = _page([text[::-1]], [[100.0 + 5 * i for i in range(len(text))]])
    assert _read(codes, places) == text


def test_numbers_and_latin_words_between_are_not_reversed() -> None:
    written = "عام 2004 مع Python 3.11 وغيرها"
    shown = "وغيرها"[::-1] + " Python 3.11 " + "مع"[::-1] + " 2004 " + "عام"[::-1]
    codes, places = _page([shown], [[100.0 + 5 * i for i in range(len(shown))]])
    assert _read(codes, places) == written


def test_lines_are_reversed_one_by_one() -> None:
    codes, places = _page(["باتك", "سلام"], [[1, 2, 3, 4], [9, 8, 7, 6]])
    assert _read(codes, places) == "كتابسلام"


def test_brackets_that_a_page_mirrors_are_turned() -> None:
    assert mirrored("]1[ أحمد )2004(") == "[1] أحمد (2004)"
    assert mirrored("[1] أحمد (2004)") == "[1] أحمد (2004)"


@given(st.lists(st.integers(0, 0x1FFFFF)), st.data())
def test_any_characters_keep_their_number(codes: list[int], data: st.DataObject) -> None:
    xs = [data.draw(st.floats(-100, 100)) for _ in codes]
    page = np.array(codes, np.uint32)
    places = np.zeros((len(codes), 7), np.float32)
    places[:, 4] = xs
    order = reading_indexes(page, places)
    assert order is None or sorted(order.tolist()) == list(range(len(codes)))


@given(
    st.lists(
        st.tuples(st.sampled_from(["سلام", "كتاب،", "1984", "(2004)", "مج"]), st.booleans()),
        min_size=2,
        max_size=6,
    )
)
def test_words_in_either_order_come_out_as_written(words: list[tuple[str, bool]]) -> None:
    # As a page shows a line: words from right to left, numbers to the right, brackets mirrored.
    codes: list[int] = []
    xs: list[float] = []
    edge = 500.0
    for word, backwards in words:
        shown = re.sub(r"\d+", lambda number: number.group()[::-1], word)
        letters = [(edge - 5 * i - 5, letter) for i, letter in enumerate(shown)]
        if backwards or word[0] in "1(":  # numbers never run to the left
            letters.reverse()
        codes += [ord(letter) for _, letter in [*letters, (0, " ")]]
        xs += [x for x, _ in letters] + [letters[-1][0]]
        edge -= 5 * len(word) + 5
    array, places = _page(["".join(map(chr, codes))], [xs])
    in_order = " ".join(word for word, _ in words)
    any_backwards = any(
        backwards and len(word) > 1 and word[0] not in "1(" for word, backwards in words
    )
    if any_backwards:
        assert _read(array, places).rstrip() == in_order


def test_a_line_of_numbers_goes_on_to_the_left_where_the_page_does() -> None:
    first, second = "باتك سلامسلام"[::-1], ".280-243"
    xs = [[100.0 + 5 * i for i in range(len(first))], [100.0 + 5 * i for i in range(len(second))]]
    codes, places = _page([first, second], xs)
    assert _read(codes, places).endswith("243-280.")


def test_the_right_column_comes_first_where_a_page_runs_to_the_left() -> None:
    rows = [(left, 700 - 12 * row) for row in range(6) for left in (50.0, 320.0)]
    pieces = [
        Piece(i, i + 1, left, y - 2, left + 230, y + 7, y, 10.0) for i, (left, y) in enumerate(rows)
    ]
    blocks = reading_order(pieces, 600.0, leftwards=True)
    assert [[piece.left for piece in block] for block in blocks] == [[320.0] * 6, [50.0] * 6]
    assert all(piece in pieces for block in blocks for piece in block)

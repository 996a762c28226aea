"""Text from right to left comes out in reading order, whatever the order of the file."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rowen.pdf.leftward import mirrored, reading_indexes

_WORDS = st.lists(st.sampled_from(["سلام", "שלום", "كتاب"]), min_size=1, max_size=5)


def _page(texts: list[str], xs: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Codes and places of lines: a text in the order of the file, and where its letters are."""
    codes = np.array([ord(letter) for text in texts for letter in text], np.uint32)
    places = np.zeros((len(codes), 7), np.float32)
    places[:, 4] = [x for line in xs for x in line]
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

"""Sentences: ends of real kinds, and what holds for every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.text.sentences import sentences_of


def divided(text, whole=()):
    return [text[start:end] for start, end in sentences_of(text, whole)]


CASES = [
    ("It works. It is fast! Is it? (Yes.) 12 of them.", 5),
    ("We follow Smith et al. (2004), i.e. the rules of Sec. 3, cf. Fig. 2 and Eq. (1).", 1),
    ("A. B. Lovelace wrote it. J. Smith read it.", 2),
    ("The U.S. Department agreed. It took 3.5 years, approx. 2 more than planned.", 2),
    ("He said “It works.” Then he left.", 2),
    ("as seen in e.g. Berlin, vgl. Abb. 3 und z.B. Wien.", 1),
    ("Das gilt. Österreich auch. États-Unis aussi.", 3),
    ("これは文です。もう一つです\uff01終わり", 3),
    ("Это предложение. Это другое.", 2),
    ("See p. 5. Then stop.", 2),
    ("It ends with an ellipsis… And goes on.", 2),
    ("", 0),
    ("   ", 0),
    ("no end", 1),
]


@pytest.mark.parametrize(("text", "count"), CASES)
def test_sentences_end_where_a_reader_sees_it(text, count):
    assert len(divided(text)) == count, divided(text)


def test_a_raised_number_after_the_stop_belongs_to_the_sentence_before_it():
    text = "It was shown.12 Others differ."
    assert divided(text, [(13, 15)]) == ["It was shown.12", "Others differ."]
    assert divided(text) == [text]


def test_no_marker_is_divided():
    text = "As said (Smith A. Jones B. 2004) before. So."
    assert divided(text, [(8, 32)]) == ["As said (Smith A. Jones B. 2004) before.", "So."]
    text = "See (Ho. Then it is. Lu 2004). So."
    assert divided(text, [(4, 29)]) == ["See (Ho. Then it is. Lu 2004).", "So."]


WORDS = st.lists(
    st.sampled_from(
        ["We", "see", "it.", "A.", "et", "al.", "3.", "[1]", "(x.)", "。", "Fig.", "\n", "“So.”",
         "é.", "I!", "?", "…", "z.B."]
    ), max_size=30,
)  # fmt: skip


@given(WORDS, st.sampled_from(["", " ", "  "]), st.lists(st.tuples(*[st.integers(0, 90)] * 2)))
def test_sentences_are_all_of_the_text_in_order_and_keep_spans_whole(words, between, whole):
    text = between.join(words)
    spans = sentences_of(text, whole)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()
    for first, last in whole:
        if first < last <= len(text):
            assert not any(first < end < last and text[end:last].strip() for _, end in spans)


@pytest.mark.parametrize("text", ["." * 200_000, "A. " * 60_000, "(" * 90_000 + ". A"])
def test_hostile_texts_take_no_time(text):
    sentences_of(text, [(n, n + 1) for n in range(0, 1000, 3)])

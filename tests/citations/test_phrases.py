"""Names of several words in the tokens of a string."""

from hypothesis import given
from hypothesis import strategies as st

from rowen.citations.phrases import phrases_in
from rowen.citations.tokens import tokens_of


def kinds(text):
    return phrases_in([token.text for token in tokens_of(text)])


def test_the_longest_name_counts():
    assert kinds("New York") == ["B place", "I place"]
    assert kinds("in Upper Saddle River, NJ") == [
        "", "B place", "I place", "I place", "", "B region",
    ]  # fmt: skip
    assert kinds("Oxford University Press") == ["B publisher", "I publisher", "I publisher"]


def test_signs_may_stand_between_the_words_of_a_name():
    assert kinds("Phys. Rev. Lett.") == [*["B journal"], *["I journal"] * 4, ""]
    assert kinds("North-Holland") == ["B publisher", "I publisher", "I publisher"]


def test_a_name_begins_with_a_capital():
    assert kinds("reading of nature") == ["", "", ""]


@given(st.lists(st.sampled_from(["New", "York", "Phys", ".", "Rev", ",", "of", "12"]), max_size=12))
def test_each_token_has_a_kind_or_none_and_names_begin_with_b(texts):
    found = phrases_in(texts)
    assert len(found) == len(texts)
    for before, kind in zip(["", *found], found, strict=False):
        if kind.startswith("I "):
            assert before[2:] == kind[2:]

"""Fingerprints: near texts have near fingerprints, and the kernel votes as the obvious way does."""

import hypothesis.strategies as st
import reference_shingles as reference
from hypothesis import given

from rowen.duplicates.simhash import simhash


@given(st.text("abcXYZ012 .<-\n\r", max_size=60))
def test_the_kernel_votes_as_the_reference_does(text):
    assert simhash(text) == reference.simhash(text)


def distance(one: str, other: str) -> int:
    return (simhash(one) ^ simhash(other)).bit_count()


def test_one_changed_word_of_many_changes_few_bits():
    text = " ".join(f"word{number}" for number in range(400))
    assert distance(text, text.replace("word200", "other")) <= 6
    assert distance(text, " ".join(f"term{number}" for number in range(400))) > 16


def test_case_and_punctuation_do_not_count_and_any_text_has_one():
    assert simhash("One, two; THREE") == simhash("one two three")
    for odd in (
        "",
        "\ud800",
        "日本語 テキスト です",
        "\0" * 100,
        "x" * 100_000,
        "a-" + "\n" * 100_000,
    ):
        assert 0 <= simhash(odd) < 1 << 64


def test_ligatures_hyphens_and_line_ends_after_them_do_not_count():
    plain = simhash("we find the information reused here")
    assert simhash("We ﬁnd the infor-\r\nmation re-used here") == plain
    assert simhash("We find the infor\ufffemation re\u00adused here") == plain
    assert simhash("We find the infor - mation reused here") != plain


def test_scripts_without_spaces_have_a_word_a_sign():
    assert simhash("日本語テキスト") == simhash("日 本 語 テ キ ス ト")

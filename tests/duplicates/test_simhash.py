"""Fingerprints: near texts have near fingerprints, and the kernel votes as the obvious way does."""

import re

import hypothesis.strategies as st
from hypothesis import given

from rowen.duplicates.simhash import simhash

MASK = (1 << 64) - 1


def mix(value: int) -> int:
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def word_hash(word: str) -> int:
    found = 0
    for character in word:
        found = mix(((found ^ ord(character)) + 0x9E3779B97F4A7C15) & MASK)
    return found


def slow_simhash(text: str) -> int:
    words = [word_hash(word) for word in re.findall(r"[a-z0-9]+", text.lower())]
    if len(words) < 3:
        runs = [(0, 0, 0, *words)[-3:]] if words else []
    else:
        runs = list(zip(words, words[1:], words[2:], strict=False))
    votes = [0] * 64
    for first, second, third in runs:
        feature = mix((third + mix((second + mix(first)) & MASK)) & MASK)
        for bit in range(64):
            votes[bit] += 1 if feature >> bit & 1 else -1
    return sum(1 << bit for bit in range(64) if votes[bit] > 0)


@given(st.text("abcXYZ012 .<\n", max_size=60))
def test_the_kernel_votes_as_the_reference_does(text):
    assert simhash(text) == slow_simhash(text)


def distance(one: str, other: str) -> int:
    return (simhash(one) ^ simhash(other)).bit_count()


def test_one_changed_word_of_many_changes_few_bits():
    text = " ".join(f"word{number}" for number in range(400))
    assert distance(text, text.replace("word200", "other")) <= 6
    assert distance(text, " ".join(f"term{number}" for number in range(400))) > 16


def test_case_and_punctuation_do_not_count_and_any_text_has_one():
    assert simhash("One, two; THREE") == simhash("one two three")
    for odd in ("", "\ud800", "日本語 テキスト です", "\0" * 100, "x" * 100_000):
        assert 0 <= simhash(odd) <= MASK

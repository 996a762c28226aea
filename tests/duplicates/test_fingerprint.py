"""Fingerprints with sketches: stored as bytes, and true to what the texts share."""

import random
from unicodedata import normalize

import hypothesis.strategies as st
import pytest
import reference_shingles as reference
from hypothesis import given

from rowen.duplicates.fingerprint import Fingerprint, similarity
from rowen.duplicates.normal_form import normal_form
from rowen.duplicates.simhash import simhash

TEXTS = st.text("abcXY01 .-\n", max_size=80)
KEYS = st.integers(0, (1 << 64) - 1)


@given(TEXTS, KEYS)
def test_the_kernel_sketches_as_the_reference_does(text, key):
    found = Fingerprint.of(text, key=key)
    assert found.sketch == reference.sketch(text, key)
    assert found.simhash == simhash(text) == reference.simhash(text)


COMPOSING = st.text(
    "ae\u0301\u0323\u00e9\u212b\ufb01\uff21\u1100\u1161\u11a8\u00b4\n\r .", max_size=30
)


@given(COMPOSING | st.text(max_size=40))
def test_the_normal_form_of_lines_is_that_of_the_text(text):
    assert normal_form(text) == normalize("NFKC", text)


@given(TEXTS, TEXTS)
def test_the_exact_similarity_is_that_of_the_sets_of_runs(one, other):
    assert similarity(one, other) == reference.similarity(one, other)


@given(TEXTS, KEYS)
def test_a_fingerprint_survives_storage(text, key):
    found = Fingerprint.of(text, key=key)
    assert Fingerprint.from_bytes(found.to_bytes()) == found
    assert len(found.to_bytes()) == 40
    assert found.similarity(found) == 1
    assert found.distance(found) == 0


def test_bytes_of_another_length_are_no_fingerprint():
    with pytest.raises(ValueError, match="40 bytes"):
        Fingerprint.from_bytes(b"\0" * 39)


@given(st.integers(0, 2000), st.integers(1, 2000), st.integers(0, 1000))
def test_the_estimate_is_near_the_exact_similarity(shared, own, seed):
    drawn = random.Random(seed)
    words = [str(drawn.random()) for _ in range(shared + 2 * own)]
    one = " ".join(words[: shared + own])
    other = " ".join(words[:shared] + words[shared + own :])
    estimated = Fingerprint.of(one, key=seed).similarity(Fingerprint.of(other, key=seed))
    # Five times the standard deviation of an estimate by 256 bits where half of them agree.
    assert abs(estimated - similarity(one, other)) < 5 * 0.0625


def test_another_key_gives_another_sketch_and_the_same_simhash():
    text = " ".join(str(number) for number in range(500))
    one, other = Fingerprint.of(text, key=1), Fingerprint.of(text, key=2)
    assert one.simhash == other.simhash
    assert one.similarity(other) < 0.4

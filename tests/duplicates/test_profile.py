"""Profiles: what of two texts is the same, for those who know the key."""

import pytest

from rowen.duplicates.profile import PROFILE_BYTES, Profile

KEY = bytes(range(16))
TEXT = "On Trees\nAda Example\n" + " ".join(f"word{number}" for number in range(400))
LIST = "References\n[1] C. Third. Forests. 2001."


def profile(text=TEXT, *, front=TEXT, references=LIST, key=KEY):
    return Profile.of(text, front=front, references=references, key=key)


def test_a_profile_survives_being_stored():
    packed = profile().to_bytes()
    assert len(packed) == PROFILE_BYTES == 56
    assert Profile.from_bytes(packed) == profile()
    with pytest.raises(ValueError, match="56 bytes"):
        Profile.from_bytes(packed[1:])


def test_fronts_and_references_are_compared_as_they_read():
    same = profile(TEXT.upper(), front=TEXT.upper(), references=LIST.replace(" ", "\n"))
    assert profile().shares_header(same)
    assert profile().shares_references(same)
    other = profile(front=TEXT.replace("Ada", "Bob"), references=LIST.replace("2001", "2002"))
    assert not profile().shares_header(other)
    assert not profile().shares_references(other)


def test_a_front_that_is_not_known_is_shared_with_none():
    unknown = profile(front=None)
    assert not unknown.shares_header(unknown)
    assert unknown.fronted(TEXT, key=KEY) == profile()


def test_another_key_makes_another_profile():
    other = profile(key=bytes(16))
    assert other.fingerprint.similarity(profile().fingerprint) < 0.5
    assert not other.shares_header(profile())
    assert not other.shares_references(profile())

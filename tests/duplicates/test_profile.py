"""Profiles: what of two documents is the same, for those who know the key."""

import pytest

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import PROFILE_BYTES, Profile

TEXT = " ".join(f"word{number}" for number in range(400))
STAGES = (b"h" * 16, b"c" * 16, b"b" * 16)


def profile(text=TEXT, *, whole=b"w" * 16, stages=STAGES):
    return Profile(Fingerprint.of(text, key=7), whole, stages)


def test_a_profile_survives_being_stored():
    packed = profile().to_bytes()
    assert len(packed) == PROFILE_BYTES == 104
    assert Profile.from_bytes(packed) == profile()
    with pytest.raises(ValueError, match="104 bytes"):
        Profile.from_bytes(packed[1:])


def test_documents_are_equal_by_what_they_are_made_of_and_not_by_their_words():
    assert profile().equals(profile("other words"))
    assert not profile().equals(profile(whole=b"x" * 16))


def test_stages_are_shared_one_by_one_and_never_while_nothing_is_known_of_them():
    other = (b"h" * 16, b"x" * 16, b"b" * 16)
    assert [profile().shares_stage(other, number) for number in range(3)] == [True, False, True]
    unknown = Profile(Fingerprint.of(TEXT), b"w" * 16)
    assert not any(unknown.shares_stage(unknown.stages, number) for number in range(3))
    assert unknown.staged(STAGES).shares_stage(STAGES, 0)

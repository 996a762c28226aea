import dataclasses

import pytest

from rowen import Page


def test_text_alone_gets_its_digest_as_id():
    assert Page.of("a").id == Page("a").id
    assert Page("a").id != Page("b").id


def test_half_a_surrogate_pair_has_a_digest_too():
    assert len(Page("\ud800").id) == 32


def test_newlines_stay_as_they_are():
    assert Page("a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_bytes_are_not_a_page():
    with pytest.raises(TypeError, match="str"):
        Page(b"a")


def test_pages_can_not_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Page("a").text = "b"

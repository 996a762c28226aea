"""The universal hash of pages, against its definition in whole numbers."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rowen._core import universal_hash

KEY_BYTES = 1040
KEYS = st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).bytes(KEY_BYTES))
DATA = st.integers(0, 3000).flatmap(
    lambda size: st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).bytes(size))
)


def hashed(data, key):
    return universal_hash(np.frombuffer(data, np.uint8), key)


def reference(data, key):
    """NH of each block of 1,024 bytes, twice: with the key, and with the key moved by 16 bytes."""
    words = [int.from_bytes(key[at : at + 8], "little") for at in range(0, KEY_BYTES, 8)]
    hashes = b""
    for start in range(0, len(data), 1024):
        block = data[start : start + 1024].ljust(1024, b"\0")
        message = [int.from_bytes(block[at : at + 8], "little") for at in range(0, 1024, 8)]
        for moved in (0, 2):
            total = sum(
                ((message[i] + words[i + moved]) % 2**64)
                * ((message[i + 1] + words[i + 1 + moved]) % 2**64)
                for i in range(0, 128, 2)
            )
            hashes += (total % 2**128).to_bytes(16, "little")
    return hashes


@given(DATA, KEYS)
def test_the_kernel_hashes_as_the_definition_says(data, key):
    assert hashed(data, key) == reference(data, key)


@given(DATA.filter(bool), KEYS, st.data())
def test_one_changed_byte_changes_the_hash_of_its_block_alone(data, key, drawn):
    at = drawn.draw(st.integers(0, len(data) - 1))
    changed = bytearray(data)
    changed[at] ^= drawn.draw(st.integers(1, 255))
    before, after = hashed(data, key), hashed(bytes(changed), key)
    differing = {i // 32 for i in range(len(before)) if before[i] != after[i]}
    assert differing == {at // 1024}


@given(DATA.filter(bool), KEYS, KEYS)
def test_another_key_gives_other_hashes(data, key, another_key):
    assert (hashed(data, key) == hashed(data, another_key)) == (key == another_key)


@pytest.mark.parametrize("size", [0, 16, KEY_BYTES - 1, KEY_BYTES + 1])
def test_a_key_of_another_length_is_refused(size):
    with pytest.raises(ValueError, match="length"):
        hashed(b"data", bytes(size))

"""A fingerprint, and digests of the parts that must be the same in a text and its near-duplicate.

A revision may change anything by a little. What is answered from another text must not have changed
at all: for a header the text's front, for citations its list of references.
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Self

from rowen.duplicates.fingerprint import SIMHASH_BYTES, SKETCH_BYTES, Fingerprint
from rowen.duplicates.fronts import front_of
from rowen.duplicates.normal_form import normal_form

KEY_BYTES = 16
PART_BYTES = 8
"""Nobody without the key can try for a collision, and by chance none is met."""

_PARTS = 2 * PART_BYTES
PROFILE_BYTES = SIMHASH_BYTES + SKETCH_BYTES + _PARTS


@dataclass(frozen=True, slots=True)
class Profile:
    """What is kept of a text; comparable with those made with the same secret key."""

    fingerprint: Fingerprint
    front: bytes
    """Empty where it is not known (yet), and then the same as no other."""
    references: bytes

    @classmethod
    def of(cls, text: str, *, front: str | None, references: str, key: bytes) -> Self:
        """The profile of a text with that front and that list of references."""
        own = Fingerprint.of(text, key=int.from_bytes(key[:8], "little"))
        unspaced = "".join(normal_form(references).split())
        found = cls(own, b"", _digest(unspaced, b"references", key))
        return found if front is None else found.fronted(front, key=key)

    @classmethod
    def from_bytes(cls, packed: bytes) -> Self:
        """What `to_bytes` gave; ValueError where it is of another length."""
        if len(packed) not in (PROFILE_BYTES, PROFILE_BYTES - PART_BYTES):
            raise ValueError(f"a profile has {PROFILE_BYTES} bytes")
        own, parts = packed[:-_PARTS], packed[-_PARTS:]
        if len(packed) < PROFILE_BYTES:
            own, parts = packed[:-PART_BYTES], packed[-PART_BYTES:]
        return cls(Fingerprint.from_bytes(own), parts[:-PART_BYTES], parts[-PART_BYTES:])

    def to_bytes(self) -> bytes:
        """56 bytes to store, once the front is known; without it there are 48."""
        return self.fingerprint.to_bytes() + self.front + self.references

    def fronted(self, text: str, *, key: bytes) -> Self:
        """The same with the front of a text."""
        return replace(self, front=_digest(front_of(text), b"front", key))

    def shares_header(self, other: Self) -> bool:
        """Whether the fronts are the same."""
        return bool(self.front) and self.front == other.front

    def shares_references(self, other: Self) -> bool:
        """Whether the lists of references are the same."""
        return self.references == other.references


def _digest(text: str, part: bytes, key: bytes) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=PART_BYTES, key=key, person=part).digest()

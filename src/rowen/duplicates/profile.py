"""What is kept of a document to find it again: its fingerprint, and digests of exact inputs.

The fingerprint only says where to look. What is reused is decided by the digests: a document's
representations are those of another one where everything that they are made of is equal.
"""

from dataclasses import dataclass, replace
from typing import Self

from rowen.duplicates.fingerprint import SIMHASH_BYTES, SKETCH_BYTES, Fingerprint

KEY_BYTES = 16
INPUT_BYTES = 16
"""Nobody without the key can try for a collision, and by chance none is met."""

STAGES = 3
"""Representations that are made of different inputs, each with a digest of its own."""

_FINGERPRINT_BYTES = SIMHASH_BYTES + SKETCH_BYTES
PROFILE_BYTES = _FINGERPRINT_BYTES + INPUT_BYTES * (1 + STAGES)
_UNKNOWN = bytes(INPUT_BYTES)


@dataclass(frozen=True, slots=True)
class Profile:
    """What is kept of a document; comparable with those made with the same secret key."""

    fingerprint: Fingerprint
    whole: bytes
    """The digest of all that anything is made of."""
    stages: tuple[bytes, ...] = (_UNKNOWN,) * STAGES
    """The digests of what each of some stages is written from; zeros where it is not known yet."""

    @classmethod
    def from_bytes(cls, packed: bytes) -> Self:
        """What `to_bytes` gave; ValueError where it is of another length."""
        if len(packed) != PROFILE_BYTES:
            raise ValueError(f"a profile has {PROFILE_BYTES} bytes")
        inputs = [
            packed[at : at + INPUT_BYTES]
            for at in range(_FINGERPRINT_BYTES, PROFILE_BYTES, INPUT_BYTES)
        ]
        own = Fingerprint.from_bytes(packed[:_FINGERPRINT_BYTES])
        return cls(own, inputs[0], tuple(inputs[1:]))

    def to_bytes(self) -> bytes:
        """104 bytes to store."""
        return self.fingerprint.to_bytes() + self.whole + b"".join(self.stages)

    def staged(self, stages: tuple[bytes, ...]) -> Self:
        """The same with the digests of its stages."""
        return replace(self, stages=stages)

    def equals(self, other: Self) -> bool:
        """Whether everything is the same that anything is made of."""
        return self.whole == other.whole

    def shares_stage(self, stages: tuple[bytes, ...], number: int) -> bool:
        """Whether one stage, of those with these digests, is known to be written from the same."""
        return self.stages[number] == stages[number] != _UNKNOWN

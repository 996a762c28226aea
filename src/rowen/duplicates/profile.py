"""Profiles: what is stored of a document to reuse its results: a fingerprint and digests of inputs.

The fingerprint only says where to look. The digests decide what is reused: a result of one document
is valid for another one if everything that it was computed from is equal.
"""

from dataclasses import dataclass, replace
from typing import Self

from rowen.duplicates.fingerprint import SIMHASH_BYTES, SKETCH_BYTES, Fingerprint

KEY_BYTES = 16
INPUT_BYTES = 16
"""Digests are keyed: nobody without the key can search for a collision, and 128 bits rule out
collisions by chance."""

STAGES = 3
"""How many representations there are that have different inputs, each with a digest of its own."""

_FINGERPRINT_BYTES = SIMHASH_BYTES + SKETCH_BYTES
PROFILE_BYTES = _FINGERPRINT_BYTES + INPUT_BYTES * (1 + STAGES)
_UNKNOWN = bytes(INPUT_BYTES)


@dataclass(frozen=True, slots=True)
class Profile:
    """A document's fingerprint and digests; comparable with profiles made with the same key."""

    fingerprint: Fingerprint
    whole: bytes
    """The digest of all inputs."""
    stages: tuple[bytes, ...] = (_UNKNOWN,) * STAGES
    """The digests of the inputs of each stage; zeros for stages that have not run yet."""

    @classmethod
    def from_bytes(cls, packed: bytes) -> Self:
        """Read what `to_bytes` wrote; ValueError for another length."""
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
        """A copy with the digests of its stages."""
        return replace(self, stages=stages)

    def equals(self, profile: Self) -> bool:
        """Whether all inputs are equal."""
        return self.whole == profile.whole

    def shares_stage(self, stages: tuple[bytes, ...], number: int) -> bool:
        """Whether the inputs of a stage are known to be equal to those with these digests."""
        return self.stages[number] == stages[number] != _UNKNOWN

"""The questions of a worker about the document that it reads, and the replies: plain data.

A worker that a document has taken over learns nothing of other documents: parts and stages are
named by digests of exactly what they are made of. Only who has that content can ask for them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from rowen.duplicates.profile import INPUT_BYTES, PROFILE_BYTES, STAGES, Profile
from rowen.papers.parts import DIGEST_BYTES, joined, parted


@dataclass(frozen=True, slots=True)
class WhatIsIt:
    """Asks whether a document like the one with this profile is stored."""

    packed: bytes

    def __post_init__(self) -> None:
        if len(self.packed) != PROFILE_BYTES:
            raise ValueError("not a profile")

    @property
    def profile(self) -> Profile:
        """The unpacked profile."""
        return Profile.from_bytes(self.packed)


@dataclass(frozen=True, slots=True)
class WhichParts:
    """Asks which parts with these digests are stored."""

    together: bytes

    def __post_init__(self) -> None:
        if len(self.together) % DIGEST_BYTES:
            raise ValueError("not a list of digests")

    @classmethod
    def of(cls, digests: Iterable[bytes]) -> Self:
        """The question for these digests."""
        return cls(b"".join(digests))

    @property
    def digests(self) -> list[bytes]:
        """The digests as a list."""
        return _cut(self.together, DIGEST_BYTES)


@dataclass(frozen=True, slots=True)
class WhichStages:
    """Asks which stages are stored that were made from inputs with these digests."""

    together: bytes

    def __post_init__(self) -> None:
        if len(self.together) != STAGES * INPUT_BYTES:
            raise ValueError("not the digests of stages")

    @property
    def digests(self) -> tuple[bytes, ...]:
        """One digest per stage."""
        return tuple(_cut(self.together, INPUT_BYTES))


Question: TypeAlias = WhatIsIt | WhichParts | WhichStages


@dataclass(frozen=True, slots=True)
class Likeness:
    """Whether all parts equal those of a stored document, or some may, or none."""

    kind: Literal["equal", "like", "new"]


@dataclass(frozen=True, slots=True)
class KnownParts:
    """The stored parts."""

    together: bytes = b""

    @classmethod
    def of(cls, parts: Mapping[bytes, bytes]) -> Self:
        """The reply with these parts."""
        return cls(joined(parts))

    @property
    def parts(self) -> dict[bytes, bytes]:
        """The parts by digest."""
        return parted(self.together)


@dataclass(frozen=True, slots=True)
class KnownStages:
    """For each stage whether it is stored."""

    are_known: tuple[bool, bool, bool] = (False, False, False)


Told: TypeAlias = Likeness | KnownParts | KnownStages


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]

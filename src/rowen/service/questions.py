"""What a worker asks about the document that it reads, and what it is told: plain data both ways.

Nobody is told what they could not make themselves: parts and stages of other documents are named by
digests of exactly what they are made of, so that who asks has that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from rowen.duplicates.profile import INPUT_BYTES, PROFILE_BYTES, STAGES, Profile
from rowen.scholar.parts import DIGEST_BYTES, joined, parted


@dataclass(frozen=True, slots=True)
class WhatIsIt:
    """Asks whether there is a document like one with this profile."""

    packed: bytes

    def __post_init__(self) -> None:
        if len(self.packed) != PROFILE_BYTES:
            raise ValueError("this is no profile")

    @property
    def profile(self) -> Profile:
        """The profile itself."""
        return Profile.from_bytes(self.packed)


@dataclass(frozen=True, slots=True)
class WhichParts:
    """Asks which parts with these digests are known."""

    together: bytes

    def __post_init__(self) -> None:
        if len(self.together) % DIGEST_BYTES:
            raise ValueError("these are no digests")

    @classmethod
    def of(cls, digests: Iterable[bytes]) -> Self:
        """The question for these."""
        return cls(b"".join(digests))

    @property
    def digests(self) -> list[bytes]:
        """The digests one by one."""
        return _cut(self.together, DIGEST_BYTES)


@dataclass(frozen=True, slots=True)
class WhichStages:
    """Asks which stages were written before from inputs with these digests."""

    together: bytes

    def __post_init__(self) -> None:
        if len(self.together) != STAGES * INPUT_BYTES:
            raise ValueError("these are no digests of stages")

    @property
    def digests(self) -> tuple[bytes, ...]:
        """A digest for each stage."""
        return tuple(_cut(self.together, INPUT_BYTES))


Question: TypeAlias = WhatIsIt | WhichParts | WhichStages


@dataclass(frozen=True, slots=True)
class Likeness:
    """Whether all is equal to that of a document known, or some may be, or nothing."""

    kind: Literal["equal", "like", "new"]


@dataclass(frozen=True, slots=True)
class KnownParts:
    """The parts that are known."""

    together: bytes = b""

    @classmethod
    def of(cls, parts: Mapping[bytes, bytes]) -> Self:
        """The reply with these."""
        return cls(joined(parts))

    @property
    def parts(self) -> dict[bytes, bytes]:
        """The parts by their digests."""
        return parted(self.together)


@dataclass(frozen=True, slots=True)
class KnownStages:
    """Of each stage whether it is known."""

    are_known: tuple[bool, bool, bool] = (False, False, False)


Told: TypeAlias = Likeness | KnownParts | KnownStages


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]

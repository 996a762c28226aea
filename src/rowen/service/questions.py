"""What a worker asks about the document that it reads, and what it is told: plain data both ways.

A worker may have been taken over by its document, so a question is looked at as anything else that
comes from outside. And nobody is told what they could not make themselves: parts and stages of
other documents are named by digests of exactly what they are made of, so that who asks has that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowen.duplicates.profile import INPUT_BYTES, PROFILE_BYTES, STAGES, Profile
from rowen.scholar.parts import DIGEST_BYTES, joined, parted

Message: TypeAlias = Mapping[str, bytes]

Likeness: TypeAlias = Literal["equal", "like", "new"]
"""Whether all is equal to that of a document known, or some may be, or nothing."""

_PROFILE, _DIGESTS, _STAGES = "profile", "digests", "stages"
_LIKENESS, _PARTS, _KNOWN = "likeness", "parts", "known"


@dataclass(frozen=True, slots=True)
class WhatIsIt:
    """Asks whether there is a document like one with this profile."""

    profile: Profile

    def to_message(self) -> Message:
        """The question as it is sent."""
        return {_PROFILE: self.profile.to_bytes()}


@dataclass(frozen=True, slots=True)
class WhichParts:
    """Asks which parts with these digests are known."""

    digests: Sequence[bytes]

    def to_message(self) -> Message:
        """The question as it is sent."""
        return {_DIGESTS: b"".join(self.digests)}


@dataclass(frozen=True, slots=True)
class WhichStages:
    """Asks which stages were written before from inputs with these digests."""

    digests: tuple[bytes, ...]

    def to_message(self) -> Message:
        """The question as it is sent."""
        return {_STAGES: b"".join(self.digests)}


Question: TypeAlias = WhatIsIt | WhichParts | WhichStages


def question_of(message: object) -> Question | None:
    """What is asked; None where it is no question."""
    if not isinstance(message, Mapping) or len(message) != 1:
        return None
    [[kind, data]] = message.items()
    if not isinstance(data, bytes):
        return None
    if kind == _PROFILE and len(data) == PROFILE_BYTES:
        return WhatIsIt(Profile.from_bytes(data))
    if kind == _DIGESTS and len(data) % DIGEST_BYTES == 0:
        return WhichParts(_cut(data, DIGEST_BYTES))
    if kind == _STAGES and len(data) == STAGES * INPUT_BYTES:
        return WhichStages(tuple(_cut(data, INPUT_BYTES)))
    return None


def tell_likeness(likeness: Likeness) -> Message:
    """The reply to `WhatIsIt`."""
    return {_LIKENESS: likeness.encode()}


def likeness_in(reply: Message) -> Likeness:
    """What `tell_likeness` told."""
    told = reply.get(_LIKENESS)
    return "equal" if told == b"equal" else "like" if told == b"like" else "new"


def tell_parts(parts: Mapping[bytes, bytes]) -> Message:
    """The reply to `WhichParts`."""
    return {_PARTS: joined(parts)}


def parts_in(reply: Message) -> Mapping[bytes, bytes]:
    """What `tell_parts` told."""
    return parted(reply.get(_PARTS, b""))


def tell_stages(known: Sequence[bool]) -> Message:
    """The reply to `WhichStages`."""
    return {_KNOWN: bytes(known)}


def stages_in(reply: Message) -> list[bool]:
    """What `tell_stages` told; none where it is something else."""
    known = reply.get(_KNOWN, b"")
    return [bool(one) for one in known] if len(known) == STAGES else [False] * STAGES


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]

"""What a pool's processes do, and what the messages about it may hold."""

import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

from rowen.limits import CPU_GRACE_SECONDS, MESSAGE_HEAD_BYTES, MESSAGES, REPLY_BYTES
from rowen.workers.confinement import Confinement, limit
from rowen.workers.failures import Broken, Failed
from rowen.workers.frames import Bounds, Channel, Frame, packed
from rowen.workers.schema import Blobs, ProtocolError, schema_of

Given = TypeVar("Given")
Made = TypeVar("Made")

Allow: TypeAlias = Callable[[float], None]
"""Tells for how many seconds from its start the work may go on, once that is known better."""

Reply: TypeAlias = Callable[[Any], Any]
"""What the one who waits for the work says to a question of it."""


_BOUNDS = Bounds(MESSAGE_HEAD_BYTES, REPLY_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[Given, Made]):
    """A function of a module, and the types of all that is said about it.

    It is kept in a variable of the module that has the function, and found there by new processes.
    """

    do: "Callable[[Given, Asker], Any]"
    given: Any
    made: Any
    question: Any = None
    reply: Any = None
    longest: float = 0.0
    """How many seconds the work may allow itself at most, if more than it has anyway."""
    messages: int = MESSAGES
    """How often the work may ask or allow itself something, for one thing that it is given."""
    bounds: Bounds = _BOUNDS
    """How large what the work sends may be."""
    warm: Callable[[], None] | None = None
    """Loads and uses all that the work may need: afterwards there are no files for it."""
    receive: Callable[[Any, Any], Made] | None = None
    """What is made, by what was given and what came of the type; ValueError where that can't be."""
    load_plugins: Callable[[], None] | None = None
    """Loads what else was installed, in a process that is asked to do so."""

    @property
    def place(self) -> tuple[str, str]:
        """The module and the name that it is found by."""
        module = self.do.__module__
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return module, name
        raise TypeError(f"work must be a variable of {module}, where its function is")

    @property
    def to_worker(self) -> "Messages":
        """What is said to a process."""
        return Messages({"task": self.given, "reply": self.reply})

    @property
    def from_worker(self) -> "Messages":
        """What a process says."""
        return Messages(
            {
                "ready": Confinement,
                "more": float,
                "question": self.question,
                "done": self.made,
                "failed": Failed | Broken,
                "full": None,
            }
        )


class Messages:
    """Messages by their names, each with the type of its value."""

    def __init__(self, kinds: dict[str, Any]) -> None:
        self._schemas = MappingProxyType({name: schema_of(kind) for name, kind in kinds.items()})

    def pack(self, name: str, value: object = None) -> list[bytes]:
        """A message as the pieces of a frame."""
        blobs: list[bytes] = []
        data = self._schemas[name].encode(value, blobs)
        return packed(Frame(name, data, tuple(blobs)))

    def value(self, frame: Frame) -> Any:
        """What a message says; ProtocolError where there is no such message."""
        schema = self._schemas.get(frame.name)
        if schema is None:
            raise ProtocolError("there is no message of this name")
        blobs = Blobs(frame.blobs)
        value = schema.decode(frame.data, blobs)
        blobs.finish()
        return value


class Asker:
    """What the work is given to talk with the one who waits for it; itself it is an `Allow`."""

    def __init__(self, work: Work[Any, Any], channel: Channel, descriptor: int | None) -> None:
        self._channel = channel
        self._said = work.from_worker
        self._heard = work.to_worker
        self._descriptor = descriptor

    def __call__(self, seconds: float) -> None:
        """Allow so many seconds from the start."""
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        limit(resource.RLIMIT_CPU, int(used + seconds) + CPU_GRACE_SECONDS)
        self._channel.send(self._said.pack("more", float(seconds)))

    def ask(self, question: object) -> Any:
        """What the other side replies; the time until then counts."""
        self._channel.send(self._said.pack("question", question))
        frame = self._channel.receive()
        if frame.name != "reply":
            raise ProtocolError("a reply was expected")
        return self._heard.value(frame)

    def document(self) -> bytes:
        """The one document that the work is about."""
        if self._descriptor is None:
            raise ValueError("the work was given no document")
        size = os.lseek(self._descriptor, 0, os.SEEK_END)
        parts: list[bytes] = []
        place = 0
        while place < size and (part := os.pread(self._descriptor, size - place, place)):
            parts.append(part)
            place += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

"""The work of a pool's processes, and the types of its messages."""

import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar

from rowen.workers.confinement import Confinement, limit
from rowen.workers.failures import Broken, Failed
from rowen.workers.frames import Bounds, Channel, Frame, packed
from rowen.workers.schema import Blobs, ProtocolError, schema_of

WORKER_DEATHS = 2
"""Limit: how often workers may die on one page before it counts as failed, or on one partition
before the run gives up."""

CPU_GRACE_SECONDS = 5
"""Limit: processor seconds of a worker beyond its allowed time. Then the kernel ends it, even if
its parent can't."""

MESSAGE_HEAD_BYTES = 1024 * 1024
"""Limit: the size of the structure of a worker's message, without byte strings. As Python objects
it takes about twenty times as much; it names a dozen forms of a document."""

REPLY_BYTES = 256 * 1024 * 1024
"""Limit: the size of all byte strings of a worker's message, that of the largest document."""

MESSAGES = 100
"""Limit: how many messages a worker may send about one document. A paper takes five."""


TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")

Allow: TypeAlias = Callable[[float], None]
"""Sets the number of seconds that the work may take from its start, once that is known."""

Reply: TypeAlias = Callable[[Any], Any]
"""The parent's reply to a question of the work."""


_BOUNDS = Bounds(MESSAGE_HEAD_BYTES, REPLY_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Generic[TaskT, ResultT]):
    """A function of a module, and the types of its messages.

    It must be a variable of the module that has the function: new processes find it there.
    """

    do: "Callable[[TaskT, Asker], Any]"
    task: Any
    """The type of a task, ..."""
    result: Any
    """... of its result as the worker sends it, ..."""
    question: Any = None
    """... of what the worker may ask meanwhile, ..."""
    reply: Any = None
    """... and of the replies."""
    longest: float = 0.0
    """How many seconds the work may allow itself at most."""
    messages: int = MESSAGES
    """How many messages the work may send about one task."""
    bounds: Bounds = _BOUNDS
    """The largest sizes of its messages."""
    warm: Callable[[], None] | None = None
    """Loads all that the work may need, because afterwards it can't open files."""
    receive: Callable[[Any, Any], ResultT] | None = None
    """Checks a result against its task; ValueError where it does not fit."""
    load_plugins: Callable[[], None] | None = None
    """Loads installed plugins, in processes that need them."""

    @property
    def place(self) -> tuple[str, str]:
        """The module and the name of its variable."""
        module = self.do.__module__
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return module, name
        raise TypeError(f"work must be a variable of {module}, where its function is")

    @property
    def to_worker(self) -> "Messages":
        """The messages to a process."""
        return Messages({"task": self.task, "reply": self.reply})

    @property
    def from_worker(self) -> "Messages":
        """The messages of a process."""
        return Messages(
            {
                "ready": Confinement,
                "more": float,
                "question": self.question,
                "done": self.result,
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
        """The value of a message; ProtocolError where it is invalid."""
        schema = self._schemas.get(frame.name)
        if schema is None:
            raise ProtocolError("unknown message")
        blobs = Blobs(frame.blobs)
        value = schema.decode(frame.data, blobs)
        blobs.finish()
        return value


class Asker:
    """The worker's side of the conversation with its parent; it is itself an `Allow`."""

    def __init__(self, work: Work[Any, Any], channel: Channel, descriptor: int | None) -> None:
        self._channel = channel
        self._said = work.from_worker
        self._heard = work.to_worker
        self._descriptor = descriptor

    def __call__(self, seconds: float) -> None:
        """Allow `seconds` from the start."""
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        # The kernel counts processor time since the start of the process, with earlier tasks.
        limit(resource.RLIMIT_CPU, int(used + seconds) + CPU_GRACE_SECONDS)
        self._channel.send(self._said.pack("more", float(seconds)))

    def ask(self, question: object) -> Any:
        """Ask the parent; the time until the reply counts."""
        self._channel.send(self._said.pack("question", question))
        frame = self._channel.receive()
        if frame.name != "reply":
            raise ProtocolError("a reply was expected")
        return self._heard.value(frame)

    def document(self) -> bytes:
        """The document of the task."""
        if self._descriptor is None:
            raise ValueError("the task has no document")
        size = os.lseek(self._descriptor, 0, os.SEEK_END)
        parts: list[bytes] = []
        place = 0
        while place < size and (part := os.pread(self._descriptor, size - place, place)):
            parts.append(part)
            place += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

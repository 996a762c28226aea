"""A worker as its parent sees it: a process whose messages are all checked."""

import os
import signal
import socket
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from rowen.workers.confinement import Confinement
from rowen.workers.failures import Broken, Failed
from rowen.workers.frames import Channel, GoneError, LateError
from rowen.workers.schema import ProtocolError
from rowen.workers.template import PROCESS_START_SECONDS, Template, TemplateError
from rowen.workers.work import Reply, Work


class Done(NamedTuple):
    """The result of the work."""

    value: Any


class Full(NamedTuple):
    """The worker ran out of memory."""


class Dead(NamedTuple):
    """The process has ended."""


class Late(NamedTuple):
    """The work took too long."""

    seconds: float


class Strange(NamedTuple):
    """The process sent an invalid message: a document may have taken it over."""

    reason: str


Answer: TypeAlias = Done | Failed | Broken | Full | Dead | Late | Strange


class Process:
    """A worker, and the socket to it."""

    def __init__(self, template: Template, work: Work[Any, Any], *, plugins: bool) -> None:
        ours, theirs = socket.socketpair()
        self._template = template
        self._work = work
        self._said, self._heard = work.from_worker, work.to_worker
        self._channel = Channel(ours, work.bounds)
        self.used = False
        self.confinement: Confinement | None = None
        """How the process is confined; None before it has started."""
        try:
            with theirs:
                self.pid = template.copy(theirs, plugins=plugins)
        except BaseException:
            ours.close()
            raise
        self._handle = _handle(self.pid)

    def ask(
        self,
        task: object,
        seconds: float,
        reply: Reply | None,
        *,
        descriptor: int | None = None,
        spent: float = 0.0,
    ) -> Answer:
        """Have the process do a task; the time until it has started does not count.

        Raises TemplateError where it does not start.
        """
        self.used = True
        talk = _Talk(seconds, max(seconds, self._work.longest))
        try:
            if self.confinement is None:
                self._begin()
            # A worker that was taken over may leave a message for the next task, to forge its
            # answer.
            elif not self._channel.is_quiet:
                return Strange("it sent a message before its task")
            # From here on: loading modules in a new process is not the document's fault.
            talk.start = monotonic() - spent
            frame = self._heard.pack("task", task)
            self._channel.send(frame, until=talk.end, descriptor=descriptor)
            return self._received(task, self._listen(talk, reply))
        except LateError:
            return Late(talk.seconds)
        except ProtocolError as error:
            return Strange(str(error))
        except GoneError:
            return Dead()

    def kill(self) -> None:
        """Kill the process; a signal handler may do so."""
        with suppress(OSError):  # it has ended already
            if self._handle is None:
                os.kill(self.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process and close its descriptors."""
        self._template.reap(self.pid)
        if self._handle is not None:
            os.close(self._handle)
        self._channel.close()

    def _begin(self) -> None:
        try:
            frame = self._channel.receive(monotonic() + PROCESS_START_SECONDS)
        except LateError:  # it has not seen the document, which is not to blame
            raise TemplateError("a worker did not start in time") from None
        if frame.name != "ready":
            raise ProtocolError("it did not start properly")
        self.confinement = self._said.value(frame)

    def _received(self, task: object, answer: Answer) -> Answer:
        """The answer, where it fits the task; ProtocolError where not."""
        if not isinstance(answer, Done) or self._work.receive is None:
            return answer
        try:
            return Done(self._work.receive(task, answer.value))
        except ValueError as error:
            raise ProtocolError("the result does not fit the task") from error

    def _listen(self, talk: "_Talk", reply: Reply | None) -> Answer:
        """Receive messages until one is the answer, within the limits of number and time."""
        for _ in range(self._work.messages):
            frame = self._channel.receive(talk.end)
            value = self._said.value(frame)
            match frame.name:
                case "more":
                    talk.allow(value)
                case "question":
                    said = self._heard.pack("reply", None if reply is None else reply(value))
                    self._channel.send(said, until=talk.end)
                case "done":
                    return Done(value)
                case "failed":
                    failure: Failed | Broken = value
                    return failure
                case "full":
                    return Full()
                # "ready" comes once, at the start. Again, or anything else, is not part of a task.
                case _:
                    break
        raise ProtocolError("it sent too many messages")


class _Talk:
    """The deadline of a task."""

    def __init__(self, seconds: float, longest: float) -> None:
        self.seconds = seconds
        self._longest = longest
        self.start = monotonic()

    def allow(self, seconds: float) -> None:
        """Set the number of seconds, counted from the start."""
        if not 0 < seconds <= self._longest:
            raise ProtocolError(f"it allowed itself {seconds:g} seconds")
        self.seconds = seconds

    @property
    def end(self) -> float:
        """The deadline."""
        return self.start + self.seconds


def _handle(pid: int) -> int | None:
    """A pidfd, which never means another process, as a reused id would; None without support."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None

"""A worker as its parent sees it: a process whose every word is checked."""

import os
import signal
import socket
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from rowen.limits import PROCESS_START_SECONDS
from rowen.workers.confinement import Confinement
from rowen.workers.failures import Broken, Failed
from rowen.workers.frames import Channel, GoneError, LateError
from rowen.workers.schema import ProtocolError
from rowen.workers.template import Template
from rowen.workers.work import Reply, Work


class Done(NamedTuple):
    """What the work came to."""

    value: Any


class Full(NamedTuple):
    """There was no more memory."""


class Dead(NamedTuple):
    """The process is gone."""


class Late(NamedTuple):
    """The time is over."""

    seconds: float


class Strange(NamedTuple):
    """The process said something that it can't have been told to say."""

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
        """What is in force for it, once it has started."""
        try:
            with theirs:
                self.pid = template.copy(theirs, plugins=plugins)
        except BaseException:
            ours.close()
            raise
        self._handle = _handle(self.pid)

    def ask(
        self,
        given: object,
        seconds: float,
        reply: Reply | None,
        *,
        descriptor: int | None = None,
        spent: float = 0.0,
    ) -> Answer:
        """What the process makes of it; the time until it has started does not count."""
        self.used = True
        talk = _Talk(seconds, max(seconds, self._work.longest))
        try:
            if self.confinement is None:
                self._begin()
            elif not self._channel.is_quiet:
                return Strange("it spoke before it was asked")
            talk.start = monotonic() - spent
            task = self._heard.pack("task", given)
            self._channel.send(task, until=talk.end, descriptor=descriptor)
            return self._received(given, self._listen(talk, reply))
        except LateError:
            return Late(talk.seconds)
        except ProtocolError as error:
            return Strange(str(error))
        except GoneError:
            return Dead()

    def kill(self) -> None:
        """End it now; a handler of signals may do so."""
        with suppress(OSError):  # it is gone already
            if self._handle is None:
                os.kill(self.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def end(self) -> None:
        """Leave nothing of it."""
        self._template.reap(self.pid)
        if self._handle is not None:
            os.close(self._handle)
        self._channel.close()

    def _begin(self) -> None:
        frame = self._channel.receive(monotonic() + PROCESS_START_SECONDS)
        if frame.name != "ready":
            raise ProtocolError("it did not begin")
        self.confinement = self._said.value(frame)

    def _received(self, given: object, answer: Answer) -> Answer:
        """The answer, where it answers what was asked."""
        if not isinstance(answer, Done) or self._work.receive is None:
            return answer
        try:
            return Done(self._work.receive(given, answer.value))
        except ValueError as error:
            raise ProtocolError("this is no answer to what was asked") from error

    def _listen(self, talk: "_Talk", reply: Reply | None) -> Answer:
        """Hear messages until one is the answer; so many are allowed, and so much time."""
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
                case _:
                    break
        raise ProtocolError("it said too much before its answer")


class _Talk:
    """How long one may take."""

    def __init__(self, seconds: float, longest: float) -> None:
        self.seconds = seconds
        self._longest = longest
        self.start = monotonic()

    def allow(self, seconds: float) -> None:
        """Another number of seconds, from the start."""
        if not 0 < seconds <= self._longest:
            raise ProtocolError(f"it allowed itself {seconds:g} seconds")
        self.seconds = seconds

    @property
    def end(self) -> float:
        """When the time is over."""
        return self.start + self.seconds


def _handle(pid: int) -> int | None:
    """What names this process even after its id is another's; None where there is no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None

"""Work on files from anywhere, in processes of its own with limits on their time and memory.

A file may crash, hang or fill the process that reads it. Here that costs this file an error and the
process a successor; the process that asked, and other files, don't notice. One that takes the
process over can neither write nor reach the network.
"""

import os
import resource
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import LifoQueue
from threading import Thread
from time import monotonic
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeAlias, TypeVar

from rowen.documents.confinement import confine, limit
from rowen.limits import PROCESS_START_SECONDS, SANDBOX_AHEAD
from rowen.model.errors import LimitError, RowenError

Given = TypeVar("Given")
Made = TypeVar("Made")

Allow: TypeAlias = Callable[[float], None]
"""Tells for how many seconds from its start the work may go on, once that is known better."""

Reply: TypeAlias = Callable[[Any], Any]
"""What the one who waits for the work says to a question of it."""

_CPU_GRACE = 5
"""Seconds of CPU beyond the time allowed: then even a process without a parent ends."""


class Stopped(Exception):  # noqa: N818  # it is no error
    """The sandbox was stopped before this was done."""


class _Ready(NamedTuple):
    """The process has started, and the system has or has not taken writing and network from it."""

    confined: bool


class _More(NamedTuple):
    """The work may take so long in all."""

    seconds: float


class _Question(NamedTuple):
    """The work can't go on without knowing something."""

    value: Any


class _Done(NamedTuple):
    """What the work came to."""

    value: Any


class _Failed(NamedTuple):
    """What the work raised."""

    error: Exception


class _Full(NamedTuple):
    """There was no more memory."""


class _Dead(NamedTuple):
    """The process is gone."""


class _Late(NamedTuple):
    """The time is over."""

    seconds: float


class Asker:
    """What the work is given to talk with the one who waits for it; itself it is an `Allow`."""

    def __init__(self, pipe: "Connection[Any, Any]") -> None:
        self._pipe = pipe

    def __call__(self, seconds: float) -> None:
        """Allow so many seconds from the start."""
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        limit(resource.RLIMIT_CPU, int(used + seconds) + _CPU_GRACE)
        self._pipe.send(_More(seconds))

    def ask(self, question: object) -> Any:
        """What the other side replies; the time until then counts."""
        self._pipe.send(_Question(question))
        return self._pipe.recv()


class Sandbox(Generic[Given, Made]):
    """Processes that call one function, each with one thing after the other.

    The function is found by its name in a module; what it is given and what it gives are pickled.
    `call` may be used from many threads.
    """

    def __init__(
        self,
        work: Callable[[Given, Asker], Made],
        *,
        processes: int,
        seconds: float,
        memory: int,
    ) -> None:
        self._work = work
        self._size = processes
        self._seconds = seconds
        self._memory = memory
        self._stopped = False
        self.confined: bool | None = None
        """Whether the system keeps processes from writing and the network, once one has started."""
        self._workers: set[_Worker] = set()
        self._slots: LifoQueue[_Worker | None] = LifoQueue()
        for _ in range(processes):
            self._slots.put(None)

    def call(self, given: Given, *, name: str, reply: Reply | None = None) -> Made:
        """What the work makes of something; LimitError where it needs too much or crashes.

        `reply` is called, in this thread, with each question that the work asks.

        Where a process that has worked before has crashed or has no more memory, that may be due
        to what it did then: a new one tries again.
        """
        worker = self._slots.get()
        try:
            if worker is None:
                worker = self._start()
            used, start = worker.used, monotonic()
            answer = worker.ask(given, self._seconds, reply)
            if used and isinstance(answer, (_Dead, _Full)) and not self._stopped:
                spent = monotonic() - start
                self._end(worker)
                worker = self._start()
                answer = worker.ask(given, self._seconds, reply, spent=spent)
        except BaseException:
            if worker is not None:
                self._end(worker)
            self._slots.put(None)
            raise
        if worker.confined is not None:
            self.confined = worker.confined
        if isinstance(answer, (_Dead, _Full, _Late)):
            self._end(worker)
            worker = None
        self._slots.put(worker)
        return self._made(answer, name)

    def _made(self, answer: "_Answer", name: str) -> Made:
        match answer:
            case _Done(value):
                made: Made = value
                return made
            case _Failed(error):
                raise error
            case _Late(seconds):
                raise LimitError(name, f"reading it took longer than {seconds:,.0f} seconds")
            case _Full():
                raise LimitError(name, f"reading it takes more than {_shown(self._memory)}")
            case _Dead() if self._stopped:
                raise Stopped
            case _Dead():
                raise LimitError(
                    name,
                    "reading it brought the process down: it is broken, or takes more than "
                    f"{_shown(self._memory)}",
                )

    def each(
        self, items: Iterable[tuple[str, Given]]
    ) -> Iterator[tuple[str, Made | RowenError | RuntimeError]]:
        """Each named thing's result, or error, in order; stopped, it gives what was finished."""
        waiting: deque[tuple[str, Future[Made]]] = deque()
        rest = iter(items)
        with ThreadPoolExecutor(self._size) as threads:
            try:
                while True:
                    while not self._stopped and len(waiting) < SANDBOX_AHEAD * self._size:
                        if (item := next(rest, None)) is None:
                            break
                        name, given = item
                        waiting.append((name, threads.submit(self.call, given, name=name)))
                    if not waiting:
                        return
                    name, future = waiting.popleft()
                    try:
                        yield name, future.result()
                    except (RowenError, RuntimeError) as error:
                        yield name, error
                    except Stopped:
                        pass
            finally:
                if waiting:
                    self.stop()
                    for _, future in waiting:
                        future.cancel()

    def stop(self) -> None:
        """End all work now; a handler of signals may do so."""
        self._stopped = True
        for worker in tuple(self._workers):
            worker.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        for worker in tuple(self._workers):
            self._end(worker)

    def _start(self) -> "_Worker":
        worker = _Worker(self._work, self._memory)
        self._workers.add(worker)
        if self._stopped:
            self._end(worker)
            raise Stopped
        return worker

    def _end(self, worker: "_Worker") -> None:
        self._workers.discard(worker)
        worker.end()


_Answer: TypeAlias = _Done | _Failed | _Full | _Dead | _Late


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, work: Callable[[Any, Asker], Any], memory: int) -> None:
        self.pipe, theirs = Pipe()
        where = f"{theirs.fileno()}, {work.__module__!r}, {work.__qualname__!r}, {memory}"
        path = f"import sys; sys.path[:] = {sys.path!r}"
        code = f"{path}; import {__name__} as here; here.serve({where})"
        with theirs:
            # A session of its own: Ctrl-C at a terminal is for the one who asked.
            self.process = subprocess.Popen(  # noqa: S603  # this very interpreter
                [sys.executable, "-c", code],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.started = False
        self.used = False
        self.confined: bool | None = None

    def ask(
        self, given: object, seconds: float, reply: Reply | None, *, spent: float = 0.0
    ) -> _Answer:
        """What the process makes of it; the time until it has started does not count."""
        self.used, limit = True, seconds
        try:
            if not self.started:
                if not self.pipe.poll(PROCESS_START_SECONDS):
                    return _Late(PROCESS_START_SECONDS)
                ready: _Ready = self.pipe.recv()
                self.started, self.confined = True, ready.confined
            start = monotonic() - spent
            self.pipe.send(given)
            while self.pipe.poll(max(0.0, start + limit - monotonic())):
                match self.pipe.recv():
                    case _More(limit):
                        pass
                    case _Question(value):
                        self.pipe.send(None if reply is None else reply(value))
                    case answer:
                        made: _Answer = answer
                        return made
        except (EOFError, OSError):
            return _Dead()
        return _Late(limit)

    def end(self) -> None:
        """Leave nothing of it."""
        self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.pipe.close()


def serve(end: int, module: str, name: str, memory: int) -> None:
    """A process' life: things in, results out, until the one who asks is gone."""
    pipe: Connection[Any, Any] = Connection(end)
    Thread(target=_end_with_parent, daemon=True).start()
    work = getattr(import_module(module), name)
    _limit_memory(memory)
    pipe.send(_Ready(confine()))
    with suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(work, pipe.recv(), pipe))


def _answer(
    work: Callable[[Any, Asker], Any], given: object, pipe: "Connection[Any, Any]"
) -> _Answer:
    try:
        return _Done(work(given, Asker(pipe)))
    except MemoryError:
        return _Full()
    except RowenError as error:
        return _Failed(error)
    except Exception as error:  # noqa: BLE001  # it is raised again where it is seen
        shown = f"{type(error).__name__}: {error}"
        bug = RuntimeError(shown)
        bug.add_note(traceback.format_exc())
        return _Failed(bug)


def _end_with_parent() -> None:
    """Nothing ever comes this way but the end."""
    sys.stdin.buffer.read()
    os._exit(1)


def _limit_memory(most: int) -> None:
    """Let the process grow until `most` is in use; what is only reserved by now does not count."""
    if sys.platform == "linux":
        pages = [int(number) for number in Path("/proc/self/statm").read_text("ascii").split()]
        reserved, used = (count * resource.getpagesize() for count in pages[:2])
        limit(resource.RLIMIT_AS, reserved + max(0, most - used))


def _shown(memory: int) -> str:
    return f"{memory / 2**20:,.0f} MB of memory"

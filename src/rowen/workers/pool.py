"""A pool of workers; each does one task after another, all of one tenant.

A document may crash or hang the process that reads it, or fill its memory. Then this document gets
an error, and a new process replaces the old one; the parent and other documents don't notice. A
document that takes over its process sees only itself, and all that the process sends is checked.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import reduce
from operator import and_
from threading import Lock, Semaphore
from time import monotonic
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from rowen.model.errors import LimitError, RowenError
from rowen.workers.confinement import Confinement
from rowen.workers.documents import File, opened
from rowen.workers.failures import Broken, Failed, error_of
from rowen.workers.process import Answer, Dead, Done, Full, Late, Process, Strange
from rowen.workers.template import Template, TemplateError
from rowen.workers.work import Reply, Work

SANDBOX_AHEAD = 4
"""Limit: how many documents per process are read ahead."""


TaskT = TypeVar("TaskT")
ResultT = TypeVar("ResultT")


class Stopped(Exception):  # noqa: N818  # it is no error
    """The pool or the call was stopped before the task was finished."""


class Handle:
    """Lets another thread stop a call."""

    def __init__(self) -> None:
        self.is_stopped = False
        self._lock = Lock()
        self._process: Process | None = None

    def stop(self) -> None:
        """Kill the process that works for the call, now or as soon as there is one."""
        with self._lock:
            self.is_stopped = True
            if self._process is not None:
                self._process.kill()

    def hold(self, process: Process | None) -> None:
        """Set the process that works for the call; None when it is done."""
        with self._lock:
            self._process = process
            if process is not None and self.is_stopped:
                process.kill()


class _Key(NamedTuple):
    """Who may use a process; it never changes."""

    tenant: str
    plugins: bool


class Pool(Generic[TaskT, ResultT]):
    """Processes that do one kind of work; `call` may be used from many threads."""

    def __init__(
        self, work: Work[TaskT, ResultT], *, processes: int, seconds: float, memory: int
    ) -> None:
        self._work: Work[Any, Any] = work
        self._size = processes
        self._seconds = seconds
        self._memory = memory
        self._stopped = False
        self._free = Semaphore(processes)
        self._lock = Lock()  # for what follows
        self._busy = 0
        self._idle: list[tuple[_Key, Process]] = []  # the one that was used last is last
        self._all: set[Process] = set()
        self._template: Template | None = None
        self._last: Confinement | None = None
        # One start at a time: threads that need a worker at once must not start several templates.
        self._starting = Lock()

    @property
    def confinement(self) -> Confinement | None:
        """How all processes are confined, at least; None before one has started."""
        reported = [process.confinement for process in tuple(self._all)]
        confinements = [confinement for confinement in reported if confinement is not None]
        return reduce(and_, confinements) if confinements else self._last

    def call(
        self,
        task: TaskT,
        *,
        name: str,
        file: File | None = None,
        reply: Reply | None = None,
        tenant: str = "",
        plugins: bool = False,
        handle: Handle | None = None,
    ) -> ResultT:
        """Do a task; LimitError where it exceeds a limit or crashes.

        `file` is the document that the process may read. `reply` is called, in this thread, with
        each question of the work. A process never works for two tenants. Where `handle` stops the
        call, it raises `Stopped`.

        Where a used process crashes or runs out of memory, its earlier tasks may be the reason:
        so a new process tries again.
        """
        key = _Key(tenant, plugins)
        handle = handle or Handle()
        with opened(file, name=name) as descriptor, self._free:
            # The descriptor is opened before a place is taken: a missing file must not cost a
            # process.
            process = self._take(key)
            try:
                used, start = process.used, monotonic()
                handle.hold(process)
                answer = process.ask(task, self._seconds, reply, descriptor=descriptor)
                # The time of the first attempt counts: a hostile document gets no more than its
                # share.
                may_retry = not (self._stopped or handle.is_stopped)
                if used and isinstance(answer, (Dead, Full)) and may_retry:
                    spent = monotonic() - start
                    handle.hold(None)
                    self._end(process)
                    process = self._start(key)
                    handle.hold(process)
                    answer = process.ask(
                        task, self._seconds, reply, descriptor=descriptor, spent=spent
                    )
            except BaseException:
                handle.hold(None)
                self._give_back(key, process, usable=False)
                raise
            handle.hold(None)  # before others may use the process
            self._last = process.confinement or self._last
            # A process that was stopped just after its answer has ended.
            usable = isinstance(answer, (Done, Failed, Broken)) and not handle.is_stopped
            self._give_back(key, process, usable=usable)
        if handle.is_stopped and not isinstance(answer, Done):
            raise Stopped
        return self._result(answer, name)

    def each(
        self, items: Iterable[tuple[str, TaskT, File | None]]
    ) -> Iterator[tuple[str, ResultT | RowenError | RuntimeError]]:
        """The result or error of each document, in order; after `stop`, those that were
        finished.
        """
        waiting: deque[tuple[str, Future[ResultT]]] = deque()
        remaining = iter(items)
        with ThreadPoolExecutor(self._size) as threads:
            try:
                while True:
                    while not self._stopped and len(waiting) < SANDBOX_AHEAD * self._size:
                        if (item := next(remaining, None)) is None:
                            break
                        name, task, file = item
                        future = threads.submit(self.call, task, name=name, file=file)
                        waiting.append((name, future))
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
        """Kill all processes now; a signal handler may do so."""
        self._stopped = True
        for process in tuple(self._all):
            process.kill()
        if self._template is not None:
            self._template.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        for process in tuple(self._all):
            self._end(process)
        with self._starting:
            if self._template is not None:
                self._template.end()
                self._template = None

    def _result(self, answer: Answer, name: str) -> ResultT:
        memory = f"{self._memory / 2**20:,.0f} MB of memory"
        match answer:
            case Done(value):
                result: ResultT = value
                return result
            case Failed() | Broken():
                raise error_of(answer)
            case _ if self._stopped:
                raise Stopped
            case Late(seconds):
                raise LimitError(name, f"reading it took longer than {seconds:,.0f} seconds")
            case Full():
                raise LimitError(name, f"reading it takes more than {memory}")
            case Strange():
                raise LimitError(name, "the worker that read it sent an invalid message")
            case Dead():
                raise LimitError(
                    name,
                    f"reading it crashed the process: it is broken, or takes more than {memory}",
                )

    def _take(self, key: _Key) -> Process:
        """A process of this tenant; idle processes of others are ended to make room for a new
        one.
        """
        with self._lock:
            self._busy += 1
            for place, (own, process) in reversed(list(enumerate(self._idle))):
                # A process that another tenant's document has taken over could wait for this
                # tenant's document.
                if own == key:
                    del self._idle[place]
                    return process
            # Idle processes and busy ones together are at most `size`. The least recently used go
            # first.
            surplus = max(0, len(self._idle) + self._busy - self._size)
            gone, self._idle = self._idle[:surplus], self._idle[surplus:]
        for _, process in gone:
            self._end(process)
        try:
            return self._start(key)
        except BaseException:
            with self._lock:
                self._busy -= 1
            raise

    def _give_back(self, key: _Key, process: Process, *, usable: bool) -> None:
        with self._lock:
            self._busy -= 1
            if usable:
                self._idle.append((key, process))
        if not usable:
            self._end(process)

    def _start(self, key: _Key) -> Process:
        with self._starting:
            process = self._copied(key)
        self._all.add(process)
        if self._stopped:
            self._end(process)
            raise Stopped
        return process

    def _copied(self, key: _Key) -> Process:
        """A copy of the template, which is started again once if it has ended."""
        for may_retry in (True, False):
            if self._stopped:
                raise Stopped
            try:
                if self._template is None:
                    self._template = Template(self._work, self._memory)
                return Process(self._template, self._work, plugins=key.plugins)
            except (TemplateError, OSError) as error:
                if self._template is not None:
                    self._template.end()
                    self._template = None
                if self._stopped:
                    raise Stopped from None
                if not may_retry:
                    raise TemplateError(f"no worker can be started: {error}") from error
        raise AssertionError

    def _end(self, process: Process) -> None:
        if process in self._all:
            self._all.discard(process)
            process.end()

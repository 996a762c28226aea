"""A pool of workers: each has one task after the other, and all of them from one tenant.

A document may crash, hang or fill the process that reads it. Here that costs this document an error
and the process a successor; the process that asked, and other documents, don't notice. One that
takes the process over sees nothing but itself, and says nothing that is believed unchecked.
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

from rowen.limits import SANDBOX_AHEAD
from rowen.model.errors import LimitError, RowenError
from rowen.workers.confinement import Confinement
from rowen.workers.documents import File, opened
from rowen.workers.failures import Broken, Failed, error_of
from rowen.workers.process import Answer, Dead, Done, Full, Late, Process, Strange
from rowen.workers.template import Template, TemplateError
from rowen.workers.work import Reply, Work

Given = TypeVar("Given")
Made = TypeVar("Made")


class Stopped(Exception):  # noqa: N818  # it is no error
    """The pool was stopped before this was done."""


class _Key(NamedTuple):
    """Who may use a process: it is never another's."""

    tenant: str
    plugins: bool


class Pool(Generic[Given, Made]):
    """Processes that do one kind of work; `call` may be used from many threads."""

    def __init__(
        self, work: Work[Given, Made], *, processes: int, seconds: float, memory: int
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
        self._starting = Lock()

    @property
    def confinement(self) -> Confinement | None:
        """What is in force for every process that there is; None before one has started."""
        known = [one.confinement for one in tuple(self._all) if one.confinement is not None]
        return reduce(and_, known) if known else self._last

    def call(
        self,
        given: Given,
        *,
        name: str,
        file: File | None = None,
        reply: Reply | None = None,
        tenant: str = "",
        plugins: bool = False,
    ) -> Made:
        """What the work makes of something; LimitError where it needs too much or crashes.

        `file` is the document that it may read. `reply` is called, in this thread, with each
        question that the work asks. A process that did work for one tenant does none for another.

        Where a process that has worked before has crashed or has no more memory, that may be due
        to what it did then: a new one tries again.
        """
        key = _Key(tenant, plugins)
        with opened(file, name=name) as descriptor, self._free:
            process = self._take(key)
            try:
                used, start = process.used, monotonic()
                answer = process.ask(given, self._seconds, reply, descriptor=descriptor)
                if used and isinstance(answer, (Dead, Full)) and not self._stopped:
                    spent = monotonic() - start
                    self._end(process)
                    process = self._start(key)
                    answer = process.ask(
                        given, self._seconds, reply, descriptor=descriptor, spent=spent
                    )
            except BaseException:
                self._give_back(key, process, usable=False)
                raise
            self._last = process.confinement or self._last
            self._give_back(key, process, usable=isinstance(answer, (Done, Failed, Broken)))
        return self._made(answer, name)

    def each(
        self, items: Iterable[tuple[str, Given, File | None]]
    ) -> Iterator[tuple[str, Made | RowenError | RuntimeError]]:
        """Each named document's result, or error, in order; stopped, it gives what was finished."""
        waiting: deque[tuple[str, Future[Made]]] = deque()
        rest = iter(items)
        with ThreadPoolExecutor(self._size) as threads:
            try:
                while True:
                    while not self._stopped and len(waiting) < SANDBOX_AHEAD * self._size:
                        if (item := next(rest, None)) is None:
                            break
                        name, given, file = item
                        future = threads.submit(self.call, given, name=name, file=file)
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
        """End all work now; a handler of signals may do so."""
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

    def _made(self, answer: Answer, name: str) -> Made:
        memory = f"{self._memory / 2**20:,.0f} MB of memory"
        match answer:
            case Done(value):
                made: Made = value
                return made
            case Failed() | Broken():
                raise error_of(answer)
            case _ if self._stopped:
                raise Stopped
            case Late(seconds):
                raise LimitError(name, f"reading it took longer than {seconds:,.0f} seconds")
            case Full():
                raise LimitError(name, f"reading it takes more than {memory}")
            case Strange():
                raise LimitError(
                    name, "reading it made the worker give an answer that is not understood"
                )
            case Dead():
                raise LimitError(
                    name,
                    "reading it brought the process down: it is broken, or takes more than "
                    f"{memory}",
                )

    def _take(self, key: _Key) -> Process:
        """A process of this tenant's own; others that nobody uses now make room for a new one."""
        with self._lock:
            self._busy += 1
            for place, (own, process) in reversed(list(enumerate(self._idle))):
                if own == key:
                    del self._idle[place]
                    return process
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
        """A copy of the template, which may have come to its end since the last one."""
        for again in (True, False):
            if self._stopped:
                raise Stopped
            if self._template is None:
                self._template = Template(self._work, self._memory)
            try:
                return Process(self._template, self._work, plugins=key.plugins)
            except (TemplateError, OSError) as error:
                self._template.end()
                self._template = None
                if self._stopped:
                    raise Stopped from None
                if not again:
                    raise TemplateError(f"no worker can be started: {error}") from error
        raise AssertionError

    def _end(self, process: Process) -> None:
        if process in self._all:
            self._all.discard(process)
            process.end()

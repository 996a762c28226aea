"""The local engine: processes on this machine, each at one partition after the other."""

import ctypes
import multiprocessing as mp
import os
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from rowen.engines.base import Tick
from rowen.engines.partition import Outcome, Pulse, Task, work
from rowen.extractors.function import Function
from rowen.extractors.relation import Relation
from rowen.limits import DEADLY_PAGES, WORKER_DEATHS
from rowen.model.errors import ExtractorError, RowenError, StoreError

_GRACE = 5.0
"""Seconds that an extractor has to come back to the interpreter after its time is up."""

_DIE_WITH_PARENT = 1
"""Linux' PR_SET_PDEATHSIG."""


class Local:
    """Some processes of this machine; one alone works in this process itself.

    A worker that dies, is killed or never comes back from a page loses nothing: its partition is
    done again by another, and a page on which workers die twice is recorded as failed.
    """

    def __init__(self, jobs: int | None = None, *, apart: bool = False) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self.apart = apart
        """Whether even one process is another than this one, whatever the extractors are."""

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """The outcomes as they come."""
        if not tasks:
            return
        tick = tick or _unheard
        alone = min(self.jobs, len(tasks)) == 1
        if alone and not self.apart and not _guarded(tasks[0]):
            for task in tasks:
                yield work(task, _Ticking(tick))
            return
        yield from _Pool(min(self.jobs, len(tasks)), tasks, tick).outcomes()


def _unheard(_pages: int) -> None:
    """Nobody listens."""


class _Ticking(Pulse):
    """Passes on how far the work in this process is."""

    def __init__(self, tick: Tick) -> None:
        self._tick = tick

    def done(self, pages: int) -> None:
        self._tick(pages)


def _guarded(task: Task) -> bool:
    """Whether an extractor runs code that is not Rowen's own, and may take its process down."""
    kinds = {type(job.extractor) for job in task.jobs}
    return any(
        kind in {Function, Relation} or not kind.__module__.startswith("rowen.") for kind in kinds
    )


class _Bug(NamedTuple):
    """What went wrong in a worker that should not have."""

    message: str
    trace: str


class _Worker:
    """A process, the pipe to it, and where it says on which page it is."""

    def __init__(self, context: Any, others: "Sequence[_Worker]") -> None:
        self.pipe, theirs = context.Pipe()
        self.state = _State(context.RawArray("d", 4))
        # A forked worker has the parent's ends of all pipes. While one of them is open somewhere,
        # no worker is told that the parent has gone.
        ours = [self.pipe, *(other.pipe for other in others)]
        self.process = context.Process(
            target=_serve, args=(theirs, ours, self.state, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        self.state.clear()
        with suppress(OSError):  # it died while it waited, which will be noticed
            self.pipe.send((task.partition, task.poison))

    def answer(self) -> "Outcome | RowenError | _Bug | None":
        """What it made of its task; None where it died."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None

    def overdue(self) -> bool:
        """Whether it is at a page for longer than it may be."""
        since = self.state.since
        if self.task is None or self.task.page_seconds <= 0 or not since:
            return False
        return time.monotonic() - since > self.task.page_seconds + _GRACE

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _State(Pulse):
    """Where a worker stands, in memory that it shares with its parent."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers

    def clear(self) -> None:
        self._numbers[:] = [0.0] * 4

    def begins(self, row: int, job: int) -> None:
        self._numbers[0], self._numbers[1] = row, job
        self._numbers[2] = time.monotonic()

    def ends(self) -> None:
        self._numbers[2] = 0.0

    def done(self, pages: int) -> None:
        self._numbers[3] = pages

    @property
    def page(self) -> tuple[int, int]:
        """The row and the extractor's number."""
        return int(self._numbers[0]), int(self._numbers[1])

    @property
    def since(self) -> float:
        """Since when an extractor is at this page; 0 where none is."""
        return float(self._numbers[2])

    @property
    def pages(self) -> int:
        """How many pages are done."""
        return int(self._numbers[3])


class _Pool:
    def __init__(self, size: int, tasks: Sequence[Task], tick: Tick) -> None:
        # A forked worker has the extractors as they are; they need not be picklable.
        self.context = mp.get_context("fork")
        self.waiting = deque(tasks)
        self.tasks = {task.partition: task for task in tasks}
        self.size = size
        self.tick = tick
        self.workers: list[_Worker] = []
        self.deaths: dict[tuple[int, int, str], int] = {}
        self.lost: dict[int, int] = {}
        self.deadly = 0

    def outcomes(self) -> Generator[Outcome, None, None]:
        _TASKS.update(self.tasks)
        left = len(self.waiting)
        try:
            for _ in range(self.size):
                self.workers.append(_Worker(self.context, self.workers))
                self.feed(self.workers[-1])
            while left:
                for outcome in self.collect():
                    left -= 1
                    yield outcome
        finally:
            for worker in self.workers:
                worker.stop()
            _TASKS.clear()

    def feed(self, worker: _Worker) -> None:
        worker.task = None
        if self.waiting:
            worker.give(self.waiting.popleft())

    def collect(self) -> Iterator[Outcome]:
        busy = [worker for worker in self.workers if worker.task is not None]
        ends = {end: one for one in busy for end in (one.pipe, one.process.sentinel)}
        ready = {ends[end] for end in wait(list(ends), timeout=0.5)}
        self.tick(sum(worker.state.pages for worker in busy))
        for worker in busy:
            if worker in ready:
                answer = worker.answer()
                if isinstance(answer, RowenError):
                    raise answer
                if isinstance(answer, _Bug):
                    raise RuntimeError(answer.message) from RuntimeError(answer.trace)
                if answer is None:
                    self.replace(worker, "took its process down")
                else:
                    self.feed(worker)
                    yield answer
            elif worker.overdue():
                self.replace(worker, "took too long and did not let itself be interrupted")

    def replace(self, worker: _Worker, reason: str) -> None:
        """A new worker for one that is lost; its partition is done again, less a deadly page."""
        task = worker.task
        assert task is not None
        overdue = worker.overdue()
        worker.stop()
        self.lost[task.partition] = self.lost.get(task.partition, 0) + 1
        if worker.state.since:
            row, number = worker.state.page
            name = task.jobs[number].name
            key = (task.partition, row, name)
            self.deaths[key] = self.deaths.get(key, 0) + 1
            if self.deaths[key] >= WORKER_DEATHS or overdue:
                task = replace(task, poison={**task.poison, (row, name): reason})
                self.lost[task.partition] = 0
                self.deadly += 1
                if self.deadly > DEADLY_PAGES:
                    raise ExtractorError(
                        f"extractor {name!r} {reason}, as extractors did on {DEADLY_PAGES} other "
                        "pages of this run: nothing was kept"
                    )
        if self.lost[task.partition] > WORKER_DEATHS:
            raise StoreError(
                f"workers died {self.lost[task.partition]} times at partition {task.partition}, "
                "at no page in particular: is there enough memory? Try fewer --jobs"
            )
        self.workers.remove(worker)
        self.workers.append(_Worker(self.context, self.workers))
        self.workers[-1].give(task)


_TASKS: dict[int, Task] = {}
"""The tasks of the run under way; a forked worker finds the extractors here."""


def _serve(pipe: Connection, ours: Sequence[Connection], state: _State, parent: int) -> None:
    """A worker's life: partitions in, outcomes out, until the parent ends it or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked too, and ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in ours:
        end.close()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it was quicker
            return
    while True:
        try:
            partition, poison = pipe.recv()
            pipe.send(_answer(replace(_TASKS[partition], poison=poison), state))
        except (EOFError, OSError):
            return


def _answer(task: Task, state: _State) -> Outcome | RowenError | _Bug:
    try:
        return work(task, state)
    except RowenError as error:
        return error
    except Exception as error:  # noqa: BLE001  # it is raised again where it is seen
        return _Bug(f"{type(error).__name__}: {error} (in a worker)", traceback.format_exc())

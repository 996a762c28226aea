"""The processes of the local engine: each works on one partition at a time."""

import multiprocessing as mp
import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from rowen._core import end_with
from rowen.model.errors import ExtractorError, RowenError, StoreError
from rowen.recycling.engine import Tick
from rowen.recycling.outcome import Outcome
from rowen.recycling.partition import work
from rowen.recycling.task import Pulse, Task
from rowen.workers.work import WORKER_DEATHS

DEADLY_PAGES = 100
"""Limit: pages of a run on which workers may die or hang before the run gives up. For each of them
the work on its partition is done again."""

_GRACE = 5.0
"""Seconds that an extractor has to return to the interpreter after its time is up."""


class _InternalError(NamedTuple):
    """An exception in a worker that no extractor raised."""

    message: str
    trace: str


class _Worker:
    """A process, the pipe to it, and the shared memory that says on which page it is."""

    def __init__(self, context: Any, siblings: "Sequence[_Worker]") -> None:
        self.pipe, theirs = context.Pipe()
        self.state = _State(context.RawArray("d", 4))
        # A forked worker inherits the parent's ends of all pipes. While one of them is open
        # anywhere, the worker at its other end does not notice that the parent has ended.
        ours = [self.pipe, *(sibling.pipe for sibling in siblings)]
        self.process = context.Process(
            target=_serve, args=(theirs, ours, self.state, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        self.state.clear()
        with suppress(OSError):  # it died while it waited; `collect` notices that
            self.pipe.send((task.partition, task.poison))

    def answer(self) -> "Outcome | RowenError | _InternalError | None":
        """The answer to its task; None if it died."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            return None

    def overdue(self) -> bool:
        """Whether it has been on one page for longer than it may."""
        since = self.state.since
        if self.task is None or self.task.page_seconds <= 0 or not since:
            return False
        return time.monotonic() - since > self.task.page_seconds + _GRACE

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _State(Pulse):
    """On which page a worker is, in memory that it shares with its parent.

    After a crash it says which page and which extractor were to blame.
    """

    def __init__(self, numbers: Any) -> None:
        self._numbers = numbers

    def clear(self) -> None:
        self._numbers[:] = [0.0] * 4

    def begins(self, row: int, job: int) -> None:
        self._numbers[0], self._numbers[1] = row, job
        # The time comes last: while it is 0, no page is blamed for a death.
        self._numbers[2] = time.monotonic()

    def ends(self) -> None:
        self._numbers[2] = 0.0

    def done(self, pages: int) -> None:
        self._numbers[3] = pages

    @property
    def page(self) -> tuple[int, int]:
        """The row of the page and the number of the extractor."""
        return int(self._numbers[0]), int(self._numbers[1])

    @property
    def since(self) -> float:
        """When the extractor started on this page; 0 if none is at work."""
        return float(self._numbers[2])

    @property
    def pages(self) -> int:
        """How many pages are finished."""
        return int(self._numbers[3])


class WorkerPool:
    """As many workers as `size`, until all tasks are done."""

    def __init__(self, size: int, tasks: Sequence[Task], tick: Tick) -> None:
        # A forked worker has the extractors as they are, so that they need not be picklable.
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
        """Yield the outcomes as they arrive."""
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
        """Give a worker the next task, if there is one."""
        worker.task = None
        if self.waiting:
            worker.give(self.waiting.popleft())

    def collect(self) -> Iterator[Outcome]:
        """Wait for workers, yield what they have done, and replace those that are lost."""
        busy = [worker for worker in self.workers if worker.task is not None]
        ends = {end: worker for worker in busy for end in (worker.pipe, worker.process.sentinel)}
        ready = {ends[end] for end in wait(list(ends), timeout=0.5)}
        self.tick(sum(worker.state.pages for worker in busy))
        for worker in busy:
            if worker in ready:
                answer = worker.answer()
                if isinstance(answer, RowenError):
                    raise answer
                if isinstance(answer, _InternalError):
                    raise RuntimeError(answer.message) from RuntimeError(answer.trace)
                if answer is None:
                    self.replace(worker, "crashed its process")
                else:
                    self.feed(worker)
                    yield answer
            elif worker.overdue():
                self.replace(worker, "took too long and could not be interrupted")

    def replace(self, worker: _Worker, reason: str) -> None:
        """Replace a lost worker. Its partition is done again, without a page that ended workers."""
        task = worker.task
        assert task is not None
        overdue, since = worker.overdue(), worker.state.since
        worker.stop()
        # It may have come back just before it was stopped, and be on a page that is not to blame.
        overdue = overdue and worker.state.since == since
        self.lost[task.partition] = self.lost.get(task.partition, 0) + 1
        if worker.state.since:
            row, number = worker.state.page
            name = task.jobs[number].name
            key = (task.partition, row, name)
            self.deaths[key] = self.deaths.get(key, 0) + 1
            # A first death may be chance, or the memory of the machine. One that hangs would hang
            # again.
            if self.deaths[key] >= WORKER_DEATHS or overdue:
                task = replace(task, poison={**task.poison, (row, name): reason})
                self.lost[task.partition] = 0
                self.deadly += 1
                if self.deadly > DEADLY_PAGES:
                    raise ExtractorError(
                        f"extractor {name!r} {reason}, as extractors did on {DEADLY_PAGES} other "
                        "pages of this run: nothing was stored"
                    )
        if self.lost[task.partition] > WORKER_DEATHS:
            raise StoreError(
                f"workers died {self.lost[task.partition]} times in partition {task.partition}, "
                "and no single page was the cause: is there enough memory? Try fewer --jobs"
            )
        self.workers.remove(worker)
        self.workers.append(_Worker(self.context, self.workers))
        self.workers[-1].give(task)


_TASKS: dict[int, Task] = {}
"""The tasks of the current run. A forked worker finds the extractors here."""


def _serve(pipe: Connection, ours: Sequence[Connection], state: _State, parent: int) -> None:
    """The loop of a worker: a partition in, its outcome out, until it is ended or has no parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it, too, and ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for end in ours:
        end.close()
    if not end_with(parent):  # the parent is gone already
        return
    while True:
        try:
            partition, poison = pipe.recv()
            pipe.send(_answer(replace(_TASKS[partition], poison=poison), state))
        except (EOFError, OSError):
            return


def _answer(task: Task, state: _State) -> Outcome | RowenError | _InternalError:
    try:
        return work(task, state)
    except RowenError as error:
        return error
    except Exception as error:  # noqa: BLE001  # the parent raises it
        return _InternalError(
            f"{type(error).__name__}: {error} (in a worker)", traceback.format_exc()
        )

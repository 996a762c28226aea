"""The local engine: processes on this machine, each at one partition after the other."""

import multiprocessing as mp
import os
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from rowen.engines.partition import Outcome, Task, work
from rowen.limits import WORKER_DEATHS
from rowen.model.errors import RowenError, StoreError

_GRACE = 5.0
"""Seconds that an extractor has to come back to the interpreter after its time is up."""


class Local:
    """Some processes of this machine; one alone works in this process itself.

    A worker that dies, is killed or never comes back from a page loses nothing: its partition is
    done again by another, and a page on which workers die twice is recorded as failed.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """The outcomes as they come."""
        if not tasks:
            return
        if min(self.jobs, len(tasks)) == 1 and not _guarded(tasks[0]):
            for task in tasks:
                yield work(task)
            return
        yield from _Pool(min(self.jobs, len(tasks)), tasks).outcomes()


def _guarded(task: Task) -> bool:
    """Whether an extractor is not Rowen's own, so that it may take its process down."""
    return any(not type(job.extractor).__module__.startswith("rowen.") for job in task.jobs)


class _Worker:
    """A process, the pipe to it, and where it says on which page it is."""

    def __init__(self, context: Any) -> None:
        self.pipe, theirs = context.Pipe()
        self.page = context.RawArray("d", 3)  # the row, the extractor's number, since when
        self.process = context.Process(target=_serve, args=(theirs, self.page), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        self.page[2] = 0.0
        self.pipe.send((task.partition, task.poison))

    def overdue(self) -> bool:
        """Whether it is at a page for longer than it may be."""
        if self.task is None or self.task.page_seconds <= 0 or not self.page[2]:
            return False
        return time.monotonic() - float(self.page[2]) > self.task.page_seconds + _GRACE

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Pool:
    def __init__(self, size: int, tasks: Sequence[Task]) -> None:
        # A forked worker has the extractors as they are; they need not be picklable.
        self.context = mp.get_context("fork")
        self.waiting = deque(tasks)
        self.tasks = {task.partition: task for task in tasks}
        self.size = size
        self.workers: list[_Worker] = []
        self.deaths: dict[tuple[int, int, str], int] = {}
        self.lost: dict[int, int] = {}

    def outcomes(self) -> Iterator[Outcome]:
        _TASKS.update(self.tasks)
        left = len(self.waiting)
        try:
            self.workers = [_Worker(self.context) for _ in range(self.size)]
            for worker in self.workers:
                self.feed(worker)
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
        busy = {worker.pipe: worker for worker in self.workers if worker.task is not None}
        for pipe in wait(list(busy), timeout=0.5):
            worker = busy.pop(pipe)
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self.replace(worker, "the process of the extractor died")
                continue
            if isinstance(answer, BaseException):
                raise answer
            self.feed(worker)
            yield answer
        for worker in busy.values():
            if worker.overdue():
                self.replace(worker, "never came back: its process was ended")

    def replace(self, worker: _Worker, reason: str) -> None:
        """A new worker for one that is lost; its partition is done again, less a deadly page."""
        task = worker.task
        assert task is not None
        worker.stop()
        self.lost[task.partition] = self.lost.get(task.partition, 0) + 1
        if worker.page[2]:
            row, number = int(worker.page[0]), int(worker.page[1])
            name = task.jobs[number].name
            key = (task.partition, row, name)
            self.deaths[key] = self.deaths.get(key, 0) + 1
            if self.deaths[key] >= WORKER_DEATHS or worker.overdue():
                task = replace(task, poison={**task.poison, (row, name): reason})
                self.lost[task.partition] = 0
        if self.lost[task.partition] > WORKER_DEATHS:
            raise StoreError(
                f"workers died {self.lost[task.partition]} times at partition {task.partition}, "
                "at no page in particular: is there enough memory? Try fewer --jobs"
            )
        fresh = _Worker(self.context)
        self.workers[self.workers.index(worker)] = fresh
        fresh.give(task)


_TASKS: dict[int, Task] = {}
"""The tasks of the run under way; a forked worker finds the extractors here."""


def _serve(pipe: Connection, page: Any) -> None:
    """A worker's life: partitions in, outcomes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked too, and ends its workers
    while True:
        try:
            partition, poison = pipe.recv()
        except EOFError:
            return
        task = replace(_TASKS[partition], poison=poison)
        names = [job.name for job in task.jobs]

        def beat(row: int, name: str, names: list[str] = names) -> None:
            page[0], page[1] = row, names.index(name)
            page[2] = time.monotonic()

        try:
            answer: Outcome | RowenError = work(task, beat)
        except RowenError as error:
            answer = error
        page[2] = 0.0
        pipe.send(answer)

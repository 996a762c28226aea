"""The local engine: processes on this machine, each of which works on one partition at a time.

It does not use `rowen.workers`: those processes are confined and get documents as messages. The
workers here are forked, because they need the extractors of the run, which may be any code and need
not be picklable, and they write to the store themselves.
"""

import os
from collections.abc import Generator, Sequence

from rowen.recycling.engine import Tick
from rowen.recycling.outcome import Outcome
from rowen.recycling.partition import work
from rowen.recycling.task import Pulse, Task

BRIEF_PAGES = 10_000
"""Limit: unchanged pages that are copied by this process. To start others takes longer."""


class Local:
    """Processes on this machine. A single one works in this process itself, if that is safe.

    If a worker dies, is killed or hangs, nothing is lost: another worker does its partition again,
    and a page on which workers die twice is recorded as failed.
    """

    def __init__(self, jobs: int | None = None, *, always_fork: bool = False) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self.always_fork = always_fork
        """Whether even a single worker is a process of its own, whatever the extractors are."""

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """Yield the outcomes as they arrive."""
        if not tasks:
            return
        tick = tick or _ignore
        alone = min(self.jobs, len(tasks)) == 1 or _is_brief(tasks)
        if alone and not self.always_fork and not _guarded(tasks[0]):
            for task in tasks:
                yield work(task, _Ticking(tick))
            return
        # Imported here: it takes as long to load as a small run takes.
        from rowen.engines.processes import WorkerPool

        yield from WorkerPool(min(self.jobs, len(tasks)), tasks, tick).outcomes()


def _ignore(_pages: int) -> None:
    """Nobody watches."""


class _Ticking(Pulse):
    """Reports the progress of work in this process."""

    def __init__(self, tick: Tick) -> None:
        self._tick = tick

    def done(self, pages: int) -> None:
        self._tick(pages)


def _is_brief(tasks: Sequence[Task]) -> bool:
    """Whether the tasks only copy what is known, and little of it."""
    return not any(task.to_do for task in tasks) and (
        sum(len(task.fates) for task in tasks) <= BRIEF_PAGES
    )


def _guarded(task: Task) -> bool:
    """Whether an extractor runs code that is not Rowen's own, and may end its process."""
    return any(job.runs_other_code for job in task.jobs)

"""The service's worker processes, behind a queue of limited length."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

from rowen.logs import LOG
from rowen.model.errors import RowenError
from rowen.papers.subprocess import PDF_MEMORY_BYTES, PDF_SECONDS
from rowen.service.reading import WORK, Task, needs_plugins
from rowen.service.stages import Stages
from rowen.workers import Confinement, Pool, Reply, Stopped, TemplateError

WAITING_READINGS = 256
"""Limit: how many tasks may wait for a worker of the service; further requests get 503."""


class BusyError(RowenError):
    """The service is busy or about to stop; the client may retry."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 503


class Workers:
    """A number of processes; a task waits for a free one, unless too many wait already."""

    def __init__(self, processes: int, *, waiting: int = WAITING_READINGS) -> None:
        self.processes = processes
        # Busy ones and waiting ones together.
        self._most = processes + waiting
        self._pool: Pool[Task, Stages] = Pool(
            WORK, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES
        )
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="worker")
        self._tasks = 0
        self._begun: set[asyncio.Task[Any]] = set()
        self._has_warned = False

    @property
    def share(self) -> int:
        """How many tasks one tenant may have at once, so that others find room."""
        # Half leaves room for others even while one tenant sends as much as it can.
        return max(1, self._most // 2)

    @property
    def waiting(self) -> int:
        """How many tasks wait for a process."""
        return max(0, self._tasks - self.processes)

    @property
    def busy(self) -> int:
        """How many processes are busy."""
        return min(self._tasks, self.processes)

    def is_begun(self, task: "asyncio.Task[Any]") -> bool:
        """Whether a process has started the work that this task of the event loop awaits."""
        return task in self._begun

    @property
    def confinement(self) -> Confinement | None:
        """How all processes are confined; None before one has started."""
        return self._pool.confinement

    async def do(
        self,
        task: Task,
        *,
        file: Path | None = None,
        reply: Reply | None = None,
        tenant: str = "",
    ) -> Stages:
        """Have a process do a task; LimitError where it exceeds a limit or crashes.

        `file` is the document that the process may read. `reply` is called in another thread with
        each question of the task. No process works for two tenants.
        """
        if self._tasks >= self._most:
            raise BusyError("too many documents are waiting to be read")
        self._tasks += 1
        try:
            loop, caller = asyncio.get_running_loop(), asyncio.current_task()
            assert caller is not None
            # Added in another thread below, removed in the event loop: both are atomic on a set.
            caller.add_done_callback(self._begun.discard)

            def call() -> Stages:
                self._begun.add(caller)
                try:
                    return self._call(task, file, reply, tenant)
                finally:
                    self._warn()

            return await loop.run_in_executor(self._threads, call)
        except Stopped:
            raise BusyError("the service is stopping") from None
        except TemplateError as error:  # not the fault of the document: the client may retry
            LOG.error("%s", error)
            raise BusyError("no worker can be started now") from None
        finally:
            self._tasks -= 1

    def close(self) -> None:
        """Kill all processes."""
        self._pool.stop()
        self._threads.shutdown(cancel_futures=True)
        with self._pool:
            pass  # leaving it waits for the processes

    def _call(self, task: Task, file: Path | None, reply: Reply | None, tenant: str) -> Stages:
        return self._pool.call(
            task,
            name="the document",
            file=file,
            reply=reply,
            tenant=tenant,
            plugins=needs_plugins(task),
        )

    def _warn(self) -> None:
        confinement = self.confinement
        if confinement is not None and not confinement.seccomp and not self._has_warned:
            self._has_warned = True
            LOG.warning("this system can't keep workers from opening files and using the network")

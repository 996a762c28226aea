"""Worker processes, and a queue before them that has an end."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

from rowen.limits import PDF_MEMORY_BYTES, PDF_SECONDS, WAITING_READINGS
from rowen.model.errors import RowenError
from rowen.service.logs import LOG
from rowen.service.reading import WORK, Task, needs_plugins
from rowen.service.stages import Stages
from rowen.workers import Confinement, Pool, Reply, Stopped, TemplateError


class BusyError(RowenError):
    """There is too much to do, or the service is about to end: come again."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 503


class Workers:
    """So many processes; a task waits for a free one, unless too many wait already."""

    def __init__(self, processes: int, *, waiting: int = WAITING_READINGS) -> None:
        self.processes = processes
        self._most = processes + waiting
        self._pool: Pool[Task, Stages] = Pool(
            WORK, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES
        )
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="worker")
        self._tasks = 0
        self._begun: set[asyncio.Task[Any]] = set()
        self._told = False

    @property
    def share(self) -> int:
        """How many tasks one of several tenants may have here at once."""
        return max(1, self._most // 2)

    @property
    def waiting(self) -> int:
        """How many tasks have no process yet."""
        return max(0, self._tasks - self.processes)

    @property
    def busy(self) -> int:
        """How many processes work."""
        return min(self._tasks, self.processes)

    def is_begun(self, task: "asyncio.Task[Any]") -> bool:
        """Whether a process has begun with what is awaited in this task of the event loop."""
        return task in self._begun

    @property
    def confinement(self) -> Confinement | None:
        """What the system keeps all of them from; None before one has started."""
        return self._pool.confinement

    async def do(
        self,
        task: Task,
        *,
        file: Path | None = None,
        reply: Reply | None = None,
        tenant: str = "",
    ) -> Stages:
        """What a process makes of a task; LimitError where it takes too much or crashes.

        `file` is the document that it sees. `reply` is called in another thread with what the task
        asks. No process works for two tenants.
        """
        if self._tasks >= self._most:
            raise BusyError("too many documents are waiting to be read")
        self._tasks += 1
        try:
            loop, caller = asyncio.get_running_loop(), asyncio.current_task()
            assert caller is not None
            caller.add_done_callback(self._begun.discard)

            def call() -> Stages:
                self._begun.add(caller)
                try:
                    return self._call(task, file, reply, tenant)
                finally:
                    self._warn()

            return await loop.run_in_executor(self._threads, call)
        except Stopped:
            raise BusyError("the service is about to end") from None
        except TemplateError as error:  # no fault of the document: it may be tried again
            LOG.error("%s", error)
            raise BusyError("no worker can be started now") from None
        finally:
            self._tasks -= 1

    def close(self) -> None:
        """End all processes, whatever they do."""
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
        if confinement is not None and not confinement.seccomp and not self._told:
            self._told = True
            LOG.warning("this system does not keep workers from files and the network")

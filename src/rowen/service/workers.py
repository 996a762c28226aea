"""Worker processes, and a queue before them that has an end."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from rowen.documents.sandbox import Reply, Sandbox, Stopped
from rowen.limits import PDF_MEMORY_BYTES, PDF_SECONDS, WAITING_READINGS
from rowen.model.errors import RowenError
from rowen.service.logs import LOG
from rowen.service.reading import Task, work
from rowen.service.stages import Stages


class BusyError(RowenError):
    """There is too much to do, or the service is about to end: come again."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 503


class Workers:
    """So many processes; a task waits for a free one, unless too many wait already."""

    def __init__(self, processes: int, *, waiting: int = WAITING_READINGS) -> None:
        self.processes = processes
        self._most = processes + waiting
        self._sandbox: Sandbox[Task, Stages] = Sandbox(
            work, processes=processes, seconds=PDF_SECONDS, memory=PDF_MEMORY_BYTES
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
    def confined(self) -> bool | None:
        """Whether the system keeps them from writing and the network; None before one started."""
        return self._sandbox.confined

    async def do(self, task: Task, reply: Reply | None = None) -> Stages:
        """What a process makes of a task; LimitError where it takes too much or crashes.

        `reply` is called in another thread with what the task asks.
        """
        if self._tasks >= self._most:
            raise BusyError("too many documents are waiting to be read")
        self._tasks += 1
        try:
            loop, caller = asyncio.get_running_loop(), asyncio.current_task()
            assert caller is not None
            caller.add_done_callback(self._begun.discard)
            return await loop.run_in_executor(self._threads, self._call, task, reply, caller)
        except Stopped:
            raise BusyError("the service is about to end") from None
        finally:
            self._tasks -= 1

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._sandbox.stop()
        self._threads.shutdown(cancel_futures=True)
        with self._sandbox:
            pass  # leaving it waits for the processes

    def _call(self, task: Task, reply: Reply | None, caller: "asyncio.Task[Any]") -> Stages:
        self._begun.add(caller)
        try:
            return self._sandbox.call(task, name="the document", reply=reply)
        finally:
            if self.confined is False and not self._told:
                self._told = True
                LOG.warning("this system does not keep workers from writing and the network")

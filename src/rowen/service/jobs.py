"""Jobs: work that a client does not wait for, but polls."""

import asyncio
import re
from collections import OrderedDict
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal, TypeAlias

from rowen.logs import LOG
from rowen.model.errors import RowenError
from rowen.service.extraction import Extraction, Obtained, Reuse
from rowen.service.problems import details
from rowen.service.watching import places_of
from rowen.service.workers import BusyError
from rowen.storage.documents.store import Document, SavedExtractor

JOBS = 1_000
"""Limit: how many jobs of a realm may be running; further requests get 503."""

FAILED_JOBS = 1_000
"""Limit: how many failed jobs of a realm are remembered with their reasons."""

JOB_SECONDS = 600.0
"""Limit: for how long they are remembered. A later poll starts the job again."""

JOB_WAIT_SECONDS = 0.05
"""How long a request for a job waits. A stored result is there by then, and needs no second
request."""


State: TypeAlias = Literal["queued", "running", "done", "failed"]

_ASYNC = "respond-async"
_WAIT = re.compile(r"wait=\"?(\d{1,9})\"?")


@dataclass(frozen=True, slots=True)
class Order:
    """A request for one form of a representation."""

    document: Document
    stage: str
    form: str
    reuse: Reuse = "near"
    extractor: SavedExtractor | None = None

    @property
    def job(self) -> str:
        """The id of its job. It has all that is needed to start the job again."""
        extractor = () if self.extractor is None else (self.extractor.name,)
        return ".".join((self.document.id, self.stage, self.form, self.reuse, *extractor))

    async def fill(self, extraction: Extraction) -> Obtained:
        """Get the representation: stored, or extracted now."""
        if self.extractor is not None:
            return await extraction.records(
                self.document, self.extractor, self.form, reuse=self.reuse
            )
        return await extraction.obtain(self.document, self.stage, self.form, reuse=self.reuse)


class Jobs:
    """The running jobs of one realm, and the last ones that failed.

    There is no table of jobs that could grow or get lost: results are in the store, and a job that
    was running when the service was killed starts again when a client polls it.
    """

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction
        self._tasks: dict[str, asyncio.Task[Obtained]] = {}
        self._failed: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return bool(self._tasks)

    async def begin(self, order: Order, *, seconds: float) -> Obtained | None:
        """Start a job; its result if that takes at most `seconds`. Raises its error until then."""
        # A new request retries a job that failed before.
        self._failed.pop(order.job, None)
        task = self._task(order)
        await asyncio.wait([task], timeout=seconds)
        return task.result() if task.done() else None

    async def ask(self, order: Order) -> tuple[State, dict[str, Any]]:
        """The state of a job, and the problem of a failed one; an unknown job is started."""
        failed_at, problem = self._failed.get(order.job, (-JOB_SECONDS, {}))
        if monotonic() < failed_at + JOB_SECONDS:
            return "failed", problem
        try:
            task = self._task(order)
        except BusyError:
            return "queued", {}
        await asyncio.wait([task], timeout=JOB_WAIT_SECONDS)
        if not task.done():
            return self.state(order), {}
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or isinstance(error, BusyError):
            return "queued", {}
        return ("done", {}) if error is None else ("failed", details(error))

    def state(self, order: Order) -> State:
        """The state of a running job."""
        return "running" if self._extraction.is_reading(order.document) else "queued"

    def _task(self, order: Order) -> "asyncio.Task[Obtained]":
        job = order.job
        # Requests for the same job share one task, however many clients poll it.
        task = self._tasks.get(job)
        if task is None:
            if len(self._tasks) >= JOBS:
                raise BusyError("too many jobs are running")
            task = self._tasks[job] = asyncio.create_task(order.fill(self._extraction))
            task.add_done_callback(lambda ended: self._end(job, ended))
        return task

    def _end(self, job: str, task: "asyncio.Task[Obtained]") -> None:
        del self._tasks[job]
        error = None if task.cancelled() else task.exception()
        # A job that found no room has not failed: the next poll starts it again.
        if error is None or isinstance(error, BusyError):
            return
        if not isinstance(error, RowenError):
            fields = {"error": type(error).__name__, "where": places_of(error)}
            LOG.error("internal error in a job", extra={"fields": fields})
        self._failed[job] = monotonic(), details(error)
        if len(self._failed) > FAILED_JOBS:
            self._failed.popitem(last=False)


def patience(preferences: list[str]) -> int | None:
    """How many seconds a client waits before it takes a job (RFC 7240); None: until the result."""
    parts = [part.strip().lower() for line in preferences for part in line.split(",")]
    if _ASYNC not in (part.partition(";")[0].strip() for part in parts):
        return None
    waits = (_WAIT.fullmatch(part.partition(";")[0].strip()) for part in parts)
    return next((int(match[1]) for match in waits if match), 0)

"""Jobs: work that a client does not wait for, but asks after."""

import asyncio
import re
from collections import OrderedDict
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal, TypeAlias

from rowen.limits import FAILED_JOBS, JOB_SECONDS, JOB_WAIT_SECONDS, JOBS
from rowen.model.errors import RowenError
from rowen.service.extraction import Extraction, Obtained, Reuse
from rowen.service.logs import LOG
from rowen.service.problems import details
from rowen.service.store import Document, SavedExtractor
from rowen.service.watching import places_of
from rowen.service.workers import BusyError

State: TypeAlias = Literal["queued", "running", "done", "failed"]

_ASYNC = "respond-async"
_WAIT = re.compile(r"wait=\"?(\d{1,9})\"?")


@dataclass(frozen=True, slots=True)
class Order:
    """A representation in one form that somebody asks for."""

    document: Document
    stage: str
    form: str
    reuse: Reuse = "near"
    extractor: SavedExtractor | None = None

    @property
    def job(self) -> str:
        """The id of the job that fills it: says all that is needed to begin anew."""
        named = () if self.extractor is None else (self.extractor.name,)
        return ".".join((self.document.id, self.stage, self.form, self.reuse, *named))

    async def fill(self, extraction: Extraction) -> Obtained:
        """Have it extracted, or find it."""
        if self.extractor is not None:
            return await extraction.records(
                self.document, self.extractor, self.form, reuse=self.reuse
            )
        return await extraction.obtain(self.document, self.stage, self.form, reuse=self.reuse)


class Jobs:
    """The orders of one realm that are being filled, and the last ones that could not be.

    There is no table of jobs to outgrow or to lose: what is filled is in the store, and one that
    a service was killed at begins anew when it is asked after.
    """

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction
        self._tasks: dict[str, asyncio.Task[Obtained]] = {}
        self._failed: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()

    @property
    def busy(self) -> bool:
        """Whether any is under way."""
        return bool(self._tasks)

    async def begin(self, order: Order, *, seconds: float) -> Obtained | None:
        """What was ordered if it is there in so many seconds; raises what goes wrong till then."""
        self._failed.pop(order.job, None)
        task = self._task(order)
        await asyncio.wait([task], timeout=seconds)
        return task.result() if task.done() else None

    async def ask(self, order: Order) -> tuple[State, dict[str, Any]]:
        """How an order stands, with the problem of one that failed; one that is unknown begins."""
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
        """Of one that is under way."""
        return "running" if self._extraction.is_reading(order.document) else "queued"

    def _task(self, order: Order) -> "asyncio.Task[Obtained]":
        job = order.job
        task = self._tasks.get(job)
        if task is None:
            if len(self._tasks) >= JOBS:
                raise BusyError("too many jobs are under way")
            task = self._tasks[job] = asyncio.create_task(order.fill(self._extraction))
            task.add_done_callback(lambda done: self._end(job, done))
        return task

    def _end(self, job: str, task: "asyncio.Task[Obtained]") -> None:
        del self._tasks[job]
        error = None if task.cancelled() else task.exception()
        if error is None or isinstance(error, BusyError):
            return
        if not isinstance(error, RowenError):
            told = {"error": type(error).__name__, "where": places_of(error)}
            LOG.error("a bug of ours, in a job", extra={"told": told})
        self._failed[job] = monotonic(), details(error)
        if len(self._failed) > FAILED_JOBS:
            self._failed.popitem(last=False)


def patience(preferences: list[str]) -> int | None:
    """How many seconds a client that would rather come again waits (RFC 7240); None: to the end."""
    wishes = [wish.strip().lower() for line in preferences for wish in line.split(",")]
    if _ASYNC not in (wish.partition(";")[0].strip() for wish in wishes):
        return None
    waits = (_WAIT.fullmatch(wish.partition(";")[0].strip()) for wish in wishes)
    return next((int(found[1]) for found in waits if found), 0)

"""Reads the papers that wait in a library, some at once, until none is left.

The database says which papers wait, so that the queue goes on where it was after a restart, and no
paper is read or listed twice. A paper whose document can't be read is tried again only where the
fault may pass.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from rowen.librarian.content import content_of
from rowen.library.library import Library
from rowen.library.waiting import Waiting
from rowen.logs import LOG
from rowen.model.errors import OutputError, RowenError, StoreError
from rowen.service.extraction import Extraction
from rowen.service.watching import places_of
from rowen.service.workers import BusyError
from rowen.storage.documents.store import Store

BUSY_SECONDS = 1.0
"""How long the queue waits where all workers are taken by requests."""

LONGEST_SLEEP = 30.0
"""How long it sleeps at most, before it looks for papers again."""


class ReadingQueue:
    """The queue of one library; for the event loop's thread, but for `busy` and `revision`."""

    def __init__(
        self,
        library: Callable[[], Library],
        store: Store,
        extraction: Extraction,
        *,
        readers: int,
    ) -> None:
        self._library = library
        self._store = store
        self._extraction = extraction
        self._readers = readers
        self._task: asyncio.Task[None] | None = None
        self._signal = asyncio.Event()
        self._running: dict[asyncio.Task[None], Waiting] = {}
        self.revision = 0
        """Grows whenever a paper changes."""

    @property
    def busy(self) -> bool:
        """Whether the queue works, or waits for a retry."""
        return self._task is not None and not self._task.done()

    @property
    def reading(self) -> Mapping[str, str]:
        """The papers that are being read, with the names of their files."""
        return {paper.id: paper.name for paper in self._running.values()}

    def change(self) -> None:
        """Note that a paper has changed, for those who watch."""
        self.revision += 1

    def wake(self) -> None:
        """Look for papers that wait."""
        self.change()
        self._signal.set()
        if not self.busy:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop reading. Papers that are being read wait again, as after a crash."""
        task, self._task = self._task, None
        for own in (task, *self._running):
            if own is not None:
                own.cancel()
                with suppress(asyncio.CancelledError):
                    await own

    async def _run(self) -> None:
        while True:
            self._signal.clear()
            try:
                await self._fill()
                pause = None if self._running else await self._pause()
            except RowenError as error:  # the disk is full, or the database is busy
                LOG.warning("the library's queue waits: %s", error)
                pause = BUSY_SECONDS
            if self._running:
                await self._wait({*self._running}, None)
            elif pause is not None:
                await self._wait(set(), pause)
            elif not self._signal.is_set():
                return

    async def _fill(self) -> None:
        """Start reading papers, as many as may be read at once."""
        while len(self._running) < self._readers:
            numbers = {paper.number for paper in self._running.values()}
            paper = await asyncio.to_thread(self._library().next_waiting, but=numbers)
            if paper is None:
                return
            task = asyncio.create_task(self._read(paper))
            self._running[task] = paper
            self.change()

    async def _pause(self) -> float | None:
        """How long until a retry is due; None where nothing waits."""
        due = await asyncio.to_thread(self._library().next_due)
        return None if due is None else min(LONGEST_SLEEP, max(0.05, due - time.time()))

    async def _wait(self, tasks: set[asyncio.Task[None]], seconds: float | None) -> None:
        """Wait until a paper is done or the queue is woken."""
        signal = asyncio.ensure_future(self._signal.wait())
        try:
            await asyncio.wait(
                {*tasks, signal}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            signal.cancel()
        for task in [task for task in self._running if task.done()]:
            del self._running[task]
            self.change()

    async def _read(self, paper: Waiting) -> None:
        library = self._library()
        try:
            document = await asyncio.to_thread(self._store.document, paper.id)
            if document is None:  # it was deleted past the library
                await asyncio.to_thread(library.remove, paper.id)
                return
            try:
                content, version = await content_of(self._extraction, document, fresh=paper.fresh)
            except BusyError:
                await asyncio.sleep(BUSY_SECONDS)
            except (OutputError, StoreError) as error:
                await asyncio.to_thread(library.put_failure, paper.number, str(error), final=False)
            except RowenError as error:
                final = await asyncio.to_thread(self._extraction.is_set_aside, document)
                await asyncio.to_thread(library.put_failure, paper.number, str(error), final=final)
            else:
                await asyncio.to_thread(library.put_content, paper.number, content, version)
        except RowenError as error:  # it still waits
            LOG.warning("a paper of the library waits: %s", error)
            await asyncio.sleep(BUSY_SECONDS)
        except Exception as error:  # noqa: BLE001  # the queue must go on with other papers
            fields = {"error": type(error).__name__, "where": places_of(error)}
            LOG.error("internal error in the library's queue", extra={"fields": fields})
            with suppress(RowenError):
                reason = "internal error; see the log of the service"
                await asyncio.to_thread(library.put_failure, paper.number, reason, final=False)

"""The library of a data folder that no service uses, for the command line."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rowen.librarian.arrivals import Intake, Skipped
from rowen.librarian.extension import LibraryExtension
from rowen.librarian.shelf import NAME, Shelf
from rowen.library.library import Library
from rowen.library.selection import Selection
from rowen.library.tables import has_library
from rowen.model.errors import InputError, SourceError
from rowen.service.quotas import Entry
from rowen.service.settings import Settings
from rowen.service.state import Service
from rowen.storage.documents.files import UPLOAD_CHUNK_BYTES
from rowen.storage.documents.store import Draft

STEP_SECONDS = 0.1
"""How often progress is shown."""

Progress = Callable[[str, int, int | None], None]
"""Called with a step (adding, reading), how many papers are done, and how many there are."""


@dataclass(slots=True)
class Import:
    """What came of an import."""

    new: int = 0
    known: int = 0
    """Files that the library had already."""
    skipped: list[Skipped] = field(default_factory=list)
    """Files that were not taken, and papers that could not be read."""
    left: int = 0
    """Papers that still wait to be read; more than none after an interrupt."""


class Importer:
    """Imports files into the library of a data folder."""

    def __init__(self, data: Path, *, jobs: int, progress: Progress) -> None:
        self._settings = Settings(data=data, workers=jobs)
        self._progress = progress
        self._stopped = False

    def stop(self) -> None:
        """Stop after the current step. Signal handlers may call it."""
        self._stopped = True

    def run(self, files: Iterable[Path]) -> Import:
        """Add files and read them; also those that an earlier import has left."""
        # In a thread of its own: the caller's may have an event loop, and must take signals.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(self._run(list(files)))).result()

    async def _run(self, files: list[Path]) -> Import:
        service = Service(self._settings, [LibraryExtension()])
        try:
            shelf = service.home.extensions[NAME]
            assert isinstance(shelf, Shelf)
            outcome = Import()
            failed_before = await self._failed(shelf)
            shelf.queue.wake()  # papers are read while others are added
            await self._add(service, shelf, files, outcome)
            await self._read(shelf, outcome)
            failed = await self._failed(shelf)
            outcome.skipped += [
                Skipped(name, reason)
                for paper, (name, reason) in failed.items()
                if paper not in failed_before
            ]
            await service.stop()
        finally:
            service.close()
        return outcome

    async def _add(
        self, service: Service, shelf: Shelf, files: list[Path], outcome: Import
    ) -> None:
        realm = service.home

        def counting() -> AbstractContextManager[Entry]:
            return realm.account.entry(most_bytes=None, most_documents=None)

        intake = Intake(shelf, realm.store, counting)
        for number, file in enumerate(files):
            if self._stopped:
                outcome.left += len(files) - number
                return
            self._progress("adding", number, len(files))
            draft = await asyncio.to_thread(realm.store.draft)
            try:
                await asyncio.to_thread(_copy, file, draft)
                with realm.account.entry(most_bytes=None, most_documents=None) as entry:
                    arrivals = await intake.take(draft, file.name, entry)
            except InputError as error:
                outcome.skipped.append(Skipped(str(file), getattr(error, "reason", str(error))))
            else:
                outcome.skipped += arrivals.skipped
                new = sum(paper.new for paper in arrivals.papers)
                outcome.new += new
                outcome.known += len(arrivals.papers) - new
            finally:
                draft.discard()

    async def _read(self, shelf: Shelf, outcome: Import) -> None:
        shelf.queue.wake()
        total = None
        while True:
            waiting = (await asyncio.to_thread(shelf.library.counts))["waiting"]
            total = waiting if total is None else max(total, waiting)
            if not waiting or self._stopped:
                outcome.left += waiting
                return
            self._progress("reading", total - waiting, total)
            await asyncio.sleep(STEP_SECONDS)

    async def _failed(self, shelf: Shelf) -> dict[str, tuple[str, str]]:
        def failed() -> dict[str, tuple[str, str]]:
            ids = shelf.library.chosen(Selection(facets={"state": ("failed",)}))
            items = shelf.library.items(ids)
            return {item.id: (item.name, item.reason or "") for item in items}

        return await asyncio.to_thread(failed)


@contextmanager
def open_library(data: Path) -> Iterator[Library]:
    """The library of a data folder, for reading; a service may use it meanwhile."""
    if not has_library(data):
        raise SourceError(f"{data} has no library; `rowen library import` makes one")
    library = Library(data)
    try:
        yield library
    finally:
        library.close()


def _copy(file: Path, draft: Draft) -> None:
    try:
        with file.open("rb") as content:
            while chunk := content.read(UPLOAD_CHUNK_BYTES):
                draft.write(chunk)
    except OSError as error:
        raise InputError(f"it can't be read: {error.strerror}") from None

"""A tenant's library with its queue, opened when it is first used."""

import asyncio
from pathlib import Path
from threading import Lock

from rowen.librarian.reading_queue import ReadingQueue
from rowen.library.library import Library
from rowen.library.tables import has_library
from rowen.service.extraction import Extraction
from rowen.storage.documents.store import Store

NAME = "library"
"""The library's name among the service's extensions."""


class Shelf:
    """The library of one tenant. Its queue belongs to the event loop's thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opening = Lock()
        self._library: Library | None = None
        self._queue: ReadingQueue | None = None

    def attend(self, store: Store, extraction: Extraction, *, readers: int) -> None:
        """Take the tenant's documents; `readers` of them may be read at once."""
        self._queue = ReadingQueue(lambda: self.library, store, extraction, readers=readers)

    @property
    def queue(self) -> ReadingQueue:
        """What reads the papers that wait."""
        assert self._queue is not None
        return self._queue

    @property
    def library(self) -> Library:
        """The library; created if missing. StoreError where it can't be opened."""
        with self._opening:
            if self._library is None:
                self._library = Library(self._folder)
            return self._library

    @property
    def exists(self) -> bool:
        """Whether there is a library already."""
        return self._library is not None or has_library(self._folder)

    @property
    def busy(self) -> bool:
        """Whether papers are being read."""
        return self._queue is not None and self._queue.busy

    async def go_on(self) -> None:
        """Read the papers that wait, if there is a library."""
        if self.exists:
            await asyncio.to_thread(lambda: self.library)
            self.queue.wake()

    async def stop(self) -> None:
        """Stop reading."""
        await self.queue.stop()

    def forget(self, document: str) -> None:
        """Remove the paper of a document that was deleted."""
        if self.exists and self.library.remove(document):
            self.queue.change()

    def close(self) -> None:
        """Close the library."""
        if self._library is not None:
            self._library.close()

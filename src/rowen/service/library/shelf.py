"""A tenant's library with its queue, opened when it is first used."""

from pathlib import Path
from threading import Lock

from rowen.library.library import Library
from rowen.library.tables import has_library
from rowen.service.extraction import Extraction
from rowen.service.library.reading_queue import ReadingQueue
from rowen.storage.documents.store import Store


class Shelf:
    """The library of one tenant. Its queue belongs to the event loop's thread."""

    def __init__(self, folder: Path, store: Store, extraction: Extraction, *, readers: int) -> None:
        self._folder = folder
        self._opening = Lock()
        self._library: Library | None = None
        self.queue = ReadingQueue(lambda: self.library, store, extraction, readers=readers)

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
        return self.queue.busy

    def forget(self, document: str) -> None:
        """Remove the paper of a document that was deleted."""
        if self.exists and self.library.remove(document):
            self.queue.change()

    def close(self) -> None:
        """Close the library."""
        if self._library is not None:
            self._library.close()

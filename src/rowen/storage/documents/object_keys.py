"""Idempotency-Keys on object storage: of two requests with one key, only one adds a document."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import random
from secrets import token_hex
from time import sleep

from rowen.model.errors import StoreError, UsageError
from rowen.storage.documents.object_entries import ObjectEntries
from rowen.storage.documents.object_files import ObjectFiles
from rowen.storage.documents.store import Document

KEY_CLAIM_SECONDS = 30.0
"""Limit: how long a service may be busy with an Idempotency-Key on object storage. It enters a
document whose bytes are there already; one that takes longer counts as dead."""

KEY_TRIES = 8
"""Limit: how often a service that meets another one at an Idempotency-Key tries again."""


class ObjectKeys:
    """The documents of Idempotency-Keys; a key is named by its folder."""

    def __init__(self, files: ObjectFiles, entries: ObjectEntries) -> None:
        self._files = files
        self._entries = entries

    def document(self, folder: str) -> Document | None:
        """The document of an earlier request with this key."""
        stored = self._files.read_json(f"{folder}/document.json")
        return None if stored is None else self._entries.document(stored["document"])

    def earlier(self, folder: str | None, digest: str, url: str) -> Document | None:
        """The same; UsageError where it has other bytes or another address."""
        if folder is None:
            return None
        earlier = self.document(folder)
        if earlier is not None and (earlier.digest, earlier.url) != (digest, url):
            raise UsageError("this Idempotency-Key was used with another document")
        return earlier

    @contextmanager
    def claimed(self, folder: str | None) -> Iterator[None]:
        """Hold a key alone: first claim it, then look for other claims."""
        if folder is None:
            yield
            return
        for _ in range(KEY_TRIES):
            claim = f"{folder}/claims/{token_hex(8)}.json"
            # As with homes: written first, then looked for others. Of two, at least one sees the
            # other.
            self._files.write_json(claim, {})
            rivals = [
                rival
                for name in self._files.names(f"{folder}/claims")
                if (rival := f"{folder}/claims/{name}") != claim
                and not self._files.is_older(rival, KEY_CLAIM_SECONDS, than=claim)
            ]
            if not rivals:
                try:
                    yield
                finally:
                    self._files.delete(claim)
                return
            self._files.delete(claim)
            sleep(random())  # noqa: S311  # so that two don't meet again
        raise StoreError("another request with this Idempotency-Key is running")

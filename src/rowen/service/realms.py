"""Realms: what one tenant has, apart from what all others have."""

from pathlib import Path

from rowen.service.embedded import EmbeddedStore
from rowen.service.extraction import Extraction
from rowen.service.store import Store
from rowen.service.workers import Workers

HOME = ""
"""The realm of a service without tenants."""


class Realm:
    """Documents, results and extractors that nobody outside of it sees or is served from.

    Its name is part of every place that it keeps things in; workers are all that realms share.
    """

    def __init__(self, name: str, store: Store, workers: Workers) -> None:
        self.name = name
        self.store = store
        self.extraction = Extraction(store, workers)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()


def open_store(data: Path, name: str) -> Store:
    """The store of a realm, made where there is none."""
    return EmbeddedStore(data / "tenants" / name if name else data)

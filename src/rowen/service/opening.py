"""Opens the stores of a service, by its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rowen.service.extension import Extension
from rowen.service.stages import TEXT, stage_versions
from rowen.storage.documents.guard import STORE_SECONDS, Guard
from rowen.storage.documents.neighbours import EmbeddedNeighbours, Neighbours, NoNeighbours
from rowen.storage.documents.object_documents import ObjectDocuments
from rowen.storage.documents.object_results import ObjectResults
from rowen.storage.documents.redis import SharedRedis
from rowen.storage.documents.redis_results import RESULT_SECONDS
from rowen.storage.documents.reserve import Reserve
from rowen.storage.documents.sqlite import EmbeddedStore
from rowen.storage.documents.store import DocumentStore, ResultStore, SplitStore, Store
from rowen.storage.place import Place


@dataclass(frozen=True, slots=True)
class Sharing:
    """What all realms of a service share, some of it with other services."""

    files: str | None = None
    """The address of the documents' storage, if they are not in the data folder."""
    redis: SharedRedis | None = None
    result_seconds: Mapping[str, int] = field(default_factory=dict)
    """How long Redis keeps results of a kind, where that differs from the default."""
    near: bool = True
    """Whether near-duplicates are searched."""
    reserve: Reserve | None = None
    """The reserve of the disk that has the folders of all realms."""
    guard: Guard = field(default_factory=Guard)
    """The circuit breaker of the documents' storage."""
    extensions: tuple[Extension, ...] = ()
    """Applications that keep data of their own in each realm."""


def open_store(folder: Path, sharing: Sharing, *, realm: str) -> Store:
    """The store of a realm, created if missing; no other realm uses the folder."""
    if sharing.files is None and sharing.redis is None:
        return EmbeddedStore(folder, reserve=sharing.reserve)
    documents: DocumentStore
    results: ResultStore
    if sharing.files is None:
        documents = results = EmbeddedStore(folder, reserve=sharing.reserve)
    else:
        place = Place(sharing.files, seconds=STORE_SECONDS)
        documents = ObjectDocuments(
            place, folder, realm=realm, guard=sharing.guard, reserve=sharing.reserve
        )
        results = ObjectResults(place, realm=realm, guard=sharing.guard)
    if sharing.redis is not None:
        from rowen.storage.documents.redis_results import RedisResults

        # Redis may lose what it has, so that it gets results only: these can be computed again.
        seconds = {**RESULT_SECONDS, **sharing.result_seconds}
        results = RedisResults(sharing.redis, realm=realm, seconds=seconds)
    return SplitStore(documents, results)


def open_neighbours(folder: Path, sharing: Sharing, *, realm: str) -> Neighbours:
    """The index of near-duplicates of a realm: in Redis where there is one, or in the folder."""
    if not sharing.near:
        return NoNeighbours()
    if sharing.redis is None:
        return EmbeddedNeighbours(folder, version=stage_versions()[TEXT])
    from rowen.storage.documents.redis_neighbours import RedisNeighbours

    return RedisNeighbours(sharing.redis, realm=realm)

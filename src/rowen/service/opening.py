"""Which stores a service has, by what its operator chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rowen.limits import RESULT_SECONDS, STORE_SECONDS
from rowen.service.embedded import EmbeddedStore
from rowen.service.guard import Guard
from rowen.service.neighbours import EmbeddedNeighbours, Neighbours, NoNeighbours
from rowen.service.object_results import ObjectResults
from rowen.service.objects import ObjectTruth
from rowen.service.redis import SharedRedis
from rowen.service.reserve import Reserve
from rowen.service.stages import TEXT, stage_versions
from rowen.service.store import Results, SplitStore, Store, Truth
from rowen.stores.place import Place


@dataclass(frozen=True, slots=True)
class Sharing:
    """What of all realms lives where several services share it."""

    files: str | None = None
    """The address of documents."""
    redis: SharedRedis | None = None
    result_seconds: Mapping[str, int] = field(default_factory=dict)
    """How long Redis keeps results of a kind, where not as usual."""
    near: bool = True
    """Whether near-duplicates are looked for."""
    reserve: Reserve | None = None
    """That of the disk with the folders of all realms."""
    guard: Guard = field(default_factory=Guard)
    """That of the place of documents."""


def open_store(folder: Path, sharing: Sharing, *, realm: str) -> Store:
    """The store of a realm, made where there is none; the folder is its own in any case."""
    if sharing.files is None and sharing.redis is None:
        return EmbeddedStore(folder, reserve=sharing.reserve)
    truth: Truth
    results: Results
    if sharing.files is None:
        truth = results = EmbeddedStore(folder, reserve=sharing.reserve)
    else:
        place = Place(sharing.files, seconds=STORE_SECONDS)
        truth = ObjectTruth(
            place, folder, realm=realm, guard=sharing.guard, reserve=sharing.reserve
        )
        results = ObjectResults(place, realm=realm, guard=sharing.guard)
    if sharing.redis is not None:
        from rowen.service.redis_results import RedisResults

        seconds = {**RESULT_SECONDS, **sharing.result_seconds}
        results = RedisResults(sharing.redis, realm=realm, seconds=seconds)
    return SplitStore(truth, results)


def open_neighbours(folder: Path, sharing: Sharing, *, realm: str) -> Neighbours:
    """The index of near-duplicates of a realm: where services share it, or in the folder."""
    if not sharing.near:
        return NoNeighbours()
    if sharing.redis is None:
        return EmbeddedNeighbours(folder, version=stage_versions()[TEXT])
    from rowen.service.redis_neighbours import RedisNeighbours

    return RedisNeighbours(sharing.redis, realm=realm)

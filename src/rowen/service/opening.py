"""Which stores a service has, by what its operator chose."""

from collections.abc import Mapping
from pathlib import Path

from rowen.limits import RESULT_SECONDS
from rowen.service.embedded import EmbeddedStore
from rowen.service.object_results import ObjectResults
from rowen.service.objects import ObjectTruth
from rowen.service.redis import SharedRedis
from rowen.service.store import Results, SplitStore, Store, Truth
from rowen.stores.place import Place

OPEN_REALM = "open"
"""The realm of a service that lets everyone in."""


def open_store(
    data: Path,
    *,
    files: str | None,
    redis: SharedRedis | None,
    realm: str,
    result_seconds: Mapping[str, int],
) -> Store:
    """The store of a realm: all in a folder, or documents and results each where they are shared.

    Two realms need two folders; elsewhere their names keep them apart.
    """
    if files is None and redis is None:
        return EmbeddedStore(data)
    truth: Truth
    results: Results
    if files is None:
        truth = EmbeddedStore(data)
    else:
        place = Place(files)
        truth = ObjectTruth(place, data, realm=realm)
        results = ObjectResults(place, realm=realm)
    if redis is not None:
        from rowen.service.redis_results import RedisResults

        seconds = {**RESULT_SECONDS, **result_seconds}
        results = RedisResults(redis, realm=realm, seconds=seconds)
    return SplitStore(truth, results)

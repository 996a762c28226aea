"""Which stores a service has, by what its operator chose."""

from collections.abc import Mapping
from pathlib import Path

from rowen.limits import RESULT_SECONDS
from rowen.service.embedded import EmbeddedStore
from rowen.service.redis import SharedRedis
from rowen.service.store import SplitStore, Store

OPEN_REALM = "open"
"""The realm of a service that lets everyone in."""


def open_store(
    data: Path,
    *,
    redis: SharedRedis | None,
    realm: str,
    result_seconds: Mapping[str, int],
) -> Store:
    """The store of a realm: all in a folder, or documents and results each where they are shared.

    Two realms need two folders; elsewhere their names keep them apart.
    """
    embedded = EmbeddedStore(data)
    if redis is None:
        return embedded
    from rowen.service.redis_results import RedisResults

    seconds = {**RESULT_SECONDS, **result_seconds}
    return SplitStore(embedded, RedisResults(redis, realm=realm, seconds=seconds))

"""Results in Redis, each kind for its time: a cache that several services share."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rowen.limits import FORGOTTEN_LATER, RESULT_SECONDS
from rowen.service.packing import Packing
from rowen.service.reading import RECORDS
from rowen.service.redis import SharedRedis, redis_key
from rowen.service.store import Document, Result

if TYPE_CHECKING:
    from redis import Redis


class RedisResults:
    """A hash for each kind of result of a content, so that all are known when it is forgotten."""

    results_are_remote = True

    def __init__(
        self, redis: SharedRedis, *, realm: str, seconds: Mapping[str, int] = RESULT_SECONDS
    ) -> None:
        self._redis = redis
        self._realm = realm
        self._seconds = seconds
        self._packing = Packing()
        self._owed: dict[str, None] = {}

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content; nothing while Redis doesn't answer."""
        key, field = self._key(digest, stage), _field(stage, form, version)
        packed = self._redis.ask(lambda redis: redis.hget(key, field), None)
        if not isinstance(packed, bytes):
            return None
        return self._packing.unpack(packed, f"{key} {field}")

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation, if Redis answers."""
        self._forget_owed()
        key = self._key(document.digest, stage)
        packed: dict[Any, Any] = {
            field: self._packing.pack(Result(content, document.id), f"{key} {field}")
            for form, content in forms.items()
            for field in [_field(stage, form, version)]
        }

        def put(redis: "Redis") -> None:
            with redis.pipeline() as together:
                if _kind(stage) != RECORDS:  # of these, other extractors' lie beside
                    together.delete(key)
                together.hset(key, mapping=packed)
                # Only where it has no end yet: else extractors without end would make it immortal.
                together.expire(key, self._seconds[_kind(stage)], nx=True)
                together.execute()

        self._redis.ask(put, None)

    def forget(self, digest: str) -> None:
        """Forget all of a content, as soon as Redis answers."""
        self._owed[digest] = None
        while len(self._owed) > FORGOTTEN_LATER:  # these run out by themselves
            self._owed.pop(next(iter(self._owed)), None)
        self._forget_owed()

    def _forget_owed(self) -> None:
        for digest in list(self._owed):
            if not self._redis.ask(partial(self._unlink, digest), otherwise=False):
                return
            self._owed.pop(digest, None)

    def _unlink(self, digest: str, redis: "Redis") -> bool:
        redis.unlink(*(self._key(digest, kind) for kind in RESULT_SECONDS))
        return True

    def _key(self, digest: str, stage: str) -> str:
        return redis_key(self._realm, "result", digest, _kind(stage))


def _kind(stage: str) -> str:
    """An extractor's records are of one kind, whosever they are."""
    return stage.partition(" ")[0]


def _field(stage: str, form: str, version: str) -> str:
    return f"{stage} {version} {form}"

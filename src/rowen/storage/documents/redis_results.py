"""Results in Redis, with a time to live per kind: a cache that several services share."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rowen.storage.documents.packing import Packing
from rowen.storage.documents.redis import SharedRedis, redis_key
from rowen.storage.documents.store import RECORDS, Document, Result

if TYPE_CHECKING:
    from redis import Redis

RESULT_SECONDS = {
    "text": 6 * 3600,
    "parts": 6 * 3600,
    "header": 24 * 3600,
    "citations": 6 * 3600,
    "body": 6 * 3600,
    "records": 6 * 3600,
    "report": 3600,
}
"""How long Redis keeps results of each kind: citations as long as CiteSeerExtractor did. Headers
are small, and most requests are for them."""

FORGOTTEN_LATER = 10_000
"""Limit: how many contents that were deleted while Redis did not answer are remembered, to be
deleted there later. Others expire by themselves."""


class RedisResults:
    """One hash per content and kind of result: deleting a content needs no search for keys."""

    results_are_remote = True

    def __init__(
        self, redis: SharedRedis, *, realm: str, seconds: Mapping[str, int] = RESULT_SECONDS
    ) -> None:
        self._redis = redis
        self._realm = realm
        self._seconds = seconds
        self._packing = Packing()
        self._undeleted: dict[str, None] = {}

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content; None while Redis does not answer."""
        key, field = self._key(digest, stage), _field(stage, form, version)
        packed = self._redis.ask(lambda redis: redis.hget(key, field), None)
        if not isinstance(packed, bytes):
            return None
        return self._packing.unpack(packed, f"{key} {field}")

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Store the forms of a representation, if Redis answers."""
        self._delete_pending()
        key = self._key(document.digest, stage)
        packed: dict[Any, Any] = {
            field: self._packing.pack(Result(content, document.id), f"{key} {field}")
            for form, content in forms.items()
            for field in [_field(stage, form, version)]
        }

        def put(redis: "Redis") -> None:
            with redis.pipeline() as pipeline:
                if _kind(stage) != RECORDS:  # the hash of records has those of other extractors too
                    pipeline.delete(key)
                pipeline.hset(key, mapping=packed)
                # nx: only where no expiry is set. Otherwise each new extractor would prolong the
                # life of all records.
                pipeline.expire(key, self._seconds[_kind(stage)], nx=True)
                pipeline.execute()

        self._redis.ask(put, None)

    def forget(self, digest: str) -> None:
        """Delete all results of a content, as soon as Redis answers."""
        # Remembered first: whatever happens now, a later call deletes it.
        self._undeleted[digest] = None
        while len(self._undeleted) > FORGOTTEN_LATER:  # the oldest expire by themselves
            self._undeleted.pop(next(iter(self._undeleted)), None)
        self._delete_pending()

    def _delete_pending(self) -> None:
        for digest in list(self._undeleted):
            # Redis does not answer: all others would have to wait as well.
            if not self._redis.ask(partial(self._unlink, digest), otherwise=False):
                return
            self._undeleted.pop(digest, None)

    def _unlink(self, digest: str, redis: "Redis") -> bool:
        redis.unlink(*(self._key(digest, kind) for kind in RESULT_SECONDS))
        return True

    def _key(self, digest: str, stage: str) -> str:
        return redis_key(self._realm, "result", digest, _kind(stage))


def _kind(stage: str) -> str:
    """The records of all extractors are of one kind."""
    return stage.partition(" ")[0]


def _field(stage: str, form: str, version: str) -> str:
    return f"{stage} {version} {form}"

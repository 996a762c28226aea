"""Services that share a Redis don't do the same work at once: who begins says so there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING

from rowen.limits import WORK_CLAIM_SECONDS, WORK_POLL_SECONDS, WORK_WAIT_SECONDS
from rowen.service.redis import SharedRedis, redis_key

if TYPE_CHECKING:
    from redis import Redis

_MILLISECONDS = round(WORK_CLAIM_SECONDS * 1000)
_RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) end"
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class Claims:
    """A claim runs out unless it is renewed, so that work whose service died is taken over."""

    def __init__(self, redis: SharedRedis | None, *, realm: str) -> None:
        self._redis = redis
        self._realm = realm

    @property
    def shared(self) -> bool:
        """Whether there may be other services."""
        return self._redis is not None

    @asynccontextmanager
    async def turn(self, work: str) -> AsyncIterator[None]:
        """A time to do some work in which no other service does it.

        While Redis doesn't answer, and after a long wait, each works by itself.
        """
        if self._redis is None:
            yield
            return
        key, token = redis_key(self._realm, "work", work), token_hex(8)
        mine = await self._wait(self._redis, key, token)
        renewing = asyncio.create_task(self._renew(self._redis, key, token)) if mine else None
        try:
            yield
        finally:
            if renewing is not None:
                renewing.cancel()
                await asyncio.to_thread(
                    self._redis.ask, lambda redis: redis.eval(_RELEASE, 1, key, token), None
                )

    async def _wait(self, redis: SharedRedis, key: str, token: str) -> bool:
        def take(redis: "Redis") -> bool:
            return bool(redis.set(key, token, nx=True, px=_MILLISECONDS))

        until, pause = monotonic() + WORK_WAIT_SECONDS, WORK_POLL_SECONDS / 10
        while not await asyncio.to_thread(redis.ask, take, otherwise=True):
            if monotonic() >= until:
                return False
            await asyncio.sleep(pause)
            pause = min(pause * 2, WORK_POLL_SECONDS)
        return True

    async def _renew(self, redis: SharedRedis, key: str, token: str) -> None:
        while True:
            await asyncio.sleep(WORK_CLAIM_SECONDS / 4)
            await asyncio.to_thread(
                redis.ask, lambda redis: redis.eval(_RENEW, 1, key, token, _MILLISECONDS), None
            )

"""Claims: services that share a Redis don't do the same work at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING

from rowen.storage.documents.redis import SharedRedis, redis_key

if TYPE_CHECKING:
    from redis import Redis

WORK_CLAIM_SECONDS = 10.0
"""Limit: how long a claim on a document lasts without renewal. Then the service that held it counts
as dead, and another one takes over. A claim is renewed four times in that time."""

WORK_POLL_SECONDS = 0.25
"""How often a service checks whether another one has finished a document."""

WORK_WAIT_SECONDS = 120.0
"""Limit: how long a service waits for another one before it does the work itself. Reading a
document takes seconds, but it may have to wait for other documents first."""


_MILLISECONDS = round(WORK_CLAIM_SECONDS * 1000)
# Scripts compare and change in one step: a claim that has expired may be another service's by now.
_RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], ARGV[2]) end"
_RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class Claims:
    """A claim expires unless it is renewed: when its service dies, another one takes over."""

    def __init__(self, redis: SharedRedis | None, *, realm: str) -> None:
        self._redis = redis
        self._realm = realm

    @property
    def shared(self) -> bool:
        """Whether there may be other services."""
        return self._redis is not None

    @asynccontextmanager
    async def turn(self, work: str) -> AsyncIterator[None]:
        """Hold the claim on some work, so that no other service does it.

        While Redis does not answer, and after a long wait, each service works by itself.
        """
        if self._redis is None:
            yield
            return
        key, token = redis_key(self._realm, "work", work), token_hex(8)
        is_claimed = await self._wait(self._redis, key, token)
        renewing = asyncio.create_task(self._renew(self._redis, key, token)) if is_claimed else None
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
        # otherwise=True: without Redis each service works by itself.
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

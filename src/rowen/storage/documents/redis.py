"""A Redis that may be slow or gone at any time without delaying or failing a request."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from rowen.logs import LOG
from rowen.model.errors import UsageError
from rowen.model.extras import needs

if TYPE_CHECKING:
    from redis import Redis

REDIS_SECONDS = 0.5
"""Limit: how long the service waits for Redis. Without it a document is read in about a second."""

REDIS_REST_SECONDS = 1.0
"""Limit: how long Redis is not used after it did not answer, so that few requests wait for it."""


Reply = TypeVar("Reply")
Default = TypeVar("Default")


class SharedRedis:
    """Connections that give up soon, and then rest for a while (a circuit breaker).

    Everything in Redis can be computed again, so errors don't leave this class: `ask` returns a
    default instead. For any thread, but not for the event loop, which would wait.
    """

    def __init__(self, url: str) -> None:
        with needs("redis", "--redis"):
            import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        # A pooled connection may be dead after a restart of Redis: try one new connection at once.
        retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
        try:
            self._client = redis.Redis.from_url(
                url,
                socket_timeout=REDIS_SECONDS,
                socket_connect_timeout=REDIS_SECONDS,
                retry=retry,
                protocol=2,  # version 3 would make the client watch for pushed messages
            )
        except ValueError as error:
            raise UsageError(f"--redis: {error}") from None
        # Only these mean that the next call would wait in vain, too.
        self._lost = (redis.ConnectionError, redis.TimeoutError)
        self._refused = redis.RedisError
        self._resting = Lock()
        self._until = 0.0
        self.failures = 0
        """How often Redis did not answer, or refused a command."""
        parts = urlsplit(url)
        self.address = (
            f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"
            f"{parts.path}"
        )
        """The address without the password."""

    def ask(self, question: "Callable[[Redis], Reply]", otherwise: Default) -> Reply | Default:
        """What Redis answers, or `otherwise` while it does not.

        After a failure one call at a time finds out whether Redis is back; others don't wait.
        """
        if not self._may_ask():
            return otherwise
        try:
            reply = question(self._client)
        except self._lost as error:
            self._fail(type(error).__name__, pause=True)
        except self._refused as error:  # no memory, a key of another type: the next may succeed
            self._fail(type(error).__name__, pause=False)
        except Exception as error:  # noqa: BLE001  # another program may have written any bytes
            LOG.warning("redis: unexpected data: %s", type(error).__name__)
            self._fail(type(error).__name__, pause=False)
        else:
            if self._until:
                self._until = 0.0
                LOG.warning("redis answers again")
            return reply
        return otherwise

    def answers(self) -> bool:
        """Whether Redis answers now; False while it rests."""
        return bool(self.ask(lambda redis: redis.ping(), otherwise=False))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _may_ask(self) -> bool:
        if not self._until:
            return True
        with self._resting:
            now = monotonic()
            if now < self._until:
                return False
            self._until = (
                now + REDIS_REST_SECONDS + REDIS_SECONDS
            )  # this call tries on behalf of all
            return True

    def _fail(self, reason: str, *, pause: bool) -> None:
        with self._resting:
            self.failures += 1
            if pause:
                if not self._until:
                    LOG.warning("redis does not answer: %s", reason)
                self._until = monotonic() + REDIS_REST_SECONDS


def redis_key(realm: str, kind: str, *parts: str) -> str:
    """A key with the realm in it: tenants share nothing."""
    return ":".join(("rowen", realm, kind, *parts))

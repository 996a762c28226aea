"""A Redis that may be slow or gone at any time without holding up or failing a request."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from rowen.limits import REDIS_REST_SECONDS, REDIS_SECONDS
from rowen.model.errors import UsageError
from rowen.service.logs import LOG

if TYPE_CHECKING:
    from redis import Redis

Reply = TypeVar("Reply")
Default = TypeVar("Default")


class SharedRedis:
    """Connections that give up soon, and rest a while after they had to.

    Everything in Redis can be computed again, so nobody learns of an error: `ask` gives what the
    caller goes on with instead. Any thread may ask; the event loop should not, it would wait.
    """

    def __init__(self, url: str) -> None:
        try:
            import redis
        except ImportError:
            raise UsageError("--redis needs `pip install rowen[redis]`") from None
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        # A pooled connection may be of before a restart: the next one is tried, at once and once.
        again = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
        try:
            self._client = redis.Redis.from_url(
                url,
                socket_timeout=REDIS_SECONDS,
                socket_connect_timeout=REDIS_SECONDS,
                retry=again,
                protocol=2,  # nothing is pushed to us, so no connection need be watched for it
            )
        except ValueError as error:
            raise UsageError(f"--redis: {error}") from None
        self._lost = (redis.ConnectionError, redis.TimeoutError)
        self._refused = redis.RedisError
        self._resting = Lock()
        self._until = 0.0
        self.failures = 0
        """How often Redis could not be asked, or refused what it was asked for."""
        at = urlsplit(url)
        self.address = (
            f"{at.scheme}://{at.hostname or ''}{f':{at.port}' if at.port else ''}{at.path}"
        )
        """Where it is, without the password."""

    def ask(self, question: "Callable[[Redis], Reply]", otherwise: Default) -> Reply | Default:
        """What Redis answers, or `otherwise` while it does not.

        After a failure one question in a while finds out whether it is back; the others don't wait.
        """
        if not self._may_ask():
            return otherwise
        try:
            reply = question(self._client)
        except self._lost as error:
            self._fail(type(error).__name__, rest=True)
        except self._refused as error:  # no memory, a key of another type: the next may do
            self._fail(type(error).__name__, rest=False)
        except Exception as error:  # noqa: BLE001  # whatever somebody's bytes do to those who read
            LOG.warning("redis has something else than was put there: %s", type(error).__name__)
            self._fail(type(error).__name__, rest=False)
        else:
            if self._until:
                self._until = 0.0
                LOG.warning("redis answers again")
            return reply
        return otherwise

    def answers(self) -> bool:
        """Whether it does now; one that rests is not asked."""
        return bool(self.ask(lambda redis: redis.ping(), otherwise=False))

    def close(self) -> None:
        """Let go of all connections."""
        self._client.close()

    def _may_ask(self) -> bool:
        if not self._until:
            return True
        with self._resting:
            now = monotonic()
            if now < self._until:
                return False
            self._until = now + REDIS_REST_SECONDS + REDIS_SECONDS  # this one asks for all
            return True

    def _fail(self, reason: str, *, rest: bool) -> None:
        with self._resting:
            self.failures += 1
            if rest:
                if not self._until:
                    LOG.warning("redis does not answer: %s", reason)
                self._until = monotonic() + REDIS_REST_SECONDS


def redis_key(realm: str, kind: str, *parts: str) -> str:
    """A key of ours: each realm has its own, so that nothing is shared between tenants."""
    return ":".join(("rowen", realm, kind, *parts))

"""A circuit breaker for object storage: each step has a time limit, and no one waits in vain.

A step runs in a thread of its own, because the libraries below wait as long as bytes trickle in.
The caller goes on when the time is over; the thread ends later, when the library gives up. After a
step that hung, the storage rests: one step at a time finds out whether it is back, and all others
fail at once, so that waiting requests don't add up.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import TypeVar

from rowen.logs import LOG
from rowen.model.errors import StoreError

READY_SECONDS = 1.5
"""Limit: how long the readiness check waits for any part of the service. It must answer within two
seconds."""

STORE_SECONDS = 5.0
"""Limit: how long one step on object storage may take, beside the time for its bytes. Storage that
takes longer counts as hung, and the next callers don't wait for it."""

STORE_REQUEST_SECONDS = 15.0
"""Limit: how long all steps of one request may take together. Storing a document takes about
ten."""

STORE_BYTES_A_SECOND = 1024 * 1024
"""Limit: how fast object storage must send and receive documents, at least."""

STORE_REST_SECONDS = 1.0
"""Limit: how long object storage is not used after it hung, so that few requests wait for it."""

STORE_STEPS = 128
"""Limit: how many steps on object storage run at once. Hung steps count until they end."""


Result = TypeVar("Result")


class HungError(StoreError):
    """Storage did not answer in time: the step may happen all the same, or not."""

    def __init__(self) -> None:
        super().__init__("documents can't be stored or read now: their storage does not answer")


class Budget:
    """The time that all steps of one request have together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(seconds: float = STORE_REQUEST_SECONDS) -> Iterator[None]:
    """Limit the time of all steps within, also in threads and tasks that are started within."""
    token = _BUDGET.set(Budget(seconds))
    try:
        yield
    finally:
        _BUDGET.reset(token)


class Guard:
    """Runs the steps of all users of one storage; for any thread, but not for the event loop."""

    def __init__(self) -> None:
        # Hung steps hold a place until the library gives up, so there are many places.
        self._places = BoundedSemaphore(STORE_STEPS)
        self._threads = ThreadPoolExecutor(STORE_STEPS, thread_name_prefix="storage")
        self._lock = Lock()
        self._resting_until = 0.0

    def do(
        self, step: Callable[[], Result], *, size: int = 0, seconds: float | None = None
    ) -> Result:
        """Run a step that moves `size` bytes; HungError where it takes too long."""
        seconds = STORE_SECONDS if seconds is None else seconds
        allowance, moving = _BUDGET.get(), size / STORE_BYTES_A_SECOND
        patience = seconds if allowance is None else min(seconds, allowance.left)
        if patience <= 0 or not self._may_try():
            raise HungError
        start = monotonic()
        try:
            return self._run(step, patience + moving, full=patience >= STORE_SECONDS)
        finally:
            if allowance is not None:
                # The time that the bytes may take does not count, so that large documents are not
                # refused.
                allowance.left -= max(monotonic() - start - moving, 0.0)

    def _run(self, step: Callable[[], Result], seconds: float, *, full: bool) -> Result:
        if not self._places.acquire(timeout=seconds):
            raise HungError
        try:
            future = self._threads.submit(step)
        except BaseException:
            self._places.release()
            raise
        # Not when the caller gives up: a hung step still occupies a thread.
        future.add_done_callback(lambda _: self._places.release())
        try:
            result = future.result(seconds)
        except TimeoutError:
            if future.done():  # the step itself failed with an error of this kind
                raise
            future.cancel()
            if full:  # after a shorter time the storage may only be slow
                self._rest()
            raise HungError from None
        if self._resting_until:
            self._resting_until = 0.0
            LOG.warning("the storage of documents answers again")
        return result

    def _may_try(self) -> bool:
        if not self._resting_until:
            return True
        with self._lock:
            now = monotonic()
            if now < self._resting_until:
                return False
            # This step tries on behalf of all: until it ends, others are refused.
            self._resting_until = now + STORE_REST_SECONDS + STORE_SECONDS
            return True

    def _rest(self) -> None:
        with self._lock:
            if not self._resting_until:
                LOG.warning("the storage of documents does not answer")
            self._resting_until = monotonic() + STORE_REST_SECONDS

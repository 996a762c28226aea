"""Steps on object storage that may hang: each has its time, and who waits is told in the end.

A step runs in a thread of its own, as the libraries below wait for as long as bytes trickle in. Who
asked for it goes on when its time is over; the thread ends when the library gives up, later. After
a step that hung the storage rests: one step in a while finds out whether it is back, and the others
are refused at once, so that those who wait don't add up.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import TypeVar

from rowen.limits import (
    STORE_BYTES_A_SECOND,
    STORE_REQUEST_SECONDS,
    STORE_REST_SECONDS,
    STORE_SECONDS,
    STORE_STEPS,
)
from rowen.model.errors import StoreError
from rowen.service.logs import LOG

Done = TypeVar("Done")


class HungError(StoreError):
    """Storage did not answer in time: what it was asked for may happen all the same, or not."""

    def __init__(self) -> None:
        super().__init__("documents can't be kept or read now: their storage does not answer")


class Budget:
    """The time that all steps of one request have together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(seconds: float = STORE_REQUEST_SECONDS) -> Iterator[None]:
    """What is done within has so much time for its steps, threads and tasks that it starts, too."""
    token = _BUDGET.set(Budget(seconds))
    try:
        yield
    finally:
        _BUDGET.reset(token)


class Guard:
    """Takes steps for all who use one storage; any thread may ask, but not the event loop."""

    def __init__(self) -> None:
        # Those that hang hold a place until the library gives up, so there are many.
        self._places = BoundedSemaphore(STORE_STEPS)
        self._threads = ThreadPoolExecutor(STORE_STEPS, thread_name_prefix="storage")
        self._lock = Lock()
        self._resting_until = 0.0

    def do(self, step: Callable[[], Done], *, size: int = 0, seconds: float | None = None) -> Done:
        """Take a step that moves so many bytes; HungError where it takes too long."""
        seconds = STORE_SECONDS if seconds is None else seconds
        own, moving = _BUDGET.get(), size / STORE_BYTES_A_SECOND
        patience = seconds if own is None else min(seconds, own.left)
        if patience <= 0 or not self._may_try():
            raise HungError
        begun = monotonic()
        try:
            return self._done(step, patience + moving, full=patience >= STORE_SECONDS)
        finally:
            if own is not None:
                own.left -= max(monotonic() - begun - moving, 0.0)

    def _done(self, step: Callable[[], Done], seconds: float, *, full: bool) -> Done:
        if not self._places.acquire(timeout=seconds):
            raise HungError
        try:
            future = self._threads.submit(step)
        except BaseException:
            self._places.release()
            raise
        future.add_done_callback(lambda _: self._places.release())
        try:
            done = future.result(seconds)
        except TimeoutError:
            if future.done():  # it failed by itself, with an error of this kind
                raise
            future.cancel()
            if full:  # else it may only be slow
                self._rest()
            raise HungError from None
        if self._resting_until:
            self._resting_until = 0.0
            LOG.warning("the storage of documents answers again")
        return done

    def _may_try(self) -> bool:
        if not self._resting_until:
            return True
        with self._lock:
            now = monotonic()
            if now < self._resting_until:
                return False
            self._resting_until = now + STORE_REST_SECONDS + STORE_SECONDS  # this one asks for all
            return True

    def _rest(self) -> None:
        with self._lock:
            if not self._resting_until:
                LOG.warning("the storage of documents does not answer")
            self._resting_until = monotonic() + STORE_REST_SECONDS

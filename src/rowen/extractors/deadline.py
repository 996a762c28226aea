"""Time limits for patterns, in wall-clock time and shared by all patterns of a page.

The engine's own limit counts processor time, and starts again with each match: on a busy machine,
or with many slow matches, a page could keep it busy for as long as it likes.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic


@dataclass(slots=True)
class _Budget:
    seconds: float
    left: float


_budget: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def patterns_within(seconds: float) -> Iterator[None]:
    """Give all patterns inside the block this many seconds together."""
    token = _budget.set(_Budget(seconds, seconds))
    try:
        yield
    finally:
        _budget.reset(token)


def allowed(seconds: float) -> float:
    """The time limit of a pattern: its own seconds, or the shared budget if that is less."""
    budget = _budget.get()
    return seconds if budget is None else min(seconds, budget.seconds)


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside the block when a pattern's time is over.

    Only the main thread of a process can be interrupted, and only if no earlier alarm is set;
    elsewhere the engine's own limit applies.
    """
    budget, start = _budget.get(), monotonic()
    left = seconds if budget is None else min(seconds, budget.left)
    if left <= 0:
        raise TimeoutError
    try:
        if _can_interrupt(left):
            with _alarm(left):
                yield
        else:
            yield
    finally:
        if budget is not None:
            budget.left -= monotonic() - start


def _can_interrupt(seconds: float) -> bool:
    if threading.current_thread() is not threading.main_thread():
        return False
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGALRM) is None:
        return False
    waiting, _ = signal.getitimer(signal.ITIMER_REAL)
    return waiting == 0 or waiting > seconds


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError

    start = monotonic()
    handler = signal.signal(signal.SIGALRM, stop)
    waiting, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if waiting:  # an alarm that was set before continues with the time it has left
            remaining = max(waiting - (monotonic() - start), 1e-6)
            signal.setitimer(signal.ITIMER_REAL, remaining, interval)

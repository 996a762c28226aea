"""A limit on the time that an extractor may take for a page."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """Raised inside an extractor that takes too long; what catches every `Exception` lets it by."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt what takes longer; only a process' main thread can be interrupted.

    Code that never comes back to the interpreter isn't: the local engine ends its process.
    """
    if seconds <= 0 or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise OutOfTime(f"took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

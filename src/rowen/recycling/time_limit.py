"""A limit on the time that an extractor may take for a page."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

EXTRACTION_SECONDS = 60.0
"""Limit: seconds that an extractor may take for one page of a run. Then the page counts as failed.
"""


class OutOfTime(BaseException):
    """Raised inside an extractor that takes too long.

    It is not an `Exception`, so that an extractor that catches all exceptions does not catch it.
    """


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt the block when the time is up. Only a process' main thread can be interrupted.

    Native code that never returns to the interpreter can't be: the local engine kills its process.
    """
    # Python runs signal handlers in the main thread only.
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

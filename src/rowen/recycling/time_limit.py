"""A limit on the time that an extractor may take for a page."""

import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

EXTRACTION_SECONDS = 60.0
"""Limit: seconds that an extractor may take for one page of a run. Then the page counts as failed.
"""


class OutOfTime(BaseException):
    """Raised inside an extractor that takes too long.

    It is not an `Exception`, so that an extractor that catches all exceptions does not catch it.
    """


class TimeLimit:
    """Interrupts what runs between `start` and `stop` when its time is up.

    Only a process' main thread can be interrupted, because Python runs signal handlers there.
    Native code that never returns to the interpreter can't be: the local engine kills its process.
    The handler stays until `close`: to set it takes longer than many pages do.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._applies = seconds > 0 and threading.current_thread() is threading.main_thread()
        self._before: Any = None
        self._is_set = False

    def start(self) -> None:
        """The time begins."""
        if not self._applies:
            return
        if not self._is_set:
            self._before = signal.signal(signal.SIGALRM, self._interrupt)
            self._is_set = True
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def stop(self) -> None:
        """The time has not run out, or is no longer of interest."""
        if self._applies:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def close(self) -> None:
        """Put back the handler that was there before."""
        if self._is_set:
            signal.signal(signal.SIGALRM, self._before)
            self._is_set = False

    def _interrupt(self, _number: int, _frame: object) -> None:
        raise OutOfTime(f"took longer than {self._seconds:g} seconds")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupt the block when the time is up."""
    with closing(TimeLimit(seconds)) as limit:
        limit.start()
        try:
            yield
        finally:
            limit.stop()

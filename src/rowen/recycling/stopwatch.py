"""What work costs: seconds by step, and processor time where that is the fairer measure."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]  # then the clock's time counts


class StepClock:
    """Adds up seconds by the name of a step."""

    def __init__(self, *steps: str) -> None:
        self.seconds = dict.fromkeys(steps, 0.0)

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Count the time until the end of the block."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - begin
            self.seconds[step] = self.seconds.get(step, 0.0) + spent

    @property
    def total(self) -> float:
        """The seconds of all steps."""
        return sum(self.seconds.values())


class Stopwatch:
    """What work costs in seconds, counted from when this object is made.

    Where the thread never waited, that is its processor time: on a busy machine the clock's time
    depends more on the other processes. Work that waits, for a server or for threads of its own,
    costs as much as the clock says.
    """

    def __init__(self) -> None:
        self._begin = time.perf_counter(), time.thread_time(), _waits()

    @property
    def seconds(self) -> float:
        """The cost so far."""
        begin, own, waits = self._begin
        # No voluntary switch since the start: all that the clock has more was given to other
        # processes.
        if waits is not None and waits == _waits():
            return time.thread_time() - own
        return time.perf_counter() - begin


def _waits() -> int | None:
    """How often this thread gave up the processor by itself; None where the system can't say."""
    whose = getattr(resource, "RUSAGE_THREAD", None)
    return None if whose is None else int(resource.getrusage(whose).ru_nvcsw)

"""Ctrl-C as a request to finish: commands write what they have."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call `stop` at the first interrupt; a second one ends the command as usual.

    Yields a function that returns whether there was an interrupt.
    """
    before: dict[int, Any] = {}
    interrupted = False

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        restore()
        stop()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    if current_thread() is main_thread():  # only the main thread may handle signals
        for number in _SIGNALS:
            before[number] = signal.signal(number, handle)
    try:
        yield lambda: interrupted
    finally:
        restore()

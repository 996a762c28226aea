"""Ctrl-C as a request to come to an end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts(stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call `stop` at the first interrupt; a second is as hard as ever. Tells if there was one."""
    before: dict[int, Any] = {}
    asked = False

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        restore()
        stop()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    if current_thread() is main_thread():  # no other may handle signals
        for number in _SIGNALS:
            before[number] = signal.signal(number, handle)
    try:
        yield lambda: asked
    finally:
        restore()

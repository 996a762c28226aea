"""Progress of long calls: each step is reported in a few words to whoever shows it.

The callback is ambient, as time limits are (`rowen.induction.budget`): the searches that a call
starts can report without a parameter in every function between. It holds in the thread that sets
it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Progress: TypeAlias = Callable[[str], None]
"""Called with what starts now, such as `class hlrt`. What it raises ends the call."""

_current: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def reporting(progress: Progress | None) -> Iterator[None]:
    """Report the steps inside to this callback; with None, to the one around it, if any."""
    if progress is None:
        yield
        return
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def silence() -> Iterator[None]:
    """Report nothing inside: its steps would be too many to follow."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)


def report(step: str) -> None:
    """Say what starts now."""
    progress = _current.get()
    if progress is not None:
        progress(step)

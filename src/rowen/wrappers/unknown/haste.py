"""Whether a way over unknown values is searched for, or only tried with what was taken anyway.

The search takes its time, and one that has other labels to try is better off with those first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_in_haste: ContextVar[bool] = ContextVar("in_haste", default=False)


@contextmanager
def haste() -> Iterator[None]:
    """Inside, labels with unknown values that need a search count as inconsistent."""
    token = _in_haste.set(True)
    try:
        yield
    finally:
        _in_haste.reset(token)


def in_haste() -> bool:
    """Whether that is so now."""
    return _in_haste.get()

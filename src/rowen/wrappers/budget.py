"""One limit on time for a whole call of `learn`, shared by all the searches that it starts.

A search asks `check` where it may take long, and ends there with `SearchCutShort`. Nothing is
interrupted: a call goes on at most until the next check. Outside of any limit there is none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic

from rowen.model import SearchCutShort


@dataclass(slots=True)
class Budget:
    """So many seconds for all that happens inside."""

    seconds: float
    deadline: float
    around: "Budget | None"
    reason: str = ""
    """What was left untried inside, where something was: a search that failed proves nothing."""
    over: bool = False
    """Whether a search inside was ended because the time was over."""


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def limit(seconds: float) -> Iterator[Budget]:
    """Let what happens inside take so long at the most, and not longer than limits around it."""
    around = _current.get()
    deadline = monotonic() + seconds
    if around is not None and around.deadline < deadline:
        seconds, deadline = around.seconds, around.deadline
    budget = Budget(seconds, deadline, around)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


@contextmanager
def share(part: float) -> Iterator[None]:
    """Let what happens inside take a part of the time that is left."""
    budget = _current.get()
    if budget is None:
        yield
        return
    with limit(max(0.0, budget.deadline - monotonic()) * part):
        yield


def spent() -> bool:
    """Whether the time is over, for a search that then ends with what it has."""
    budget = _current.get()
    if budget is None or monotonic() <= budget.deadline:
        return False
    leave_untried(f"the {budget.seconds:.3g} s that it may take are over")
    for one in _around():
        one.over = True
    return True


def check() -> None:
    """Raise `SearchCutShort` where the time is over, for a search that has nothing yet."""
    if spent():
        budget = _current.get()
        assert budget is not None
        raise SearchCutShort(budget.reason)


def leave_untried(reason: str) -> None:
    """Remember that a limit keeps a search from being complete."""
    for one in _around():
        one.reason = one.reason or reason


def cut_short(reason: str, *, pages: tuple[str, ...] = ()) -> SearchCutShort:
    """The error for a search that ends at a limit."""
    leave_untried(reason)
    return SearchCutShort(reason, pages=pages)


def _around() -> Iterator[Budget]:
    """The limits that hold here, from the innermost on."""
    budget = _current.get()
    while budget is not None:
        yield budget
        budget = budget.around

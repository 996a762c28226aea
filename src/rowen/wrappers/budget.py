"""One limit on time for a whole call of `learn`, shared by all the searches that it starts.

A search asks `check` where it may take long, and ends there with `SearchCutShort`. Nothing is
interrupted: a call goes on at most until the next check. Outside of any limit there is none.

What counts is the processor's time of the thread that searches: on a busy machine a search takes
longer, and finds the same. The clock on the wall is only a far bound around it (`LEARNING_WAIT`).
A limit holds in the thread that sets it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic, thread_time

from rowen.limits import LEARNING_WAIT
from rowen.model import SearchCutShort


@dataclass(slots=True)
class Budget:
    """So many seconds for all that happens inside."""

    seconds: float
    deadline: float
    """When the processor's time is over, by the thread's clock."""
    latest: float
    """When all ends that had to wait too long, by the clock on the wall."""
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
    deadline, latest = thread_time() + seconds, monotonic() + seconds * LEARNING_WAIT
    if around is not None:
        if around.deadline < deadline:
            seconds, deadline = around.seconds, around.deadline
        latest = min(latest, around.latest)
    budget = Budget(seconds, deadline, latest, around)
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
    with limit(max(0.0, budget.deadline - thread_time()) * part):
        yield


def spent() -> bool:
    """Whether the time is over, for a search that then ends with what it has."""
    budget = _current.get()
    if budget is None:
        return False
    if thread_time() > budget.deadline:
        leave_untried(f"the {budget.seconds:.3g} s of processor time that it may take are over")
    elif monotonic() > budget.latest:
        leave_untried(
            f"it had to wait for too long to get the {budget.seconds:.3g} s of processor time "
            "that it may take"
        )
    else:
        return False
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

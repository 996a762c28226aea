"""One time limit for a whole call of `learn`, shared by all the searches that it starts.

A search calls `check` where it may take long, and ends there with `SearchCutShort`. Nothing is
interrupted: a call goes on at most until the next check. Outside of `limit` there is no limit.

Only the processor time of the searching thread counts: on a busy machine a search takes longer, and
finds the same. Wall-clock time is only a far bound around it (`LEARNING_WAIT`). A limit holds in
the thread that sets it.

    with limit(60):             # a call of learn
        with share(0.6):        # 36 s for all classes
            with share(0.5):    # 18 s for the first of them
                check()         # raises SearchCutShort when the 18 s are over
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic, thread_time

from rowen.model import SearchCutShort

LEARNING_SECONDS = 60.0
"""Limit: the processor time of one call of `learn`, with all that it tries; `learn(..., seconds=)`
sets another. Real pages take fractions of a second, long tables and a page of 10 MB a few seconds.
A busy machine must not change what is learned, so that wall-clock time has a bound far beyond."""

LEARNING_WAIT = 10.0
"""Limit: how many times its seconds a search may take by the wall clock. Beyond that it is waiting:
for a processor, for memory, or for a recognizer that waits itself."""


@dataclass(slots=True)
class Budget:
    """The seconds for everything that happens inside."""

    seconds: float
    deadline: float
    """When the processor time is over, by the thread's clock."""
    latest: float
    """When a search ends that had to wait too long, by the wall clock."""
    around: "Budget | None"
    reason: str = ""
    """What was left untried inside, if anything: then a search that failed proves nothing."""
    over: bool = False
    """Whether a search inside was ended because the time was over."""


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)
_quick: ContextVar[bool] = ContextVar("quick", default=False)


@contextmanager
def limit(seconds: float) -> Iterator[Budget]:
    """Limit what happens inside to so many seconds, and to what the limits around it leave."""
    around = _current.get()
    deadline, latest = thread_time() + seconds, monotonic() + seconds * LEARNING_WAIT
    if around is not None:
        # An inner limit never outlasts an outer one; the message names the one that ends it.
        if around.deadline < deadline:
            seconds, deadline = around.seconds, around.deadline
        latest = min(latest, around.latest)
    # Limits form a chain: what is left untried inside is untried for all around it.
    budget = Budget(seconds, deadline, latest, around)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)


@contextmanager
def share(part: float) -> Iterator[None]:
    """Limit what happens inside to a part of the remaining time."""
    budget = _current.get()
    if budget is None:
        yield
        return
    with limit(max(0.0, budget.deadline - thread_time()) * part):
        yield


@contextmanager
def quick() -> Iterator[None]:
    """Inside, labels with unknown values that need a search of their own count as inconsistent.

    That search takes long. A caller that has other labels to try is better off with those first.
    """
    token = _quick.set(True)
    try:
        yield
    finally:
        _quick.reset(token)


def is_quick() -> bool:
    """Whether `quick` holds here."""
    return _quick.get()


def spent() -> bool:
    """Whether the time is over, for a search that then ends with what it has."""
    budget = _current.get()
    if budget is None:
        return False
    if thread_time() > budget.deadline:
        leave_untried(f"the limit of {budget.seconds:.3g} s of processor time is reached")
    elif monotonic() > budget.latest:
        leave_untried(
            f"it had to wait for too long to get its {budget.seconds:.3g} s of processor time"
        )
    else:
        return False
    for limit_around in _limits():
        limit_around.over = True
    return True


def untried() -> str:
    """What was left untried by now, if anything; empty without a limit."""
    budget = _current.get()
    return "" if budget is None else budget.reason


def check() -> None:
    """Raise `SearchCutShort` where the time is over, for a search that has nothing yet."""
    if spent():
        budget = _current.get()
        assert budget is not None
        raise SearchCutShort(budget.reason)


def leave_untried(reason: str) -> None:
    """Remember that a limit keeps a search from being complete."""
    for limit_around in _limits():
        limit_around.reason = limit_around.reason or reason


def cut_short(reason: str, *, pages: tuple[str, ...] = ()) -> SearchCutShort:
    """The error for a search that ends at a limit."""
    leave_untried(reason)
    return SearchCutShort(reason, pages=pages)


def _limits() -> Iterator[Budget]:
    """The limits that hold here, from the innermost on."""
    budget = _current.get()
    while budget is not None:
        yield budget
        budget = budget.around

"""What a run needs of an engine. The engines themselves are in `rowen.engines`, above this room."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeAlias

from rowen.recycling.outcome import Outcome
from rowen.recycling.task import Task

Tick: TypeAlias = Callable[[int], None]
"""Called now and then with the number of pages done in partitions that have no outcome yet."""


class Engine(Protocol):
    r"""Calls `partition.work` for each task, somewhere, at least once, and returns each outcome.

    >>> import rowen
    >>> from rowen.engines.local import Local
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> report = rowen.Store("store").run([rooms], {"a.html": "CS 105"}, engine=Local(jobs=1))
    >>> report.tallies["rooms"].records
    1
    """

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """Yield the outcomes as they arrive, in any order. Closing the generator stops the work."""

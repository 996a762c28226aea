"""An engine that works in this process, which is quicker for a few pages."""

from collections.abc import Generator, Sequence

from rowen.recycling.outcome import Outcome
from rowen.recycling.partition import work
from rowen.recycling.task import Task


class Here:
    def outcomes(
        self, tasks: Sequence[Task], _tick: object = None
    ) -> Generator[Outcome, None, None]:
        for task in tasks:
            yield work(task)

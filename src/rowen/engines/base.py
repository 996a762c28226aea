"""What an engine is."""

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeAlias

from rowen.engines.partition import Outcome, Task
from rowen.model.errors import UsageError

ENGINES = ("local", "dask")

Tick: TypeAlias = Callable[[int], None]
"""Told now and then how many pages are done in partitions that have no outcome yet."""


class Engine(Protocol):
    """Does the work on partitions somewhere, each at least once, and gives the outcome of each."""

    def outcomes(
        self, tasks: Sequence[Task], tick: Tick | None = None
    ) -> Generator[Outcome, None, None]:
        """The outcomes, in any order, as they come; closed, it works no more."""


def open_engine(engine: "str | Engine", jobs: int | None) -> "Engine":
    """An engine by its name, or as it is given."""
    if not isinstance(engine, str):
        return engine
    if engine == "local":
        from rowen.engines.local import Local

        return Local(jobs)
    if engine == "dask":
        from rowen.engines.dask import Dask

        return Dask(jobs=jobs)
    raise UsageError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")

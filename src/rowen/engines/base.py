"""What an engine is."""

from collections.abc import Generator, Sequence
from typing import Protocol

from rowen.engines.partition import Outcome, Task
from rowen.model.errors import UsageError

ENGINES = ("local", "dask")


class Engine(Protocol):
    """Does the work on partitions somewhere, each at least once, and gives the outcome of each."""

    def outcomes(self, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
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

        return Dask()
    raise UsageError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")

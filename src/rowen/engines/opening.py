"""Engines by their names."""

from rowen.model.errors import UsageError
from rowen.recycling.engine import Engine

ENGINES = ("local", "dask")


def open_engine(engine: str | Engine, jobs: int | None) -> Engine:
    """An engine by its name; an engine object is returned as it is."""
    if not isinstance(engine, str):
        return engine
    if engine == "local":
        from rowen.engines.local import Local

        return Local(jobs)
    if engine == "dask":
        from rowen.engines.dask import Dask  # it needs an extra, and takes long to import

        return Dask(jobs=jobs)
    raise UsageError(f"unknown engine {engine!r}; choose from {', '.join(ENGINES)}")

"""Errors in the content of a store's files name the damaged file, and say what to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rowen.model.errors import StoreError
from rowen.storage.place import Place, store_errors


@contextmanager
def reading(place: Place, name: str) -> Iterator[None]:
    """Turn any error in the content of a file into a `StoreError` that names it."""
    path = place.path(name)
    try:
        with store_errors(f"read {path}"):
            try:
                yield
            except ValueError as error:  # or Arrow's own: not Parquet, or a wrong checksum
                raise ValueError(str(error)) from error
    except (ValueError, KeyError, IndexError) as error:
        reason = str(error).split("\n", maxsplit=1)[0]
        raise StoreError(
            f"{path} is damaged: {reason}; run with `--scratch` to make a snapshot without it"
        ) from error


def missing(place: Place, name: str) -> StoreError:
    """The error for a file that should be there."""
    return StoreError(
        f"{place.path(name)} is missing; run with `--scratch` to make a snapshot without it"
    )


def release_memory() -> None:
    """Give back memory that Arrow holds for later: several times the largest page that it wrote."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:  # else it holds nothing
        arrow.default_memory_pool().release_unused()

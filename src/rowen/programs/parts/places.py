"""The places of a record."""

from collections.abc import Iterator
from typing import Any

from rowen.programs.parts.result import Place, Record


def places(value: Any) -> Iterator[Place]:
    """All places of a field or a record, those in records inside it too."""
    if isinstance(value, tuple):
        yield value
    elif value is not None:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from places(inner)


def extent(record: Record) -> Place | None:
    """From the first to the last place of a record; None without any."""
    all_places = list(places(record))
    if not all_places:
        return None
    return min(start for start, _ in all_places), max(end for _, end in all_places)

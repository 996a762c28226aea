"""A place of the body where works are cited."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Marker:
    """Where it stands in its section's text, and the references that it leads to, from 0.

    Without any it is a marker whose reference was not found, or could be one of several.
    """

    start: int
    end: int
    citations: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The marker as files have it."""
        return {"span": [self.start, self.end], "citations": list(self.citations)}

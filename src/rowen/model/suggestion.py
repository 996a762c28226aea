"""What to mark next: a place where wrappers that reproduce all marks disagree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A place on a page, and what marking it would decide."""

    page: str
    start: int
    end: int
    message: str
    field: str | None = None
    """The field that is open; None where it is open whether there is a record."""

    def to_dict(self) -> dict[str, Any]:
        """As it is saved with a wrapper."""
        saved: dict[str, Any] = {
            "page": self.page,
            "start": self.start,
            "end": self.end,
            "message": self.message,
        }
        return saved if self.field is None else {**saved, "field": self.field}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> "Suggestion":
        """A saved suggestion."""
        return cls(
            str(saved.get("page", "")),
            int(saved.get("start", 0)),
            int(saved.get("end", 0)),
            str(saved.get("message", "")),
            saved.get("field"),
        )

    def __str__(self) -> str:
        return f"{self.page}, characters {self.start:,} to {self.end:,}: {self.message}"

"""What to mark next: a place where wrappers that reproduce all marks disagree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from rowen.model.errors import ExtractorError


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A place on a page, and what marking it would decide.

    >>> print(Suggestion("p1.html", 120, 128, "is this a price?", "price"))
    p1.html, characters 120 to 128: is this a price?
    """

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
    def from_dict(cls, saved: object) -> Self:
        """The suggestion that was saved; keys of later versions are no error."""
        if not isinstance(saved, Mapping):
            raise ExtractorError("'suggestions' must be a list of objects")
        page, message, field = (saved.get(name) for name in ("page", "message", "field"))
        start, end = saved.get("start"), saved.get("end")
        if not isinstance(page, str) or not isinstance(message, str):
            raise ExtractorError("'suggestions': each must have a 'page' and a 'message'")
        if type(start) is not int or type(end) is not int:
            raise ExtractorError("'suggestions': each must have a 'start' and an 'end'")
        if field is not None and not isinstance(field, str):
            raise ExtractorError("'suggestions': 'field' must be a string")
        return cls(page, start, end, message, field)

    def __str__(self) -> str:
        return f"{self.page}, characters {self.start:,} to {self.end:,}: {self.message}"

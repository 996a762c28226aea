"""A reference to a work, taken apart."""

from dataclasses import dataclass
from typing import Any

FIELDS = (
    "author", "editor", "title", "container", "series", "date", "volume", "issue", "pages",
    "publisher", "location", "institution", "doi", "id", "url", "edition", "note",
)  # fmt: skip
"""What `spans` may tell the places of, by the names used there."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name, or an organisation's, which has no given name."""

    given: str
    family: str

    def __str__(self) -> str:
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Citation:
    """The fields of a reference in a normal form, and where each stands in `raw`."""

    raw: str
    spans: dict[str, list[tuple[int, int]]]
    authors: tuple[Name, ...] = ()
    title: str | None = None
    container: str | None = None
    year: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    place: str | None = None
    editors: tuple[Name, ...] = ()
    doi: str | None = None
    url: str | None = None
    note: str | None = None
    page: int | None = None
    """The page of a PDF that it begins on, from 1."""
    boxes: tuple[tuple[int, float, float, float, float], ...] = ()
    """Where its lines are: page, left, bottom, right and top in points, y from below."""

    def to_json(self) -> dict[str, Any]:
        """The citation as the contract has it; the place on a PDF only where there is one."""
        place = (
            {}
            if self.page is None
            else {"page": self.page, "boxes": [list(box) for box in self.boxes]}
        )
        return {
            "raw": self.raw,
            "authors": [{"given": name.given, "family": name.family} for name in self.authors],
            "title": self.title,
            "container": self.container,
            "year": self.year,
            "volume": self.volume,
            "issue": self.issue,
            "pages": self.pages,
            "publisher": self.publisher,
            "place": self.place,
            "editors": [{"given": name.given, "family": name.family} for name in self.editors],
            "doi": self.doi,
            "url": self.url,
            "note": self.note,
            "spans": {name: [list(span) for span in spans] for name, spans in self.spans.items()},
            **place,
        }

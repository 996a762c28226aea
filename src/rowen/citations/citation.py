"""A parsed reference, and the names in it."""

from dataclasses import dataclass, field
from typing import Any

FIELDS = (
    "author", "editor", "title", "container", "series", "date", "volume", "issue", "pages",
    "publisher", "location", "institution", "doi", "id", "url", "edition", "note",
)  # fmt: skip
"""The fields that `Citation.spans` may have."""


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a person, or of an organisation, which has only a family name.

    >>> name = Name(given="Ada", family="Lovelace")
    >>> name.family
    'Lovelace'
    >>> str(name)
    'Ada Lovelace'
    """

    given: str
    family: str

    def __str__(self) -> str:
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class Citation:
    """A parsed reference: its fields in a normal form, and their positions in `raw`.

    >>> import rowen
    >>> raw = "Smith, A. (2020). On wrappers. Journal of Webs, 3, 14-15."
    >>> (citation,) = rowen.parse_citations([raw])
    >>> citation.authors, citation.container
    ((Name(given='A.', family='Smith'),), 'Journal of Webs')
    >>> start, end = citation.spans["title"][0]
    >>> citation.raw[start:end]
    'On wrappers'
    """

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
    confidence: float | None = None
    """How probable it is that all fields are right; None where nothing was estimated."""
    field_confidence: dict[str, float] = field(default_factory=dict)
    """The same for each field of `spans`."""
    is_reference: bool = True
    """False for text that looks like none, such as lines of the body or of a form."""
    page: int | None = None
    """The page of the PDF on which it begins, from 1; None where there is no layout."""
    boxes: tuple[tuple[int, float, float, float, float], ...] = ()
    """The boxes of its lines: page, left, bottom, right, top in points; y grows upwards."""

    def to_dict(self) -> dict[str, Any]:
        """The citation as a dict for JSON; `page` and `boxes` only where the PDF has them,
        `confidence` and what belongs to it only where it was estimated.

        >>> Citation("Notes, 1843.", {}, title="Notes", year="1843").to_dict()["year"]
        '1843'
        """
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
            **self._certainty(),
            **place,
        }

    def _certainty(self) -> dict[str, Any]:
        if self.confidence is None:
            return {}
        return {
            "confidence": self.confidence,
            "field_confidence": dict(self.field_confidence),
            "is_reference": self.is_reference,
        }

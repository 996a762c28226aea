"""The answers of the library's calls; the OpenAPI description is made from them."""

from dataclasses import dataclass
from typing import Any, Self

from rowen.librarian.arrivals import Arrived, Skipped
from rowen.library.layers import Correction
from rowen.library.library import Details, Event, Note, Reference, Version
from rowen.library.listing import Item


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a request that sent papers."""

    papers: list[Arrived]
    skipped: list[Skipped]
    """Files of an archive that were not taken."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, and how many papers have it; null for papers without any."""

    value: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The most frequent values of each facet."""

    year: list[FacetValue]
    venue: list[FacetValue]
    author: list[FacetValue]
    language: list[FacetValue]
    state: list[FacetValue]
    tag: list[FacetValue]

    @classmethod
    def of(cls, counts: dict[str, list[tuple[str | None, int]]]) -> Self:
        """From the numbers of a library."""
        return cls(
            **{
                name: [FacetValue(value, number) for value, number in values]
                for name, values in counts.items()
            }
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that is being read now."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class QueueState:
    """How far the queue is."""

    waiting: int
    ready: int
    failed: int
    reading: list[Reading]
    """Those of the waiting papers that are being read now."""
    revision: int
    """Grows with every change; it starts anew with the service."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a paper's body."""

    heading: str | None
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class PaperDetails:
    """All that the library knows of a paper."""

    item: Item
    header: dict[str, Any]
    """Title, authors, abstract and so on, with all corrections."""
    corrections: list[Correction]
    references: list[Reference]
    cited_by: list[Item]
    versions: list[Version]
    notes: list[Note]
    events: list[Event]
    sections: list[Section]
    version: str | None
    """The version of Rowen that read it; null before that."""

    @classmethod
    def of(cls, details: Details) -> Self:
        """From what the library knows."""
        return cls(
            details.item,
            details.header,
            details.corrections,
            details.references,
            details.cited_by,
            details.versions,
            details.notes,
            details.events,
            [
                Section(own.get("heading"), own.get("level", 1), own.get("text", ""))
                for own in details.content.get("body") or ()
            ],
            details.version,
        )


@dataclass(frozen=True, slots=True)
class Changed:
    """How many papers a request changed."""

    papers: int


@dataclass(frozen=True, slots=True)
class SaidCorrection:
    """A correction with the paper that it is about."""

    paper: str
    file: str
    correction: Correction

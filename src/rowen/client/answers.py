"""What a service answers, as values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rowen.model.errors import ServiceError

if TYPE_CHECKING:
    from rowen.scholar.body import Section
    from rowen.scholar.citations.citation import Citation
    from rowen.scholar.paper import Paper

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came; the names of its headers in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """Its content; ServiceError where that is no JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            raise ServiceError("the answer is no JSON", status=self.status) from None


@dataclass(frozen=True, slots=True)
class Reuse:
    """Why an answer did not have to be extracted, as `Rowen-Reuse` tells it."""

    kind: str
    """exact: of an equal document; near: of one that is nearly the same."""
    source: str | None = None
    """The document that it was extracted for."""
    distance: int | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A representation, and where it came from."""

    value: T
    reuse: Reuse | None
    """None where it was extracted for this request."""
    version: str | None
    """Of the stage that gave it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document that a service has."""

    id: str
    digest: str
    media_type: str
    size: int
    name: str
    created: str
    uri: str
    uris: Mapping[str, str]
    """Of what there is of it, by its name."""


@dataclass(frozen=True, slots=True)
class Found:
    """Records as files have them, and what went wrong with which extractor."""

    records: tuple[Mapping[str, Any], ...]
    failures: tuple[str, ...]


def document_of(reply: Reply) -> Document:
    """The document that an answer describes; fields that this version does not know are left."""
    told = reply.json()
    try:
        return Document(**{field.name: told[field.name] for field in fields(Document)})
    except (KeyError, TypeError):
        raise ServiceError("the answer describes no document", status=reply.status) from None


def reuse_of(header: str | None) -> Reuse | None:
    """What a `Rowen-Reuse` says."""
    if header is None:
        return None
    kind, *rest = (part.strip() for part in header.split(";"))
    told = dict(part.partition("=")[::2] for part in rest)
    distance, similarity = told.get("distance"), told.get("similarity")
    return Reuse(
        kind,
        told.get("source"),
        int(distance) if distance else None,
        float(similarity) if similarity else None,
    )


def header_of(reply: Reply) -> "Paper":
    """A paper of which only the header is known."""
    from rowen.scholar.paper import Paper
    from rowen.scholar.people import Author

    told = reply.json()
    authors = (
        Author(one["given"], one["family"], tuple(one["affiliations"]), one["email"])
        for one in told["authors"]
    )
    return Paper(
        title=told["title"],
        authors=tuple(authors),
        abstract=told["abstract"],
        keywords=tuple(told["keywords"]),
        doi=told["doi"],
        date=told["date"],
        citations=(),
        body=(),
        text="",
        warnings=tuple(told.get("warnings", ())),
    )


def citations_of(reply: Reply) -> "tuple[Citation, ...]":
    """The works that a paper cites."""
    return tuple(map(_citation, reply.json()["citations"]))


def body_of(reply: Reply) -> "tuple[Section, ...]":
    """The sections of a paper."""
    from rowen.scholar.body import Section
    from rowen.scholar.markers.marker import Marker

    return tuple(
        Section(
            one["heading"],
            one["text"],
            tuple(
                Marker(mark["span"][0], mark["span"][1], tuple(mark["citations"]))
                for mark in one["markers"]
            ),
        )
        for one in reply.json()["body"]
    )


def text_of(reply: Reply) -> str:
    """Text, which is always UTF-8."""
    return reply.content.decode()


def found_of(reply: Reply) -> Found:
    """The records of an extractor."""
    told = reply.json()
    return Found(tuple(told["records"]), tuple(told["failures"]))


def _citation(told: Mapping[str, Any]) -> "Citation":
    from rowen.scholar.citations.citation import Citation, Name

    plain = {field.name: told[field.name] for field in fields(Citation) if field.name in told}
    people = {
        role: tuple(Name(one["given"], one["family"]) for one in told[role])
        for role in ("authors", "editors")
    }
    spans = {
        name: [(start, end) for start, end in places] for name, places in told["spans"].items()
    }
    boxes = tuple((box[0], box[1], box[2], box[3], box[4]) for box in told.get("boxes", ()))
    return Citation(**{**plain, **people, "spans": spans, "boxes": boxes})

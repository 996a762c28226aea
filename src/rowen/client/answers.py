"""The responses of a service as values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rowen.model.errors import ServiceError

if TYPE_CHECKING:
    from rowen.citations.citation import Citation
    from rowen.papers.body import Section
    from rowen.papers.paper import Paper

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """A response; the names of its headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """Its content; ServiceError where that is not JSON."""
        try:
            return json.loads(self.content)
        except ValueError:
            raise ServiceError("the response is not JSON", status=self.status) from None


@dataclass(frozen=True, slots=True)
class Reuse:
    """How an answer was reused, from the `Rowen-Reuse` header.

    >>> from rowen.types import Reuse
    >>> Reuse("near", "1fd217b4d1d92494bec69006ac9b9cc2", distance=2, similarity=0.97).kind
    'near'
    """

    kind: str
    """exact: the result of an equal document; near: found through a near-duplicate."""
    source: str | None = None
    """The document that it was extracted for."""
    distance: int | None = None
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A representation, and how it was obtained.

    >>> from rowen.types import Answer
    >>> answer = Answer("The text of a paper.", reuse=None, version="0.2.0")
    >>> answer.value, answer.reuse is None
    ('The text of a paper.', True)
    """

    value: T
    reuse: Reuse | None
    """None where it was extracted for this request."""
    version: str | None
    """The version of the stage that made it."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document in a service.

    >>> from rowen.types import Document
    >>> [field for field in Document.__dataclass_fields__ if field.startswith("u")]
    ['url', 'uri', 'uris']
    """

    id: str
    digest: str
    media_type: str
    size: int
    name: str
    created: str
    url: str
    """The address that was given with it; empty where none was."""
    uri: str
    uris: Mapping[str, str]
    """The URIs of its representations, by name."""


@dataclass(frozen=True, slots=True)
class Found:
    """Records as in record files, and the failures of extractors.

    >>> from rowen.types import Found
    >>> Found(records=({"values": {"room": "CS 105"}},), failures=()).records[0]["values"]
    {'room': 'CS 105'}
    """

    records: tuple[Mapping[str, Any], ...]
    failures: tuple[str, ...]
    warnings: tuple[Mapping[str, Any], ...] = ()
    """Values that could not be converted, each with its record and field."""


def document_of(reply: Reply) -> Document:
    """The document that a response describes; unknown fields are ignored."""
    description = reply.json()
    try:
        return Document(**{field.name: description[field.name] for field in fields(Document)})
    except (KeyError, TypeError):
        raise ServiceError(
            "the response does not describe a document", status=reply.status
        ) from None


def reuse_of(header: str | None) -> Reuse | None:
    """A parsed `Rowen-Reuse` header."""
    if header is None:
        return None
    kind, *parts = (part.strip() for part in header.split(";"))
    values = dict(part.partition("=")[::2] for part in parts)
    distance, similarity = values.get("distance"), values.get("similarity")
    return Reuse(
        kind,
        values.get("source"),
        int(distance) if distance else None,
        float(similarity) if similarity else None,
    )


def header_of(reply: Reply) -> "Paper":
    """A paper with only the header filled in."""
    from rowen.papers.paper import Paper
    from rowen.papers.people import Author

    header = reply.json()
    authors = (
        Author(author["given"], author["family"], tuple(author["affiliations"]), author["email"])
        for author in header["authors"]
    )
    return Paper(
        title=header["title"],
        authors=tuple(authors),
        abstract=header["abstract"],
        keywords=tuple(header["keywords"]),
        doi=header["doi"],
        date=header["date"],
        citations=(),
        body=(),
        text="",
        warnings=tuple(header.get("warnings", ())),
        ids=dict(header.get("ids", {})),
        dates=dict(header.get("dates", {})),
        language=header.get("language"),
        licence=header.get("licence"),
        confidence=dict(header.get("confidence", {})),
    )


def citations_of(reply: Reply) -> "tuple[Citation, ...]":
    """The works that a paper cites."""
    return tuple(map(_citation, reply.json()["citations"]))


def body_of(reply: Reply) -> "tuple[Section, ...]":
    """The sections of a paper."""
    return tuple(map(_section, reply.json()["body"]))


def _section(content: Mapping[str, Any]) -> "Section":
    from rowen.citations.markers.marker import Marker
    from rowen.elements.element import Paragraph
    from rowen.papers.body import Section

    return Section(
        content["heading"],
        content["text"],
        tuple(
            Marker(start, end, tuple(mark["citations"]), mark.get("page"), _boxes(mark))
            for mark in content["markers"]
            for start, end in [mark["span"]]
        ),
        content["level"],
        content["number"],
        content["kind"],
        tuple(
            Paragraph(start, end, part["kind"], part.get("page"), _boxes(part))
            for part in content["paragraphs"]
            for start, end in [part["span"]]
        ),
        content.get("page"),
        _boxes(content),
    )


def _boxes(content: Mapping[str, Any]) -> tuple[tuple[int, float, float, float, float], ...]:
    """Where something is: page, left, bottom, right, top."""
    return tuple((box[0], box[1], box[2], box[3], box[4]) for box in content.get("boxes", ()))


def text_of(reply: Reply) -> str:
    """Text, which is always UTF-8."""
    return reply.content.decode()


def found_of(reply: Reply) -> Found:
    """The records of an extractor."""
    content = reply.json()
    return Found(
        tuple(content["records"]), tuple(content["failures"]), tuple(content.get("warnings", ()))
    )


def _citation(content: Mapping[str, Any]) -> "Citation":
    from rowen.citations.citation import Citation, Name

    plain = {field.name: content[field.name] for field in fields(Citation) if field.name in content}
    people = {
        role: tuple(Name(name["given"], name["family"]) for name in content[role])
        for role in ("authors", "editors")
    }
    spans = {
        name: [(start, end) for start, end in places] for name, places in content["spans"].items()
    }
    return Citation(**{**plain, **people, "spans": spans, "boxes": _boxes(content)})

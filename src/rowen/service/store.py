"""What the service keeps, and what it asks of the places where it keeps it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was submitted; equal ones have equal digests, each has an id of its own."""

    id: str
    digest: str
    """SHA-256 of its bytes, in hexadecimal."""
    media_type: str
    size: int
    name: str
    """What the client called it; never a path here."""
    created: str
    """When it came, in UTC (ISO 8601)."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How much a store holds: each document counts, equal ones too."""

    documents: int
    bytes: int
    """Of documents, and of extractors' definitions in UTF-8."""


@dataclass(frozen=True, slots=True)
class Result:
    """A representation in one form, and the document that it was extracted for."""

    content: bytes
    source: str


@dataclass(frozen=True, slots=True)
class Setback:
    """What is known of a content that could not be read."""

    count: int
    """How often reading it took too much, or brought a process down."""
    reason: str
    final: bool
    """Whether it is not to be tried again."""


@dataclass(frozen=True, slots=True)
class SavedExtractor:
    """A registered extractor as it was put."""

    name: str
    form: str
    """json or toml."""
    content: str
    digest: str

    @property
    def size(self) -> int:
        """How many bytes its definition has."""
        return len(self.content.encode())

    @property
    def is_whole(self) -> bool:
        """Whether it is what was put."""
        return self.digest == definition_digest(self.form, self.content)


def definition_digest(form: str, content: str) -> str:
    """The digest of an extractor's definition."""
    return sha256(f"{form}\n{content}".encode("utf-8", "surrogatepass")).hexdigest()


class Draft(Protocol):
    """A document on its way in: bytes are added, then it is kept, or nothing is left of it."""

    @property
    def size(self) -> int:
        """How many bytes there are."""

    @property
    def head(self) -> bytes:
        """The first of them."""

    @property
    def kept(self) -> bool:
        """Whether it has become a document."""

    def write(self, data: bytes) -> None:
        """Add some; OutputError where there is no room."""

    def discard(self) -> None:
        """Leave nothing of it; does no harm to one that was kept."""


class Truth(Protocol):
    """What can't be computed again: documents, what is known against them, and extractors.

    Every method may be used by any thread. What one has returned from outlasts a crash. OutputError
    where there is no room for it, with nothing half-written; StoreError where it can't be used.
    """

    documents_are_remote: bool
    """Whether asking for them takes a network, so that no event loop should do it."""

    def draft(self) -> Draft:
        """A new document to write to."""

    def keep(self, draft: Draft, *, media_type: str, name: str, key: str | None) -> Document:
        """Make a draft a document; the one of an earlier call with this key, where there is one.

        UsageError where the key was used with other bytes.
        """

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier call with this key."""

    def usage(self) -> Usage:
        """How much there is; counts everything anew."""

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""

    def holder(self, digest: str, preferred: str) -> str | None:
        """The id of a document with this content: the preferred one, as long as it is there."""

    def reading(self, document: Document) -> AbstractContextManager[Path]:
        """A file with its bytes, which stays as long as the document does.

        FileNotFoundError where it was deleted meanwhile; a file may also be missing.
        """

    def delete(self, document_id: str) -> bool:
        """Remove a document, and all that is known of its content where no other one has it."""

    def setback(self, digest: str, version: str) -> Setback | None:
        """What is known of a content that this version could not read."""

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Keep that."""

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered by that name."""

    def extractors(self) -> list[str]:
        """The names of all."""

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register it, in place of one of the same name; tells whether the name is new."""

    def delete_extractor(self, name: str) -> bool:
        """Forget it; tells whether it was there."""

    def check(self) -> None:
        """Raise StoreError or OutputError where nothing can be kept now."""

    def close(self) -> None:
        """Let go of everything."""


class Results(Protocol):
    """Representations, by what they are made of: they may be forgotten at any time."""

    results_are_remote: bool
    """Whether asking for them takes a network."""

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, where this version of the stage has given it."""

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation, in place of those of other versions."""

    def forget(self, digest: str) -> None:
        """Forget all of a content."""


class Store(Truth, Results, Protocol):
    """Both: results are kept as long as a document with their content exists, or shorter."""


class SplitStore:
    """Truth in one place, results in another."""

    def __init__(self, truth: Truth, results: Results) -> None:
        self._truth = truth
        self._results = results
        self.documents_are_remote = truth.documents_are_remote
        self.results_are_remote = results.results_are_remote or truth.documents_are_remote
        self.draft = truth.draft
        self.keep = truth.keep
        self.by_key = truth.by_key
        self.usage = truth.usage
        self.document = truth.document
        self.holder = truth.holder
        self.reading = truth.reading
        self.setback = truth.setback
        self.put_setback = truth.put_setback
        self.extractor = truth.extractor
        self.extractors = truth.extractors
        self.put_extractor = truth.put_extractor
        self.delete_extractor = truth.delete_extractor
        self.check = truth.check
        self.close = truth.close
        self.forget = results.forget

    def delete(self, document_id: str) -> bool:
        """Remove a document, and then its results where no other one has its content."""
        document = self.document(document_id)
        if document is None or not self._truth.delete(document_id):
            return False
        if self.holder(document.digest, document_id) is None:
            self.forget(document.digest)
        return True

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, and a document that has it still."""
        found = self._results.result(digest, stage, form, version)
        if found is None:
            return None
        source = self.holder(digest, found.source)
        return None if source is None else Result(found.content, source)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation, unless nothing has that content any more.

        A document may be deleted meanwhile, also by another service. Who deletes it forgets its
        results after that; whichever comes last, that or this, finds out about the other.
        """
        if self.holder(document.digest, document.id) is None:
            return
        self._results.put_results(document, stage, version, forms)
        if self.holder(document.digest, document.id) is None:
            self.forget(document.digest)

"""Documents, results and extractors as the service stores them, and the protocols of stores."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

RECORDS = "records"
"""The kind of results that registered extractors give; a stage of this kind names its extractor."""

PARTS = "parts"
"""The kind of what is stored of a document's parts for similar documents: read far more rarely than
written."""


@dataclass(frozen=True, slots=True)
class Document:
    """A submitted document. Equal documents have equal digests, but each has its own id."""

    id: str
    digest: str
    """SHA-256 of its bytes, in hexadecimal."""
    media_type: str
    size: int
    name: str
    """The name that the client gave; it is never used as a path."""
    created: str
    """When it was submitted, in UTC (ISO 8601)."""
    url: str = ""
    """The address that the client gave; relative links start from it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How much a store holds; equal documents count each."""

    documents: int
    bytes: int
    """The sizes of all documents, and of the extractors' definitions in UTF-8."""


@dataclass(frozen=True, slots=True)
class Result:
    """A representation in one form, and the document that it was extracted for."""

    content: bytes
    source: str


@dataclass(frozen=True, slots=True)
class Setback:
    """Why a content could not be read."""

    count: int
    """How often reading it exceeded a limit or crashed a process."""
    reason: str
    final: bool
    """Whether the service stops trying."""


@dataclass(frozen=True, slots=True)
class SavedExtractor:
    """A registered extractor with its definition."""

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
        """Whether it is what was registered."""
        return self.digest == definition_digest(self.form, self.content)


def definition_digest(form: str, content: str) -> str:
    """The digest of an extractor's definition."""
    return sha256(f"{form}\n{content}".encode("utf-8", "surrogatepass")).hexdigest()


class Draft(Protocol):
    """A document on its way in: bytes are added, then it is stored or discarded."""

    @property
    def size(self) -> int:
        """How many bytes there are."""

    @property
    def head(self) -> bytes:
        """The first of them."""

    @property
    def digest(self) -> str:
        """The digest of what was written so far."""

    @property
    def kept(self) -> bool:
        """Whether it has become a document."""

    def write(self, data: bytes) -> None:
        """Add bytes; OutputError where there is no room."""

    def discard(self) -> None:
        """Remove the draft; a document that it has become stays."""


class DocumentStore(Protocol):
    """Stores what can't be computed again: documents, their setbacks, and extractors.

    Every method may be used by any thread. Its effect outlasts a crash once it has returned. It
    raises OutputError where there is no room, with nothing half-written, and StoreError where the
    store can't be used.
    """

    documents_are_remote: bool
    """Whether a call may take a network, so that the event loop must not make it."""

    def draft(self) -> Draft:
        """A new document to write to."""

    def keep(
        self, draft: Draft, *, media_type: str, name: str, key: str | None, url: str = ""
    ) -> Document:
        """Make a draft a document, or return that of an earlier request with this Idempotency-Key.

        UsageError where the key was used with other bytes or another address.
        """

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier request with this Idempotency-Key."""

    def usage(self) -> Usage:
        """How much is stored; counts everything."""

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""

    def holder(self, digest: str, preferred: str) -> str | None:
        """The id of a document with this content: the preferred one, as long as it exists."""

    def reading(self, document: Document) -> AbstractContextManager[Path]:
        """A file with the document's bytes, which exists as long as the document does.

        FileNotFoundError where the document was deleted meanwhile.
        """

    def delete(self, document_id: str) -> bool:
        """Delete a document, and everything about its content where no other document has it."""

    def setback(self, digest: str, version: str) -> Setback | None:
        """Why this version could not read a content, if it could not."""

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Store a setback."""

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered under this name."""

    def extractors(self) -> list[str]:
        """The names of all extractors."""

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register an extractor, in place of one of the same name; True if the name is new."""

    def delete_extractor(self, name: str) -> bool:
        """Delete an extractor; False if there was none."""

    def check(self) -> None:
        """Raise StoreError or OutputError where nothing can be stored now."""

    def close(self) -> None:
        """Release files, locks and connections."""


class ResultStore(Protocol):
    """Stores representations by the content they were made of; it may lose them at any time."""

    results_are_remote: bool
    """Whether a call may take a network."""

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, if this version of the stage has made it."""

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Store the forms of a representation in place of those of other versions."""

    def forget(self, digest: str) -> None:
        """Delete all results of a content."""


class Store(DocumentStore, ResultStore, Protocol):
    """Both. Results are kept at most as long as a document with their content exists."""


class SplitStore:
    """Documents in one store, results in another."""

    def __init__(self, documents: DocumentStore, results: ResultStore) -> None:
        self._documents = documents
        self._results = results
        self.documents_are_remote = documents.documents_are_remote
        # Each lookup of a result also asks the documents who holds its content.
        self.results_are_remote = results.results_are_remote or documents.documents_are_remote
        self.draft = documents.draft
        self.keep = documents.keep
        self.by_key = documents.by_key
        self.usage = documents.usage
        self.document = documents.document
        self.holder = documents.holder
        self.reading = documents.reading
        self.setback = documents.setback
        self.put_setback = documents.put_setback
        self.extractor = documents.extractor
        self.extractors = documents.extractors
        self.put_extractor = documents.put_extractor
        self.delete_extractor = documents.delete_extractor
        self.check = documents.check
        self.close = documents.close
        self.forget = results.forget

    def delete(self, document_id: str) -> bool:
        """Delete a document, and then its results where no other document has its content."""
        document = self.document(document_id)
        # The document goes first: a crash in between leaves results that no document leads to,
        # never a document whose results are gone.
        if document is None or not self._documents.delete(document_id):
            return False
        if self.holder(document.digest, document_id) is None:
            self.forget(document.digest)
        return True

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, and a document that still has it."""
        result = self._results.result(digest, stage, form, version)
        if result is None:
            return None
        source = self.holder(digest, result.source)
        return None if source is None else Result(result.content, source)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Store the forms of a representation, unless no document has that content any more.

        Another service may delete the document meanwhile, and deletes its results after that.
        Whichever comes last, that deletion or the second look here, removes these results.
        """
        if self.holder(document.digest, document.id) is None:
            return
        self._results.put_results(document, stage, version, forms)
        if self.holder(document.digest, document.id) is None:
            self.forget(document.digest)

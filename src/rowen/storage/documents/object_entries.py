"""Entries of documents on object storage, and the paths of everything that is stored with them.

Under `home`, or `tenants/NAME`:

    documents/ID[:2]/ID.json                the entry of a document
    contents/DIGEST[:2]/DIGEST/HOME/file    its bytes
    contents/.../HOME/documents/ID          which documents have these bytes
    contents/.../HOME/leaving/TOKEN         who is about to remove them
    about/DIGEST[:2]/DIGEST/                setbacks and results of a content
    keys/HASH/document.json                 the document of an Idempotency-Key
    extractors/NAME/definition.json
    arriving/ID.json, leaving/ID.json       documents that are being added or removed
    reserve                                 deleted to make room for deletions on full storage
"""

import json
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from rowen.model.errors import StoreError
from rowen.storage.documents.checksums import checksum
from rowen.storage.documents.object_files import ObjectFiles
from rowen.storage.documents.store import Document


class ObjectEntries:
    """The entries of a realm's documents: what is known of each, and where its bytes are."""

    def __init__(self, files: ObjectFiles) -> None:
        self._files = files

    def read(self, document_id: str, *, verified: bool = True) -> Any:
        """An entry, or None; StoreError where it is not what was written.

        `verified=False` takes a damaged one too, as long as it says what to delete.
        """
        stored = self._files.read_json(entry_path(document_id))
        if stored is None:
            return None
        try:
            entry = {name: stored[name] for name in ("document", "home", "key")}
            Document(**entry["document"])
            seal = stored.get("seal")
        except (KeyError, TypeError, AttributeError):
            entry, seal = {}, ""
        # Entries of the first format have no seal.
        if not entry or (verified and seal is not None and seal != _seal(entry)):
            raise StoreError("the stored entry of the document is damaged")
        return entry

    def write(self, document: Document, home: str, key: str | None) -> None:
        """Write the entry of a document, whose bytes are in this home."""
        entry = {"document": asdict(document), "home": home, "key": key}
        self._files.write_json(entry_path(document.id), {**entry, "seal": _seal(entry)})

    def delete(self, document_id: str) -> None:
        """Delete an entry, if it exists."""
        self._files.delete(entry_path(document_id))

    def exists(self, document_id: str) -> bool:
        """Whether there is an entry, damaged or not."""
        return self._files.size(entry_path(document_id)) is not None

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""
        entry = self.read(document_id)
        return None if entry is None else Document(**entry["document"])

    def holder(self, digest: str, preferred: str) -> str | None:
        """The preferred document, or another one with this content where it was deleted."""
        document = self.document(preferred)
        if document is not None and document.digest == digest:
            return preferred
        for home in self._files.names(content_path(digest)):
            for document_id in self._files.names(f"{content_path(digest)}/{home}/documents"):
                if self.document(document_id) is not None:
                    return document_id
        return None


def entry_path(document_id: str) -> str:
    """The file with what is known of a document."""
    return f"documents/{document_id[:2]}/{document_id}.json"


def content_path(digest: str) -> str:
    """The folder with the homes of a content."""
    return f"contents/{digest[:2]}/{digest}"


def about_path(digest: str) -> str:
    """The folder with the setbacks and results of a content."""
    return f"about/{digest[:2]}/{digest}"


def key_path(key: str) -> str:
    """The folder of an Idempotency-Key, which may have any characters."""
    return f"keys/{sha256(key.encode()).hexdigest()}"


def extractor_path(name: str) -> str:
    """The file with the definition of an extractor."""
    return f"extractors/{name}/definition.json"


def arriving_path(document_id: str) -> str:
    """The file that announces a document."""
    return f"arriving/{document_id}.json"


def leaving_path(document_id: str) -> str:
    """The file that announces the deletion of a document."""
    return f"leaving/{document_id}.json"


def _seal(entry: dict[str, Any]) -> str:
    return checksum(json.dumps(entry, sort_keys=True)).hex()

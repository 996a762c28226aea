"""Homes: where the bytes of documents lie on object storage, shared by equal documents.

Object storage has no transactions, so the order of steps has to do. Each step first announces what
it is about to do, and then looks for others. A document is entered, and then looks whether someone
is about to remove its bytes; who removes bytes announces it, and then looks for documents. Of two
that do so at once, at least one sees the other:

    A: write entry   look for `leaving`                 sees B: takes a new home
    B:                     write `leaving`   look for documents   sees A: the bytes stay

A document that sees someone leave its home moves to a new one; bytes of which someone sees a
document stay. This needs storage that lists a file as soon as it is written, as S3 does.
"""

from pathlib import Path
from secrets import token_hex
from typing import Any

from rowen.logs import LOG
from rowen.model.errors import StoreError
from rowen.storage.documents.guard import HungError
from rowen.storage.documents.object_entries import (
    ObjectEntries,
    about_path,
    arriving_path,
    content_path,
    leaving_path,
)
from rowen.storage.documents.object_files import ObjectFiles
from rowen.storage.documents.store import Document

ARRIVAL_SECONDS = 3600.0
"""Limit: after how long a document on its way to object storage counts as given up. The slowest
upload of the largest document takes minutes."""


class ObjectHomes:
    """Moves documents into homes and out of them."""

    def __init__(self, files: ObjectFiles, entries: ObjectEntries) -> None:
        self._files = files
        self._entries = entries
        self.damaged: set[str] = set()
        """Homes whose bytes were found damaged: equal documents don't share them."""

    def shared(self, document: Document) -> str | None:
        """A home that has the bytes already; the document is announced there."""
        content = content_path(document.digest)
        for home in self._files.names(content):
            if home in self.damaged:
                continue
            # An upload that was broken off may have left a shorter file.
            if self._files.size(f"{content}/{home}/file") == document.size:
                self._announce(document, home)
                self._files.write_json(f"{content}/{home}/documents/{document.id}", {})
                return home
        return None

    def create(self, document: Document, file: Path) -> str:
        """A new home with the bytes of a file."""
        home = token_hex(8)
        folder = f"{content_path(document.digest)}/{home}"
        # Before the first byte: after a crash, this says what is to be cleaned up.
        self._announce(document, home)
        self._files.put(f"{folder}/file", file, size=document.size)
        self._files.write_json(f"{folder}/documents/{document.id}", {})
        return home

    def enter(self, document: Document, home: str, key: str | None, file: Path) -> None:
        """Make the document visible, in this home or in a new one where someone leaves this."""
        for chosen in (home, None):
            place = chosen or self.create(document, file)
            if self._enter(document, place, key):
                return
            self.leave(document.id, digest=document.digest, home=place, key=key)
        raise StoreError("storing the document took too long; send it again")

    def leave(self, document_id: str, *, digest: str, home: str, key: str | None) -> None:
        """Remove what a document leaves behind and no other document needs."""
        folder = f"{content_path(digest)}/{home}"
        announcement = f"{folder}/leaving/{token_hex(8)}"
        self._files.write_json(announcement, {})
        if self._entries.document(document_id) is not None:  # it has entered after all
            self._files.delete(announcement)
            return
        self._files.delete(f"{folder}/documents/{document_id}")
        if self._files.names(f"{folder}/documents"):
            self._files.delete(announcement)
        else:
            # First the bytes, then the announcement: a document that enters now must see one of
            # the two, missing bytes or somebody who leaves.
            self._files.delete(f"{folder}/file")
            self._files.remove(folder)
        if self._entries.holder(digest, document_id) is None:
            self._files.remove(about_path(digest))
        if key is not None:
            stored = self._files.read_json(f"{key}/document.json")
            if stored is not None and stored["document"] == document_id:
                self._files.delete(f"{key}/document.json")
        self._files.delete(arriving_path(document_id))

    def leave_unannounced(self, document_id: str, entry: Any) -> None:
        """Remove a document where full storage takes not even an announcement.

        This is safe: as long as nothing can be written, no document can come to share the bytes.
        """
        digest = entry["document"]["digest"]
        home = f"{content_path(digest)}/{entry['home']}"
        self._entries.delete(document_id)
        self._files.delete(f"{home}/documents/{document_id}")
        if not self._files.names(f"{home}/documents"):
            self._files.delete(f"{home}/file")
            self._files.remove(home)
        if self._entries.holder(digest, document_id) is None:
            self._files.remove(about_path(digest))
        if entry["key"] is not None:
            self._files.delete(f"{entry['key']}/document.json")

    def finish_interrupted(self) -> None:
        """Finish what services that were killed had begun."""
        for name in self._files.names("arriving"):
            document_id = name.removesuffix(".json")
            if not self._files.is_older(f"arriving/{name}", ARRIVAL_SECONDS):
                continue
            place = self._announced(f"arriving/{name}")
            if place is not None and self._entries.document(document_id) is None:
                self._files.write_json(leaving_path(document_id), {**place, "entered": False})
            self._files.delete(f"arriving/{name}")
        for name in self._files.names("leaving"):
            document_id = name.removesuffix(".json")
            place = self._announced(f"leaving/{name}")
            if place is not None:
                if place.pop("entered"):
                    self._entries.delete(document_id)
                self.leave(document_id, **place)
                self._files.delete(f"leaving/{name}")

    def _announce(self, document: Document, home: str) -> None:
        """Say where a document will be, so that others can clean up if it never arrives."""
        place = {"digest": document.digest, "home": home, "key": None}
        self._files.write_json(arriving_path(document.id), place)

    def _enter(self, document: Document, home: str, key: str | None) -> bool:
        """Write the entry; False where someone leaves the home, or has left it.

        From now on one who wants to leave sees the document.
        """
        if key is not None:
            self._files.write_json(f"{key}/document.json", {"document": document.id})
        # The entry comes before the look at the home: who leaves after this look sees the document.
        self._entries.write(document, home, key)
        folder = f"{content_path(document.digest)}/{home}"
        leaving = self._files.names(f"{folder}/leaving")
        if leaving or self._files.size(f"{folder}/file") != document.size:
            self._entries.delete(document.id)
            return False
        self._files.delete(arriving_path(document.id))
        return True

    def _announced(self, name: str) -> Any:
        """What an announcement says; None where it is damaged."""
        try:
            place = self._files.read_json(name)
        except HungError:
            raise
        except StoreError as error:
            LOG.warning("a damaged announcement of another service is ignored: %s", error)
            return None
        return place if isinstance(place, dict) and {"digest", "home", "key"} <= {*place} else None

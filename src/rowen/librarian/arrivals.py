"""How papers come into a library: single documents, and the files of zip archives."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice

from rowen.librarian.archives import SIGNATURES, Archive, ArchiveError, Packed
from rowen.librarian.shelf import Shelf
from rowen.model.errors import DocumentError, InputError
from rowen.service.quotas import Entry, QuotaError
from rowen.service.uploads import UPLOAD_BYTES, clean_name
from rowen.storage.documents.files import FileDraft
from rowen.storage.documents.store import Document, Draft, Store
from rowen.text.sniffing import media_type_of

SKIPPED_FILES = 1_000
"""Limit: how many skipped files of an archive an answer names."""

_NO_PAPER = "not a PDF, HTML, XML, TeX or text file"
_FULL = "the quota is used up: delete something, or ask for a larger one, and send it again"
# Clients' keys are printable, so that none of theirs can be one of these.
_KEY = "\x1flibrary\x1f"


@dataclass(frozen=True, slots=True)
class Arrived:
    """A paper that was sent."""

    id: str
    name: str
    new: bool
    """False where the library had it already."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not taken, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What came with a request."""

    papers: list[Arrived] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes in what clients send to one library."""

    shelf: Shelf
    store: Store
    counting: Callable[[], AbstractContextManager[Entry]]
    """Counts an arriving document towards the quota."""
    most: int = UPLOAD_BYTES
    """How many bytes a file of an archive may have."""

    async def take(self, draft: Draft, name: str, entry: Entry) -> Arrivals:
        """Take in a document, or the files of a zip archive. The caller discards the draft."""
        if not draft.head.startswith(SIGNATURES):
            arrivals = Arrivals([await self._keep(draft, name, entry)])
        else:
            arrivals = await self._unpack(draft)
            if not arrivals.papers:
                reasons = "; ".join(f"{own.name}: {own.reason}" for own in arrivals.skipped[:3])
                raise InputError(f"the archive has no paper: {reasons or 'it has no file'}")
        if any(paper.new for paper in arrivals.papers):
            self.shelf.queue.wake()
        return arrivals

    async def _keep(self, draft: Draft, name: str, entry: Entry) -> Arrived:
        """Keep a document, unless the library has it."""
        if not draft.size:
            raise InputError("the file is empty")
        media_type = media_type_of(draft.head)
        digest = draft.digest
        library = await asyncio.to_thread(lambda: self.shelf.library)
        paper = await asyncio.to_thread(library.with_digest, digest)
        if paper is not None:
            return Arrived(paper, name, new=False)
        # The key makes this repeatable: a service that is killed between the two steps leaves a
        # document that the library does not know, and the next attempt finds it.
        document = await asyncio.to_thread(
            self.store.keep, draft, media_type=media_type, name=name, key=f"{_KEY}{digest}"
        )
        entry.kept = draft.kept
        return Arrived(document.id, name, await asyncio.to_thread(library.add, document))

    async def _unpack(self, draft: Draft) -> Arrivals:
        assert isinstance(draft, FileDraft)  # drafts are on this machine's disk in all stores
        arrivals = Arrivals()
        archive = await asyncio.to_thread(Archive, draft.path)
        try:
            skipped = islice(archive.skipped(), SKIPPED_FILES)
            arrivals.skipped.extend(Skipped(_clean(name), _NO_PAPER) for name in skipped)
            full = False
            for packed in archive.files():
                if not full:
                    full = await self._add(archive, packed, arrivals)
                else:
                    _skip(arrivals, _clean(packed.name), _FULL)
        finally:
            archive.close()
        return arrivals

    async def _add(self, archive: Archive, packed: Packed, arrivals: Arrivals) -> bool:
        """Take in a file of an archive, or say why not; whether the quota is used up.

        Files that were taken before it was used up stay, and the answer names them.
        """
        name = _clean(packed.name)
        try:
            paper = await self._unpacked(archive, packed, name)
        except ArchiveError:
            raise
        except QuotaError:
            if not arrivals.papers:
                raise
            _skip(arrivals, name, _FULL)
            return True
        except InputError as error:
            reason = error.reason if isinstance(error, DocumentError) else str(error)
            _skip(arrivals, name, reason)
        else:
            arrivals.papers.append(paper)
            if paper.new:
                self.shelf.queue.wake()  # the first files are read while others are unpacked
        return False

    async def _unpacked(self, archive: Archive, packed: Packed, name: str) -> Arrived:
        draft = await asyncio.to_thread(self.store.draft)
        try:
            await asyncio.to_thread(archive.unpack, packed, draft.write, most=self.most)
            with self.counting() as entry:
                entry.grow(draft.size)
                return await self._keep(draft, name, entry)
        finally:
            draft.discard()


async def add_document(shelf: Shelf, document: Document) -> Arrived:
    """Add a document that the service has already."""
    library = await asyncio.to_thread(lambda: shelf.library)
    new = await asyncio.to_thread(library.add, document)
    paper = await asyncio.to_thread(library.with_digest, document.digest)
    if new:
        shelf.queue.wake()
    return Arrived(paper or document.id, document.name, new)


def _skip(arrivals: Arrivals, name: str, reason: str) -> None:
    if len(arrivals.skipped) < SKIPPED_FILES:
        arrivals.skipped.append(Skipped(name, reason))


def _clean(name: str) -> str:
    return clean_name(name.encode("utf-8", "replace"))

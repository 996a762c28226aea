"""Documents on object storage, or in a folder, that several services share.

`object_entries` has the layout, `object_homes` the order of steps that stands in for transactions.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes, token_hex

from rowen.logs import LOG
from rowen.model.errors import OutputError, StoreError
from rowen.storage.documents.checksums import DamagedError, VerifiedFiles
from rowen.storage.documents.copies import Copies
from rowen.storage.documents.files import FileDraft, Files, claim_folder
from rowen.storage.documents.guard import Guard, HungError
from rowen.storage.documents.object_entries import (
    ObjectEntries,
    about_path,
    content_path,
    extractor_path,
    key_path,
    leaving_path,
)
from rowen.storage.documents.object_files import ObjectFiles
from rowen.storage.documents.object_homes import ObjectHomes
from rowen.storage.documents.object_keys import ObjectKeys
from rowen.storage.documents.reserve import Reserve
from rowen.storage.documents.store import Document, Draft, SavedExtractor, Setback, Usage
from rowen.storage.place import Place

_RESERVE = "reserve"
"""A file that is deleted where full storage has no room for announcing a deletion."""
_RESERVE_BYTES = 64 * 1024


class ObjectDocuments:
    """Documents and extractors in a place; `scratch` is a folder of this service alone."""

    documents_are_remote = True

    def __init__(
        self,
        place: Place,
        scratch: Path,
        *,
        realm: str,
        guard: Guard | None = None,
        reserve: Reserve | None = None,
    ) -> None:
        self._files = ObjectFiles(place, realm, guard or Guard())
        self._entries = ObjectEntries(self._files)
        self._homes = ObjectHomes(self._files, self._entries)
        self._keys = ObjectKeys(self._files, self._entries)
        self._claim = claim_folder(scratch)
        self._verified = VerifiedFiles()
        self._reserved = False
        self.document = self._entries.document
        self.holder = self._entries.holder
        try:
            self._scratch = reserve or Reserve(scratch)
            self._drafts = Files(scratch)
            self._copies = Copies(scratch / "copies")
            self._homes.finish_interrupted()
        except BaseException:
            self.close()
            raise

    def draft(self) -> FileDraft:
        """A new document to write to, on this machine."""
        self._scratch.hold()
        return self._drafts.draft(missed=self._scratch.miss)

    def keep(
        self, draft: Draft, *, media_type: str, name: str, key: str | None, url: str = ""
    ) -> Document:
        """Make a draft a document: first its bytes, then its entry."""
        assert isinstance(draft, FileDraft)
        self._hold_reserve()
        digest = draft.seal()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        document = Document(token_hex(16), digest, media_type, draft.size, name, created, url)
        folder = None if key is None else key_path(key)
        earlier = self._keys.earlier(folder, digest, url)
        if earlier is not None:
            return earlier
        # The bytes go up before the key is claimed: an upload may take longer than a claim lasts.
        home = self._homes.shared(document) or self._homes.create(document, draft.path)
        try:
            with self._keys.claimed(folder):
                earlier = self._keys.earlier(folder, digest, url)
                if earlier is None:
                    self._homes.enter(document, home, folder, draft.path)
                    draft.kept = True
                    return document
        except HungError:
            raise  # what was begun may still happen: the next service that starts cleans up
        except BaseException:
            self._homes.leave(document.id, digest=digest, home=home, key=folder)
            raise
        self._homes.leave(document.id, digest=digest, home=home, key=folder)
        return earlier

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier request with this Idempotency-Key."""
        return self._keys.document(key_path(key))

    def usage(self) -> Usage:
        """How much is stored; lists the names of all files."""
        sizes: dict[str, int] = {}
        documents: Counter[str] = Counter()
        for name, size in self._files.files_under("contents"):
            home, kind, *_ = name.split("/")[2:]
            if kind == "file":
                sizes[home] = size
            elif kind == "documents":
                documents[home] += 1
        total = sum(count * sizes.get(home, 0) for home, count in documents.items())
        extractors = (self.extractor(name) for name in self._files.names("extractors"))
        definitions = sum(extractor.size for extractor in extractors if extractor is not None)
        return Usage(documents.total(), total + definitions)

    @contextmanager
    def reading(self, document: Document) -> Iterator[Path]:
        """A file with the document's bytes: the file itself where it is local, or a copy."""
        entry = self._entries.read(document.id)
        if entry is None:
            raise FileNotFoundError(document.id)
        home = entry["home"]
        with ExitStack() as held:
            try:
                path = held.enter_context(self._verified_file(document, home))
            except FileNotFoundError:
                if self._entries.read(document.id) is None:
                    raise
                self._homes.damaged.add(home)
                raise DamagedError from None
            except DamagedError:
                self._homes.damaged.add(home)
                raise
            yield path

    def delete(self, document_id: str) -> bool:
        """Delete a document; the next service that starts finishes what a crash interrupts.

        On full storage the reserve is given up for what has to be written first.
        """
        try:
            return self._delete(document_id)
        except OutputError:
            self._files.delete(_RESERVE)
            self._reserved = False
            try:
                deleted = self._delete(document_id)
            except OutputError:  # not even that helps: nothing at all can be written
                deleted = self._delete_unannounced(document_id)
            with suppress(OutputError):
                self._hold_reserve()
            return deleted

    def setback(self, digest: str, version: str) -> Setback | None:
        """Why this version could not read a content, if it could not."""
        try:
            stored = self._files.read_json(f"{about_path(digest)}/setbacks/{version}.json")
            return None if stored is None else Setback(**stored)
        except (StoreError, TypeError) as error:
            if isinstance(error, HungError):
                raise
            LOG.warning("a damaged setback is ignored: %s", error)
            return None

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Store a setback, unless the document was deleted: perhaps that caused it."""
        if self.document(document.id) is None:
            return
        path = f"{about_path(document.digest)}/setbacks/{version}.json"
        self._files.write_json(path, asdict(setback))
        if self.holder(document.digest, document.id) is None:
            self._files.remove(about_path(document.digest))

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered under this name."""
        stored = self._files.read_json(extractor_path(name))
        try:
            return None if stored is None else SavedExtractor(**stored)
        except TypeError:
            raise StoreError("the stored extractor is damaged; register it again") from None

    def extractors(self) -> list[str]:
        """The names of all extractors."""
        names = self._files.names("extractors")
        return [name for name in names if self.extractor(name) is not None]

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register an extractor, in place of one of the same name; True if the name is new."""
        self._hold_reserve()
        is_new = self._files.size(extractor_path(extractor.name)) is None
        self._files.write_json(extractor_path(extractor.name), asdict(extractor))
        return is_new

    def delete_extractor(self, name: str) -> bool:
        """Delete an extractor; False if there was none."""
        if self._files.size(extractor_path(name)) is None:
            return False
        self._files.remove(f"extractors/{name}")
        return True

    def check(self) -> None:
        """Write a small file to the scratch folder and to the storage, and delete it."""
        self._scratch.check()
        self._hold_reserve()
        draft = self.draft()
        try:
            draft.write(b"check")
            draft.seal()
        finally:
            draft.discard()
        name = f"checks/{token_hex(8)}.json"
        self._files.write_json(name, {})
        self._files.delete(name)

    def close(self) -> None:
        """Release the scratch folder."""
        self._claim.close()

    @contextmanager
    def _verified_file(self, document: Document, home: str) -> Iterator[Path]:
        name, size = f"{content_path(document.digest)}/{home}/file", document.size
        local = self._files.local_path(name)
        if local is not None:
            self._files.verify(local, document.digest, self._verified, size=size)
            yield local
            return
        with self._copies.reading(
            document.digest, lambda path: self._files.fetch(name, path, size=size)
        ) as copy:
            yield copy

    def _delete(self, document_id: str) -> bool:
        entry = self._entries.read(document_id, verified=False)
        if entry is None:
            return False
        place = {
            "digest": entry["document"]["digest"],
            "home": entry["home"],
            "key": entry["key"],
        }
        # Written first: the next service that starts finds here what is left to delete after a
        # crash.
        self._files.write_json(leaving_path(document_id), {**place, "entered": True})
        # From here on the document is gone for clients, whatever happens to its bytes.
        self._entries.delete(document_id)
        self._homes.leave(document_id, **place)
        self._files.delete(leaving_path(document_id))
        return True

    def _delete_unannounced(self, document_id: str) -> bool:
        entry = self._entries.read(document_id, verified=False)
        if entry is None:
            return not self._entries.exists(document_id)
        self._homes.leave_unannounced(document_id, entry)
        return True

    def _hold_reserve(self) -> None:
        """Make sure that the reserve exists before anything else is stored."""
        if not self._reserved:
            # Random bytes take up room even on storage that compresses.
            if self._files.size(_RESERVE) != _RESERVE_BYTES:
                self._files.write(_RESERVE, token_bytes(_RESERVE_BYTES))
            self._reserved = True

"""Documents on object storage, or in a folder, that several services share.

Under `home`, or `tenants/NAME`:

    documents/ID[:2]/ID.json                what is known of a document
    contents/DIGEST[:2]/DIGEST/HOME/file    the bytes
    contents/.../HOME/documents/ID          which documents have them
    contents/.../HOME/leaving/TOKEN         who is about to remove them
    about/DIGEST[:2]/DIGEST/                setbacks and results of a content
    keys/HASH/document.json                 the document of an Idempotency-Key
    extractors/NAME/definition.json
    arriving/ID.json, leaving/ID.json       documents half-way in or out
    reserve                                 given up for deletions where there is no room

There are no transactions, so that the order of steps has to do: each first says what it is about
to do, and then looks for others. A document is entered, then looks whether someone is about to
remove its bytes; who removes them says so, then looks for documents. Of two that do so at once, one
at least sees the other. A document that sees someone leave its home takes a new one, and bytes of
which someone sees a document stay. It needs storage that lists a file as soon as it is written.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from errno import ENOENT, ENOTEMPTY
from hashlib import sha256
from pathlib import Path
from random import random
from secrets import token_bytes, token_hex
from time import sleep
from typing import Any

from rowen.limits import (
    ARRIVAL_SECONDS,
    KEY_CLAIM_SECONDS,
    KEY_TRIES,
    STORE_LISTING_SECONDS,
    UPLOAD_CHUNK_BYTES,
    WRITE_TRIES,
)
from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.service.copies import Copies
from rowen.service.files import NO_ROOM, FileDraft, Files, claim_folder, disk
from rowen.service.guard import Guard, HungError, budget
from rowen.service.logs import LOG
from rowen.service.reserve import Reserve
from rowen.service.seals import DamagedError, VerifiedFiles, seal
from rowen.service.store import Document, Draft, SavedExtractor, Setback, Usage
from rowen.stores.place import PARTIAL, Place, telling

_REASON = re.compile(r"AWS Error [A-Z_]+ (?:\(HTTP status \d+\) )?during \w+")
_FULL = re.compile(
    r"HTTP status 507|QuotaExceeded|StorageFull|InsufficientStorage|ENOSPC|no space left",
    re.IGNORECASE,
)
"""How servers that speak S3 say that there is no room, in the words of the library."""
_RESERVE = "reserve"
"""A file that is given up where there is no room to say that something is about to be deleted."""
_RESERVE_BYTES = 64 * 1024


class ObjectTruth:
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
        self._objects = Objects(place, realm, guard or Guard())
        self._claim = claim_folder(scratch)
        self._verified = VerifiedFiles()
        self._damaged: set[str] = set()
        self._reserved = False
        try:
            self._scratch = reserve or Reserve(scratch)
            self._drafts = Files(scratch)
            self._copies = Copies(scratch / "copies")
            self._finish_others()
        except BaseException:
            self.close()
            raise

    def draft(self) -> FileDraft:
        """A new document to write to, on this machine."""
        self._scratch.hold()
        return self._drafts.draft(missed=self._scratch.miss)

    def keep(self, draft: Draft, *, media_type: str, name: str, key: str | None) -> Document:
        """Make a draft a document, first its bytes and then what is known of it."""
        assert isinstance(draft, FileDraft)
        self._hold()
        digest = draft.seal()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        document = Document(token_hex(16), digest, media_type, draft.size, name, created)
        folder = None if key is None else _key(key)
        earlier = self._by_key(folder, digest)
        if earlier is not None:
            return earlier
        home = self._shared_home(document) or self._new_home(document, draft.path)
        try:
            with self._alone(folder):
                earlier = self._by_key(folder, digest)
                if earlier is None:
                    self._enter_or_move(document, home, folder, draft.path)
                    draft.kept = True
                    return document
        except HungError:
            raise  # what was begun may still happen: whoever starts next cleans up
        except BaseException:
            self._move_out(document.id, digest=digest, home=home, key=folder)
            raise
        self._move_out(document.id, digest=digest, home=home, key=folder)
        return earlier

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier call with this key."""
        return self._of_key(_key(key))

    def usage(self) -> Usage:
        """How much there is; looks at the names of everything."""
        sizes: dict[str, int] = {}
        documents: Counter[str] = Counter()
        for name, size in self._objects.files_under("contents"):
            home, kind, *_ = name.split("/")[2:]
            if kind == "file":
                sizes[home] = size
            elif kind == "documents":
                documents[home] += 1
        total = sum(count * sizes.get(home, 0) for home, count in documents.items())
        found = (self.extractor(name) for name in self._objects.names("extractors"))
        also = sum(one.size for one in found if one is not None)
        return Usage(documents.total(), total + also)

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""
        found = self._entry(document_id)
        return None if found is None else Document(**found["document"])

    def holder(self, digest: str, preferred: str) -> str | None:
        """The preferred document, or another one with this content where it is gone by now."""
        found = self.document(preferred)
        if found is not None and found.digest == digest:
            return preferred
        for home in self._objects.names(_content(digest)):
            for one in self._objects.names(f"{_content(digest)}/{home}/documents"):
                if self.document(one) is not None:
                    return one
        return None

    @contextmanager
    def reading(self, document: Document) -> Iterator[Path]:
        """The file itself where it is one of this machine, or a copy."""
        found = self._entry(document.id)
        if found is None:
            raise FileNotFoundError(document.id)
        home = found["home"]
        with ExitStack() as held:
            try:
                path = held.enter_context(self._whole(document, home))
            except FileNotFoundError:
                if self._entry(document.id) is None:
                    raise
                self._damaged.add(home)
                raise DamagedError from None
            except DamagedError:
                self._damaged.add(home)
                raise
            yield path

    @contextmanager
    def _whole(self, document: Document, home: str) -> Iterator[Path]:
        name, size = f"{_content(document.digest)}/{home}/file", document.size
        local = self._objects.local_path(name)
        if local is not None:
            self._objects.verify(local, document.digest, self._verified, size=size)
            yield local
            return
        with self._copies.reading(
            document.digest, lambda path: self._objects.fetch(name, path, size=size)
        ) as copy:
            yield copy

    def delete(self, document_id: str) -> bool:
        """Remove a document; the next service that starts finishes what a crash leaves undone.

        Where the storage is full, the reserve is given up for what has to be written first.
        """
        try:
            return self._delete(document_id)
        except OutputError:
            self._objects.delete(_RESERVE)
            self._reserved = False
            try:
                done = self._delete(document_id)
            except OutputError:  # not even that helps: nothing at all may be written
                done = self._delete_silently(document_id)
            with suppress(OutputError):
                self._hold()
            return done

    def _delete_silently(self, document_id: str) -> bool:
        """Remove a document without saying so first, where the storage takes nothing more.

        Others are refused, too, as long as that is so: no document can come to share the bytes.
        """
        found = self._entry(document_id, whole=False)
        if found is None:
            return self._objects.size(_document(document_id)) is None
        digest, folder = found["document"]["digest"], f"{_content(found['document']['digest'])}"
        home = f"{folder}/{found['home']}"
        self._objects.delete(_document(document_id))
        self._objects.delete(f"{home}/documents/{document_id}")
        if not self._objects.names(f"{home}/documents"):
            self._objects.delete(f"{home}/file")
            self._objects.remove(home)
        if self.holder(digest, document_id) is None:
            self._objects.remove(about(digest))
        if found["key"] is not None:
            self._objects.delete(f"{found['key']}/document.json")
        return True

    def _delete(self, document_id: str) -> bool:
        found = self._entry(document_id, whole=False)
        if found is None:
            return False
        left = {"digest": found["document"]["digest"], "home": found["home"], "key": found["key"]}
        self._objects.write(_leaving(document_id), {**left, "entered": True})
        self._objects.delete(_document(document_id))
        self._move_out(document_id, **left)
        self._objects.delete(_leaving(document_id))
        return True

    def setback(self, digest: str, version: str) -> Setback | None:
        """What is known of a content that this version could not read."""
        try:
            found = self._objects.read(f"{about(digest)}/setbacks/{version}.json")
            return None if found is None else Setback(**found)
        except (StoreError, TypeError) as error:
            if isinstance(error, HungError):
                raise
            LOG.warning("a setback is passed over: %s", error)
            return None

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Keep that, unless the document is gone; perhaps that is why it could not be read."""
        if self.document(document.id) is None:
            return
        self._objects.write(f"{about(document.digest)}/setbacks/{version}.json", asdict(setback))
        if self.holder(document.digest, document.id) is None:
            self._objects.remove(about(document.digest))

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered by that name."""
        found = self._objects.read(f"extractors/{name}/definition.json")
        try:
            return None if found is None else SavedExtractor(**found)
        except TypeError:
            raise StoreError("the extractor is damaged where it is kept; put it again") from None

    def extractors(self) -> list[str]:
        """The names of all."""
        names = self._objects.names("extractors")
        return [name for name in names if self.extractor(name) is not None]

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register it, in place of one of the same name."""
        self._hold()
        new = self._objects.size(f"extractors/{extractor.name}/definition.json") is None
        self._objects.write(f"extractors/{extractor.name}/definition.json", asdict(extractor))
        return new

    def delete_extractor(self, name: str) -> bool:
        """Forget it."""
        if self._objects.size(f"extractors/{name}/definition.json") is None:
            return False
        self._objects.remove(f"extractors/{name}")
        return True

    def check(self) -> None:
        """Write a little here and there, and take it back."""
        self._scratch.check()
        self._hold()
        draft = self.draft()
        try:
            draft.write(b"check")
            draft.seal()
        finally:
            draft.discard()
        name = f"checks/{token_hex(8)}.json"
        self._objects.write(name, {})
        self._objects.delete(name)

    def close(self) -> None:
        """Let go of the scratch folder."""
        self._claim.close()

    def _hold(self) -> None:
        """See to it that the reserve is there before anything else is kept."""
        if not self._reserved:
            if self._objects.size(_RESERVE) != _RESERVE_BYTES:
                self._objects.write_bytes(_RESERVE, token_bytes(_RESERVE_BYTES))
            self._reserved = True

    def _entry(self, document_id: str, *, whole: bool = True) -> Any:
        """What is kept of a document; StoreError where that is not what was written."""
        found = self._objects.read(_document(document_id))
        if found is None:
            return None
        try:
            told = {name: found[name] for name in ("document", "home", "key")}
            Document(**told["document"])
            sealed = found.get("seal")
        except (KeyError, TypeError, AttributeError):
            told, sealed = {}, ""
        if not told or (whole and sealed is not None and sealed != _entry_seal(told)):
            raise StoreError("what is known of the document is damaged where it is kept")
        return told

    def _shared_home(self, document: Document) -> str | None:
        """One that has the bytes already, for this document, too."""
        content = _content(document.digest)
        for home in self._objects.names(content):
            if home in self._damaged:
                continue
            if self._objects.size(f"{content}/{home}/file") == document.size:
                self._announce(document, home)
                self._objects.write(f"{content}/{home}/documents/{document.id}", {})
                return home
        return None

    def _new_home(self, document: Document, file: Path) -> str:
        home = token_hex(8)
        folder = f"{_content(document.digest)}/{home}"
        self._announce(document, home)
        self._objects.put(f"{folder}/file", file, size=document.size)
        self._objects.write(f"{folder}/documents/{document.id}", {})
        return home

    def _announce(self, document: Document, home: str) -> None:
        """Say where a document will be, so that others can clean up if it never arrives."""
        told = {"digest": document.digest, "home": home, "key": None}
        self._objects.write(f"arriving/{document.id}.json", told)

    def _enter_or_move(self, document: Document, home: str, key: str | None, file: Path) -> None:
        for where in (home, None):
            place = where or self._new_home(document, file)
            if self._enter(document, place, key):
                return
            self._move_out(document.id, digest=document.digest, home=place, key=key)
        raise StoreError("keeping the document took too long; send it again")

    def _enter(self, document: Document, home: str, key: str | None) -> bool:
        """Make it a document, unless someone leaves its home or has left.

        From now on one who wants to leave sees that the document is there.
        """
        if key is not None:
            self._objects.write(f"{key}/document.json", {"document": document.id})
        told = {"document": asdict(document), "home": home, "key": key}
        self._objects.write(_document(document.id), {**told, "seal": _entry_seal(told)})
        folder = f"{_content(document.digest)}/{home}"
        left = self._objects.names(f"{folder}/leaving")
        if left or self._objects.size(f"{folder}/file") != document.size:
            self._objects.delete(_document(document.id))
            return False
        self._objects.delete(f"arriving/{document.id}.json")
        return True

    def _move_out(self, document_id: str, *, digest: str, home: str, key: str | None) -> None:
        """Remove what a document leaves behind that is no other's."""
        folder = f"{_content(digest)}/{home}"
        token = f"{folder}/leaving/{token_hex(8)}"
        self._objects.write(token, {})
        if self.document(document_id) is not None:  # it has entered after all
            self._objects.delete(token)
            return
        self._objects.delete(f"{folder}/documents/{document_id}")
        if self._objects.names(f"{folder}/documents"):
            self._objects.delete(token)
        else:
            self._objects.delete(f"{folder}/file")  # before the token that tells of it
            self._objects.remove(folder)
        if self.holder(digest, document_id) is None:
            self._objects.remove(about(digest))
        if key is not None:
            found = self._objects.read(f"{key}/document.json")
            if found is not None and found["document"] == document_id:
                self._objects.delete(f"{key}/document.json")
        self._objects.delete(f"arriving/{document_id}.json")

    def _finish_others(self) -> None:
        """Finish what services that were killed had begun."""
        for name in self._objects.names("arriving"):
            document_id = name.removesuffix(".json")
            if not self._objects.is_older(f"arriving/{name}", ARRIVAL_SECONDS):
                continue
            left = self._left(f"arriving/{name}")
            if left is not None and self.document(document_id) is None:
                self._objects.write(_leaving(document_id), {**left, "entered": False})
            self._objects.delete(f"arriving/{name}")
        for name in self._objects.names("leaving"):
            document_id = name.removesuffix(".json")
            left = self._left(f"leaving/{name}")
            if left is not None:
                if left.pop("entered"):
                    self._objects.delete(_document(document_id))
                self._move_out(document_id, **left)
                self._objects.delete(f"leaving/{name}")

    def _left(self, name: str) -> Any:
        """What is left to do of something; nothing where that is damaged."""
        try:
            found = self._objects.read(name)
        except HungError:
            raise
        except StoreError as error:
            LOG.warning("what a service left undone is passed over: %s", error)
            return None
        return found if isinstance(found, dict) and {"digest", "home", "key"} <= {*found} else None

    def _by_key(self, folder: str | None, digest: str) -> Document | None:
        if folder is None:
            return None
        earlier = self._of_key(folder)
        if earlier is not None and earlier.digest != digest:
            raise UsageError("this Idempotency-Key was used with another document")
        return earlier

    def _of_key(self, folder: str) -> Document | None:
        found = self._objects.read(f"{folder}/document.json")
        return None if found is None else self.document(found["document"])

    @contextmanager
    def _alone(self, folder: str | None) -> Iterator[None]:
        """Alone with an Idempotency-Key: first claim it, then look for others."""
        if folder is None:
            yield
            return
        for _ in range(KEY_TRIES):
            mine = f"{folder}/claims/{token_hex(8)}.json"
            self._objects.write(mine, {})
            others = [
                other
                for name in self._objects.names(f"{folder}/claims")
                if (other := f"{folder}/claims/{name}") != mine
                and not self._objects.is_older(other, KEY_CLAIM_SECONDS, than=mine)
            ]
            if not others:
                try:
                    yield
                finally:
                    self._objects.delete(mine)
                return
            self._objects.delete(mine)
            sleep(random())  # noqa: S311  # so that two don't meet again
        raise StoreError("another request with this Idempotency-Key is under way")


class Objects:
    """The files of a realm, named from its folder; nobody learns more than that it failed."""

    def __init__(self, place: Place, realm: str, guard: Guard) -> None:
        self._place = place
        self._guard = guard
        self._root = f"tenants/{realm}" if realm else "home"

    def read(self, name: str) -> Any:
        """A small file, or None; StoreError where it is damaged."""
        content = self.read_bytes(name)
        try:
            return None if content is None else json.loads(content)
        except ValueError:
            LOG.warning("the place of documents: a file is damaged")
            raise StoreError("what is known of a document is damaged where it is kept") from None

    def read_bytes(self, name: str) -> bytes | None:
        """A file, or None."""
        try:
            return self._guard.do(lambda: self._place.read(self._name(name)))
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise _told(error) from error

    def write(self, name: str, content: Any) -> None:
        """A small file."""
        self.write_bytes(name, json.dumps(content).encode())

    def write_bytes(self, name: str, content: bytes) -> None:
        """A file; its folder is made again where another service removes it meanwhile."""

        def step() -> None:
            with self._place.writing(self._name(name)) as stream:
                stream.write(content)
            self._settle(name)

        tries = WRITE_TRIES
        while True:
            try:
                self._guard.do(step, size=len(content))
            except StoreError as error:
                tries -= 1
                if not tries or not isinstance(error.__cause__, FileNotFoundError):
                    raise _told(error) from error
            else:
                return

    def put(self, name: str, file: Path, *, size: int) -> None:
        """A file of this machine."""

        def step() -> None:
            with disk(), file.open("rb") as source, self._place.writing(self._name(name)) as target:
                shutil.copyfileobj(source, target, UPLOAD_CHUNK_BYTES)
            self._settle(name)

        with _telling():
            self._guard.do(step, size=size)

    def fetch(self, name: str, path: Path, *, size: int) -> None:
        """A copy on this machine; FileNotFoundError where there is nothing."""

        def step() -> None:
            with (
                telling("fetch a document"),
                self._place.files.open_input_stream(self._place.path(self._name(name))) as source,
                disk(),
                path.open("wb") as target,
            ):
                shutil.copyfileobj(source, target, UPLOAD_CHUNK_BYTES)

        try:
            self._guard.do(step, size=size)
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise error.__cause__ from None
            raise _told(error) from error

    def local_path(self, name: str) -> Path | None:
        """Where a file is, if it is one of this machine."""
        return Path(self._place.path(self._name(name))) if self._place.is_local else None

    def verify(self, path: Path, digest: str, verified: VerifiedFiles, *, size: int) -> None:
        """Compare a file of this machine with its digest, as VerifiedFiles does."""
        self._guard.do(lambda: verified.check(path, digest), size=size)

    def names(self, folder: str) -> list[str]:
        """What a folder holds."""
        with _telling():
            found = self._guard.do(lambda: self._place.names(self._name(folder)))
            return [name for name in found if not name.endswith(PARTIAL)]

    def files_under(self, folder: str) -> Iterator[tuple[str, int]]:
        """All files of a folder and of those in it, and how long they are."""
        with _telling(), budget(STORE_LISTING_SECONDS):
            found = self._guard.do(
                lambda: list(self._place.files_under(self._name(folder))),
                seconds=STORE_LISTING_SECONDS,
            )
        yield from found

    def size(self, name: str) -> int | None:
        """How long a file is."""
        with _telling():
            return self._guard.do(lambda: self._place.size(self._name(name)))

    def is_older(self, name: str, seconds: float, *, than: str | None = None) -> bool:
        """Whether a file was written so long before another one, or now."""
        with _telling():
            since = self._changed(name)
            now = datetime.now(UTC) if than is None else self._changed(than)
            return since is None or now is None or now - since > timedelta(seconds=seconds)

    def delete(self, name: str) -> None:
        """A file, if it is there."""
        try:
            with _telling():
                self._guard.do(lambda: self._place.delete(self._name(name)))
        except OutputError:  # the library wants to keep the folder, which is nothing on S3
            if self.size(name) is not None:
                raise

    def remove(self, folder: str) -> None:
        """A folder with all that it holds; others may remove it, or write to it, meanwhile."""
        tries = WRITE_TRIES
        while True:
            try:
                self._guard.do(lambda: self._place.remove(self._name(folder)))
            except StoreError as error:
                tries -= 1
                if not tries or getattr(error.__cause__, "errno", None) not in _MEANWHILE:
                    told = _told(error)
                    if isinstance(told, OutputError) and not self.names(folder):
                        return
                    raise told from error
            else:
                return

    def _changed(self, name: str) -> datetime | None:
        return self._guard.do(lambda: self._place.changed(self._name(name)))

    def _name(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _settle(self, name: str) -> None:
        """See to it that the name of a file outlasts a power failure."""
        parts = self._name(name).split("/")[:-1]
        self._place.sync(*("/".join(parts[:count]) for count in range(len(parts) + 1)))


def about(digest: str) -> str:
    """The folder of what is known of a content."""
    return f"about/{digest[:2]}/{digest}"


def _content(digest: str) -> str:
    return f"contents/{digest[:2]}/{digest}"


def _document(document_id: str) -> str:
    return f"documents/{document_id[:2]}/{document_id}.json"


def _key(key: str) -> str:
    return f"keys/{sha256(key.encode()).hexdigest()}"


def _entry_seal(told: dict[str, Any]) -> str:
    return seal(json.dumps(told, sort_keys=True)).hex()


def _leaving(document_id: str) -> str:
    return f"leaving/{document_id}.json"


_MEANWHILE = frozenset({ENOENT, ENOTEMPTY})


@contextmanager
def _telling() -> Iterator[None]:
    try:
        yield
    except HungError:
        raise
    except StoreError as error:
        raise _told(error) from error


def _told(error: StoreError) -> StoreError | OutputError:
    """What clients may know; the log has a little more, but no names, which are of documents."""
    if isinstance(error, HungError):
        return error
    number = getattr(error.__cause__, "errno", None)
    found = _REASON.search(str(error))
    reason = found[0] if found else os.strerror(number) if number else "it can't be used"
    LOG.warning("the place of documents: %s", reason)
    if number in NO_ROOM or _FULL.search(str(error)):
        return OutputError("the documents' disk is full; nothing was kept")
    return StoreError("documents can't be kept or read now")

"""The files of a realm on object storage: each call has a time limit and a fit error message."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from errno import ENOENT, ENOTEMPTY
from pathlib import Path
from typing import Any

from rowen.logs import LOG
from rowen.model.errors import OutputError, StoreError
from rowen.storage.documents.checksums import VerifiedFiles
from rowen.storage.documents.files import NO_ROOM, UPLOAD_CHUNK_BYTES, disk
from rowen.storage.documents.guard import Guard, HungError, budget
from rowen.storage.place import PARTIAL, Place, store_errors

STORE_LISTING_SECONDS = 300.0
"""Limit: how long it may take to list all files of a tenant. A million files take a minute."""

WRITE_TRIES = 20
"""Limit: how often a service tries to write a file whose folder other services remove. Each failed
attempt means that another service has finished."""


_REASON = re.compile(r"AWS Error [A-Z_]+ (?:\(HTTP status \d+\) )?during \w+")
_FULL = re.compile(
    r"HTTP status 507|QuotaExceeded|StorageFull|InsufficientStorage|ENOSPC|no space left",
    re.IGNORECASE,
)
"""How S3 servers report that there is no room, in the words of Arrow's library."""
_CHANGED_MEANWHILE = frozenset({ENOENT, ENOTEMPTY})
"""Errors of removing a folder while another service removes it too, or writes to it."""


class ObjectFiles:
    """Files named from the folder of one realm.

    Errors say only that a call failed: paths name documents, which other tenants must not see.
    """

    def __init__(self, place: Place, realm: str, guard: Guard) -> None:
        self._place = place
        self._guard = guard
        self._root = f"tenants/{realm}" if realm else "home"

    def read_json(self, name: str) -> Any:
        """The content of a small file, or None; StoreError where it is damaged."""
        content = self.read(name)
        try:
            return None if content is None else json.loads(content)
        except ValueError:
            LOG.warning("object storage: a file is damaged")
            raise StoreError("the stored entry of a document is damaged") from None

    def read(self, name: str) -> bytes | None:
        """The content of a file, or None."""
        try:
            return self._guard.do(lambda: self._place.read(self._path(name)))
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            raise _public_error(error) from error

    def write_json(self, name: str, content: Any) -> None:
        """Write a small file."""
        self.write(name, json.dumps(content).encode())

    def write(self, name: str, content: bytes) -> None:
        """Write a file; its folder is created again where another service removes it meanwhile."""

        def step() -> None:
            with self._place.writing(self._path(name)) as stream:
                stream.write(content)
            self._sync_folders(name)

        tries = WRITE_TRIES
        while True:
            try:
                self._guard.do(step, size=len(content))
            except StoreError as error:
                tries -= 1
                if not tries or not isinstance(error.__cause__, FileNotFoundError):
                    raise _public_error(error) from error
            else:
                return

    def put(self, name: str, file: Path, *, size: int) -> None:
        """Upload a file of this machine."""

        def step() -> None:
            with disk(), file.open("rb") as source, self._place.writing(self._path(name)) as target:
                shutil.copyfileobj(source, target, UPLOAD_CHUNK_BYTES)
            self._sync_folders(name)

        with _public_errors():
            self._guard.do(step, size=size)

    def fetch(self, name: str, path: Path, *, size: int) -> None:
        """Download a file to this machine; FileNotFoundError where there is none."""

        def step() -> None:
            with (
                store_errors("fetch a document"),
                self._place.files.open(self._place.path(self._path(name))) as source,
                disk(),
                path.open("wb") as target,
            ):
                shutil.copyfileobj(source, target, UPLOAD_CHUNK_BYTES)

        try:
            self._guard.do(step, size=size)
        except StoreError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise error.__cause__ from None
            raise _public_error(error) from error

    def local_path(self, name: str) -> Path | None:
        """The path of a file, where the storage is a folder of this machine."""
        return Path(self._place.path(self._path(name))) if self._place.is_local else None

    def verify(self, path: Path, digest: str, verified: VerifiedFiles, *, size: int) -> None:
        """Compare a file of this machine with its digest, as VerifiedFiles does."""
        self._guard.do(lambda: verified.check(path, digest), size=size)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, without files that are still being written."""
        with _public_errors():
            names = self._guard.do(lambda: self._place.names(self._path(folder)))
            # Where the storage is a folder, a file that is being written has a temporary name.
            return [name for name in names if not name.endswith(PARTIAL)]

    def files_under(self, folder: str) -> Iterator[tuple[str, int]]:
        """All files under a folder, however deep, with their sizes."""
        with _public_errors(), budget(STORE_LISTING_SECONDS):
            listed = self._guard.do(
                lambda: list(self._place.files_under(self._path(folder))),
                seconds=STORE_LISTING_SECONDS,
            )
        yield from listed

    def size(self, name: str) -> int | None:
        """The size of a file; None where there is none."""
        with _public_errors():
            return self._guard.do(lambda: self._place.size(self._path(name)))

    def is_older(self, name: str, seconds: float, *, than: str | None = None) -> bool:
        """Whether a file was written more than `seconds` before another file, or before now.

        Comparing two files needs no clock of this machine: both times are the storage's own.
        """
        with _public_errors():
            written = self._changed(name)
            now = datetime.now(UTC) if than is None else self._changed(than)
            return written is None or now is None or now - written > timedelta(seconds=seconds)

    def delete(self, name: str) -> None:
        """Delete a file, if it exists."""
        try:
            with _public_errors():
                self._guard.do(lambda: self._place.delete(self._path(name)))
        except OutputError:
            # After a deletion the library writes an object that stands for the folder. On full
            # storage that fails, though the file is gone.
            if self.size(name) is not None:
                raise

    def remove(self, folder: str) -> None:
        """Remove a folder and its files, also while other services remove it or write to it."""
        tries = WRITE_TRIES
        while True:
            try:
                self._guard.do(lambda: self._place.remove(self._path(folder)))
            except StoreError as error:
                tries -= 1
                if not tries or getattr(error.__cause__, "errno", None) not in _CHANGED_MEANWHILE:
                    public = _public_error(error)
                    if isinstance(public, OutputError) and not self.names(folder):
                        return
                    raise public from error
            else:
                return

    def _changed(self, name: str) -> datetime | None:
        return self._guard.do(lambda: self._place.changed(self._path(name)))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _sync_folders(self, name: str) -> None:
        """Make sure that the name of a file outlasts a power failure, with its folders."""
        parts = self._path(name).split("/")[:-1]
        self._place.sync(*("/".join(parts[:count]) for count in range(len(parts) + 1)))


@contextmanager
def _public_errors() -> Iterator[None]:
    try:
        yield
    except HungError:
        raise
    except StoreError as error:
        raise _public_error(error) from error


def _public_error(error: StoreError) -> StoreError | OutputError:
    """An error that clients may see. The log has the reason, but no paths: these name documents."""
    if isinstance(error, HungError):
        return error
    number = getattr(error.__cause__, "errno", None)
    match = _REASON.search(str(error))
    reason = match[0] if match else os.strerror(number) if number else "it can't be used"
    LOG.warning("object storage: %s", reason)
    if number in NO_ROOM or _FULL.search(str(error)):
        return OutputError("the documents' disk is full; nothing was stored")
    return StoreError("documents can't be stored or read now")

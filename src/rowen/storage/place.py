"""A place for files: a folder of this machine, or any file system that Arrow reaches."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from urllib.parse import urlsplit

from rowen.files import sync, writing
from rowen.model.errors import StoreError, UsageError
from rowen.storage.claims import Hold, claimed
from rowen.storage.local_files import LocalFiles

if TYPE_CHECKING:
    from rowen.storage.arrow_files import ArrowFiles

SPOOL_BYTES = 256 * 1024
"""Limit: memory for each object of object storage that is being written. What is more waits in a
temporary file. A snapshot writes to all of its partitions at once."""

_CHUNK = 1024 * 1024

PARTIAL = ".partial"
"""The ending of files that are being written."""

_DYING_SECONDS = 1.0
"""Seconds to wait for a lock: the workers of a run that was killed hold it a moment longer."""


@contextmanager
def store_errors(doing: str) -> Iterator[None]:
    """Turn an error of the file system into a `StoreError` that says what could not be done."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, OSError | _arrow_error()):
            raise
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else str(error).split("\n")[0]
        raise StoreError(f"can't {doing}: {reason}") from error


def _arrow_error() -> type[Exception]:
    # Imported once something has failed: Arrow takes longer to import than small runs work.
    from pyarrow import ArrowException

    error: type[Exception] = ArrowException
    return error


class Place:
    """A folder of files that appear whole or not at all.

    `uri` is a path, or something like `s3://bucket/folder`. A server that does not answer for
    `seconds` is given up; without them, its library decides when.
    """

    def __init__(self, uri: str | os.PathLike[str], *, seconds: float | None = None) -> None:
        self.uri = os.fspath(uri)
        if "://" in self.uri and urlsplit(self.uri).password is not None:
            raise UsageError(
                "a store's address must not contain a password: messages would show it. Set it in "
                "the environment, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        with store_errors(f"open {self.uri}"):
            if "://" in self.uri:
                from rowen.storage.arrow_files import open_address

                self.files: LocalFiles | ArrowFiles
                self.files, self.root = open_address(self.uri, seconds)
            else:
                self.files, self.root = LocalFiles(), str(Path(self.uri).absolute())

    @property
    def address(self) -> str:
        """The address that workers can open, whatever their working folder is."""
        return self.root if self.is_local else self.uri

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine, where files can be locked."""
        return self.files.is_local

    def path(self, name: str) -> str:
        """The full path of a file."""
        return f"{self.root}/{name}"

    def exists(self, name: str = "") -> bool:
        """Whether there is such a file or folder."""
        with store_errors(f"look into {self.uri}"):
            return self.files.exists(self.path(name) if name else self.root)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order; none if there is no such folder."""
        with store_errors(f"look into {self.uri}"):
            return self.files.names(self.path(folder))

    def size(self, name: str) -> int | None:
        """The size of a file; None if there is no such file."""
        with store_errors(f"look into {self.uri}"):
            return self.files.size(self.path(name))

    def files_under(self, folder: str) -> Iterator[tuple[str, int]]:
        """The names and sizes of all files under a folder, at any depth."""
        with store_errors(f"look into {self.uri}"):
            for path, size in self.files.under(self.path(folder)):
                yield path.removeprefix(f"{self.path(folder)}/"), size

    def read(self, name: str) -> bytes:
        """Read a small file."""
        with (
            store_errors(f"read {self.path(name)}"),
            self.files.open(self.path(name)) as stream,
        ):
            return stream.read()

    def read_json(self, name: str) -> Any:
        """Read a small file of JSON."""
        try:
            return json.loads(self.read(name))
        except ValueError:
            raise StoreError(f"{self.path(name)} is damaged: not JSON") from None

    def write_json(self, name: str, content: Any) -> None:
        """Write a small file of JSON, all of it or nothing."""
        with self.writing(name) as stream:
            stream.write(json.dumps(content, indent=1).encode())

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """Write a file that appears under its name when all of it is written and on the disk."""
        with store_errors(f"write {self.path(name)}"):
            if not isinstance(self.files, LocalFiles) and not self.is_local:
                # An object would appear when it is closed, even after an error; and the library
                # keeps 10 MB for each one that is open. So it is sent when all of it is there.
                with SpooledTemporaryFile(SPOOL_BYTES) as spool:
                    yield cast("BinaryIO", spool)
                    spool.seek(0)
                    with self.files.create(self.path(name)) as stream:
                        copyfileobj(spool, stream, _CHUNK)
                return
            path = Path(self.path(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f"{path.name}.{token_hex(4)}{PARTIAL}")
            # A run writes many files to few folders: `sync` brings their names to disk at its end.
            with writing(path, temporary=partial, folder=False) as file:
                yield file

    def changed(self, name: str) -> datetime | None:
        """When a file was written, by the clock of its server; None if there is no such file."""
        with store_errors(f"look into {self.uri}"):
            return self.files.changed(self.path(name))

    def delete(self, name: str) -> None:
        """Delete a file, if it exists."""
        with store_errors(f"remove {self.path(name)}"), suppress(FileNotFoundError):
            self.files.delete(self.path(name))

    def sync(self, *folders: str) -> None:
        """Make the names in folders survive a power failure. On object storage they do anyway."""
        for folder in folders if self.is_local else ():
            with store_errors(f"write {self.path(folder)}"):
                sync(Path(self.path(folder)))

    def remove(self, folder: str) -> None:
        """Delete a folder and everything in it, if it exists."""
        with store_errors(f"remove {self.path(folder)}"):
            self.files.remove(self.path(folder))

    @contextmanager
    def locked(self) -> Iterator[Hold]:
        """Be the only run that writes here, until the end of the block."""
        if not self.is_local:
            with claimed(self) as claim:
                yield claim
            return
        with store_errors(f"write {self.uri}"):
            Path(self.root).mkdir(parents=True, exist_ok=True)
            # The kernel releases the lock with the last process that has this file open. So a run
            # that was killed, even by a power failure, leaves no lock behind.
            lock = Path(self.path("lock")).open("ab")  # noqa: SIM115  # below
        with lock:
            with store_errors(f"lock {self.uri}"):
                locked = _lock(lock)
            if not locked:
                raise StoreError(f"another run is writing {self.uri}: wait until it has ended")
            yield Hold()


def _lock(file: BinaryIO) -> bool:
    """Whether the file could be locked, within a moment."""
    until = time.monotonic() + _DYING_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(_DYING_SECONDS / 20)
        else:
            return True

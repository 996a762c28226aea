"""Files named by the digest of their content: whole or not there, whenever the power fails."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from rowen.limits import SNIFFED_BYTES
from rowen.model.errors import OutputError, StoreError

NO_ROOM = frozenset({ENOSPC, EDQUOT, EFBIG})


LOCK = "lock"
"""The file that tells whether a folder is in use."""


@contextmanager
def disk() -> Iterator[None]:
    """Tell a full disk from one that doesn't work."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OutputError("the service's disk is full; nothing was kept") from error
        raise StoreError(f"the service's disk does not work: {error.strerror}") from error


def claim_folder(folder: Path) -> BinaryIO:
    """A file that keeps other services out of a folder as long as it is open."""
    with disk():
        folder.mkdir(parents=True, exist_ok=True)
        claim = (folder / LOCK).open("wb")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        claim.close()
        raise StoreError(f"{folder} is in use by another service") from None
    return claim


class FileDraft:
    """A file under a temporary name, and the digest of what it has so far."""

    def __init__(self, path: Path, *, missed: Callable[[int], None] | None = None) -> None:
        """`missed` is told how much there was no room for."""
        self.path = path
        self._missed = missed
        self._hash = sha256()
        self.size = 0
        self.head = b""
        self.kept = False
        with disk():
            self._file = path.open("xb", buffering=0)

    def write(self, data: bytes) -> None:
        """Add bytes."""
        if len(self.head) < SNIFFED_BYTES:
            self.head += data[: SNIFFED_BYTES - len(self.head)]
        self._hash.update(data)
        self.size += len(data)
        rest = memoryview(data)
        try:
            with disk():
                while rest:
                    rest = rest[self._file.write(rest) :]
        except OutputError:
            if self._missed is not None:
                self._missed(self.size)
            raise

    @property
    def digest(self) -> str:
        """That of what was written so far."""
        return self._hash.hexdigest()

    def seal(self) -> str:
        """Bring it to disk, once, and give its digest."""
        if not self._file.closed:
            with disk():
                os.fsync(self._file.fileno())
                self._file.close()
        return self.digest

    def move(self, target: Path) -> None:
        """Give a sealed draft its name; a crash leaves it under one of the two."""
        with disk():
            if not target.parent.exists():
                target.parent.mkdir()
                sync_folder(target.parent.parent)
            self.path.rename(target)
            sync_folder(target.parent)

    def discard(self) -> None:
        """Leave nothing of it."""
        self._file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


class Files:
    """A folder of files by digest, and one of drafts beside it."""

    def __init__(self, folder: Path) -> None:
        self._kept = folder / "files"
        self._drafts = folder / "drafts"
        with disk():
            for one in (self._kept, self._drafts):
                one.mkdir(exist_ok=True)
            for left in self._drafts.iterdir():  # by a service that was killed
                left.unlink()

    def draft(self, *, missed: Callable[[int], None] | None = None) -> FileDraft:
        """A new file."""
        return FileDraft(self._drafts / token_hex(16), missed=missed)

    def path(self, digest: str) -> Path:
        """Where the content with this digest is, or would be."""
        return self._kept / digest[:2] / digest

    def delete(self, digest: str) -> None:
        """Remove a content for good."""
        path = self.path(digest)
        with disk():
            path.unlink(missing_ok=True)
            if path.parent.exists():
                sync_folder(path.parent)

    def groups(self) -> Iterator[tuple[str, list[str]]]:
        """All digests by their first two digits."""
        with disk():
            for folder in sorted(self._kept.iterdir()):
                yield folder.name, sorted(file.name for file in folder.iterdir())


def sync_folder(folder: Path) -> None:
    """Bring names that were given or taken in a folder to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

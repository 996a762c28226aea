"""Files named by the digest of their content (content-addressed), and drafts on their way in."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from rowen.files import move_file, sync
from rowen.model.errors import OutputError, StoreError

UPLOAD_CHUNK_BYTES = 1024 * 1024
"""Limit: how much of an upload is in memory before it is written."""

SNIFFED_BYTES = 4096
"""Limit: how much of a document is read to detect its type (PDF, HTML or text)."""


NO_ROOM = frozenset({ENOSPC, EDQUOT, EFBIG})


LOCK = "lock"
"""The file that is locked while a service uses a folder."""


@contextmanager
def disk() -> Iterator[None]:
    """Distinguish a full disk from one that does not work."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OutputError("the service's disk is full; nothing was stored") from error
        raise StoreError(f"the service's disk failed: {error.strerror}") from error


def claim_folder(folder: Path) -> BinaryIO:
    """Lock a folder against other services, for as long as the returned file is open."""
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
    """A file under a temporary name, and the digest of its content so far."""

    def __init__(self, path: Path, *, missed: Callable[[int], None] | None = None) -> None:
        """`missed` is called with the size of a draft that there is no room for."""
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
        unwritten = memoryview(data)
        try:
            with disk():
                while unwritten:
                    unwritten = unwritten[self._file.write(unwritten) :]
        except OutputError:
            if self._missed is not None:
                self._missed(self.size)
            raise

    @property
    def digest(self) -> str:
        """The digest of what was written so far."""
        return self._hash.hexdigest()

    def seal(self) -> str:
        """Bring the content to disk, once, and return its digest."""
        if not self._file.closed:
            with disk():
                os.fsync(self._file.fileno())
                self._file.close()
        return self.digest

    def move(self, target: Path) -> None:
        """Give a sealed draft its name; a crash leaves it under one of the two names."""
        with disk():
            if not target.parent.exists():
                target.parent.mkdir()
                # The name of a new folder is not on disk until its parent is.
                sync(target.parent.parent)
            move_file(self.path, target)

    def discard(self) -> None:
        """Remove the draft."""
        self._file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


class Files:
    """A folder of files by digest, and a folder of drafts beside it."""

    def __init__(self, folder: Path) -> None:
        self._stored = folder / "files"
        self._drafts = folder / "drafts"
        with disk():
            for part in (self._stored, self._drafts):
                part.mkdir(exist_ok=True)
            for stale in self._drafts.iterdir():  # left by a service that was killed
                stale.unlink()

    def draft(self, *, missed: Callable[[int], None] | None = None) -> FileDraft:
        """A new file."""
        return FileDraft(self._drafts / token_hex(16), missed=missed)

    def path(self, digest: str) -> Path:
        """The file for the content with this digest."""
        # 256 folders: one folder with all files would be slow to list, and `groups` reads one at a
        # time.
        return self._stored / digest[:2] / digest

    def delete(self, digest: str) -> None:
        """Delete a content, so that a crash can't bring it back."""
        path = self.path(digest)
        with disk():
            path.unlink(missing_ok=True)
            if path.parent.exists():
                # Without it, a power failure could bring back a document whose deletion was
                # confirmed.
                sync(path.parent)

    def groups(self) -> Iterator[tuple[str, list[str]]]:
        """All digests, by their first two digits."""
        with disk():
            for folder in sorted(self._stored.iterdir()):
                yield folder.name, sorted(file.name for file in folder.iterdir())

"""Checksums: what is read is what was stored, or the damage is noticed."""

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b, file_digest
from pathlib import Path
from threading import Lock
from time import monotonic

from rowen.model.errors import StoreError

VERIFIED_SECONDS = 600.0
"""Limit: how long a file that was found whole is not read again, unless it changes."""

VERIFIED_FILES = 10_000
"""Limit: for how many files the service remembers when they were found whole."""


CHECKSUM_BYTES = 16


def checksum(*parts: bytes | str) -> bytes:
    """A digest of several parts.

    The length of each part goes in too: otherwise `("ab", "c")` and `("a", "bc")` would agree.
    """
    digest = blake2b(digest_size=CHECKSUM_BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


class DamagedError(StoreError):
    """A document's bytes are not those that were stored."""

    def __init__(self) -> None:
        super().__init__("the stored document is damaged; send it again")


@contextmanager
def reading_disk() -> Iterator[None]:
    """Report a disk that can't be read; a missing file is left to the caller."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"the service's disk failed: {error.strerror}") from error


class VerifiedFiles:
    """Files that match their digests: read again after a while, or when they changed."""

    def __init__(self) -> None:
        self._verified: OrderedDict[str, tuple[float, tuple[int, ...]]] = OrderedDict()
        self._lock = Lock()

    def check(self, path: Path, digest: str) -> None:
        """DamagedError where a file has another digest; FileNotFoundError where there is none."""
        with reading_disk(), path.open("rb") as file:
            status = os.fstat(file.fileno())
            # A program can set the time of modification back, but not that of the last change of
            # the inode.
            state = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            now = monotonic()
            with self._lock:
                verified_at, before = self._verified.get(digest, (0.0, ()))
                if before == state and now - verified_at < VERIFIED_SECONDS:
                    return
            if file_digest(file, "sha256").hexdigest() != digest:
                with self._lock:
                    self._verified.pop(digest, None)
                raise DamagedError
        with self._lock:
            self._verified[digest] = now, state
            self._verified.move_to_end(digest)
            if len(self._verified) > VERIFIED_FILES:
                self._verified.popitem(last=False)

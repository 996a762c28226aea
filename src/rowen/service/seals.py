"""Seals: what was kept is what comes back, or it is noticed."""

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b, file_digest
from pathlib import Path
from threading import Lock
from time import monotonic

from rowen.limits import VERIFIED_FILES, VERIFIED_SECONDS
from rowen.model.errors import StoreError

SEAL_BYTES = 16


def seal(*parts: bytes | str) -> bytes:
    """A digest of some parts and of where each ends."""
    digest = blake2b(digest_size=SEAL_BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()


class DamagedError(StoreError):
    """A document's bytes are not those that were kept."""

    def __init__(self) -> None:
        super().__init__("the document is damaged where it is kept; send it again")


@contextmanager
def reading_disk() -> Iterator[None]:
    """Tell of a disk that can't be read; a file that is not there is another matter."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(f"the service's disk does not work: {error.strerror}") from error


class VerifiedFiles:
    """Files that are what their names say: looked at again after a while, or when they changed."""

    def __init__(self) -> None:
        self._verified: OrderedDict[str, tuple[float, tuple[int, ...]]] = OrderedDict()
        self._lock = Lock()

    def check(self, path: Path, digest: str) -> None:
        """DamagedError where a file has another digest; FileNotFoundError where there is none."""
        with reading_disk(), path.open("rb") as file:
            found = os.fstat(file.fileno())
            state = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            now = monotonic()
            with self._lock:
                when, before = self._verified.get(digest, (0.0, ()))
                if before == state and now - when < VERIFIED_SECONDS:
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

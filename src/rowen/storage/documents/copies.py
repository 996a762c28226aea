"""Local copies of documents on object storage, for workers to read: a cache of bounded size."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic

from rowen.model.errors import StoreError
from rowen.storage.documents.checksums import DamagedError, VerifiedFiles
from rowen.storage.documents.files import disk

COPIES_BYTES = 4 * 1024 * 1024 * 1024
"""Limit: how much disk space unused copies of documents take, where the documents are on object
storage."""

COPY_SECONDS = 3600.0
"""Limit: how long an unused copy is kept. Another service may have deleted its document."""


@dataclass(slots=True)
class _Copy:
    fetching: Lock = field(default_factory=Lock)
    size: int | None = None
    readers: int = 0
    used_at: float = 0.0


class Copies:
    """The latest copies by digest; copies that are being read don't count against the limit."""

    def __init__(self, folder: Path, *, most: int = COPIES_BYTES) -> None:
        self._folder = folder
        self._most = most
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._changing = Lock()
        self._verified = VerifiedFiles()
        with disk():
            folder.mkdir(exist_ok=True)
            for stale in folder.iterdir():  # of an earlier start: how old is unknown
                stale.unlink()

    @contextmanager
    def reading(self, digest: str, fetch: Callable[[Path], None]) -> Iterator[Path]:
        """A whole copy; the first reader fetches it while others wait."""
        path = self._folder / digest
        with self._changing:
            copy = self._copies.setdefault(digest, _Copy())
            # Counted before anything is fetched, so that `_make_room` can't remove the copy
            # meanwhile.
            copy.readers += 1
        try:
            with copy.fetching:
                if copy.size is not None and not self._is_whole(path, digest):
                    copy.size = None
                if copy.size is None:
                    copy.size = _fetched(digest, path, fetch)
            yield path
        finally:
            with self._changing:
                copy.readers -= 1
                copy.used_at = monotonic()
                if copy.size is None and not copy.readers:
                    del self._copies[digest]
                else:
                    self._copies.move_to_end(digest)
                self._make_room()

    def _is_whole(self, path: Path, digest: str) -> bool:
        """Whether a copy is undamaged; a damaged one is fetched again."""
        try:
            self._verified.check(path, digest)
        except (FileNotFoundError, StoreError):
            return False
        return True

    def _make_room(self) -> None:
        total = sum(copy.size or 0 for copy in self._copies.values())
        now = monotonic()
        for digest, copy in list(self._copies.items()):
            is_old = now - copy.used_at > COPY_SECONDS
            if copy.readers or copy.size is None or not (is_old or total > self._most):
                continue
            total -= copy.size
            del self._copies[digest]
            with disk():
                (self._folder / digest).unlink(missing_ok=True)


def _fetched(digest: str, path: Path, fetch: Callable[[Path], None]) -> int:
    """Fetch a copy and give its size; DamagedError where it has another digest."""
    # A name of its own: a download that was given up may still be writing to the last one.
    partial = path.with_name(f"{path.name}.{token_hex(4)}.partial")
    try:
        fetch(partial)
        with disk():
            with partial.open("rb") as file:
                if file_digest(file, "sha256").hexdigest() != digest:
                    raise DamagedError
            partial.replace(path)  # no fsync: after a restart all copies are fetched again
            return path.stat().st_size
    finally:
        with disk():
            partial.unlink(missing_ok=True)

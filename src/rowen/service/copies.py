"""Copies of documents that live elsewhere: a folder with an end, for workers to read from."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from secrets import token_hex
from threading import Lock
from time import monotonic

from rowen.limits import COPIES_BYTES, COPY_SECONDS
from rowen.model.errors import StoreError
from rowen.service.files import disk
from rowen.service.seals import DamagedError, VerifiedFiles


@dataclass(slots=True)
class _Copy:
    fetching: Lock = field(default_factory=Lock)
    size: int | None = None
    readers: int = 0
    used: float = 0.0


class Copies:
    """The latest copies by digest; what is being read stays, whatever room it takes."""

    def __init__(self, folder: Path, *, most: int = COPIES_BYTES) -> None:
        self._folder = folder
        self._most = most
        self._copies: OrderedDict[str, _Copy] = OrderedDict()
        self._changing = Lock()
        self._verified = VerifiedFiles()
        with disk():
            folder.mkdir(exist_ok=True)
            for left in folder.iterdir():  # nobody knows how old
                left.unlink()

    @contextmanager
    def reading(self, digest: str, fetch: Callable[[Path], None]) -> Iterator[Path]:
        """A whole copy, fetched by the first who needs it while others wait."""
        path = self._folder / digest
        with self._changing:
            copy = self._copies.setdefault(digest, _Copy())
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
                copy.used = monotonic()
                if copy.size is None and not copy.readers:
                    del self._copies[digest]
                else:
                    self._copies.move_to_end(digest)
                self._make_room()

    def _is_whole(self, path: Path, digest: str) -> bool:
        """A copy may be damaged, too; then it is fetched again."""
        try:
            self._verified.check(path, digest)
        except (FileNotFoundError, StoreError):
            return False
        return True

    def _make_room(self) -> None:
        total = sum(copy.size or 0 for copy in self._copies.values())
        now = monotonic()
        for digest, copy in list(self._copies.items()):
            old = now - copy.used > COPY_SECONDS
            if copy.readers or copy.size is None or not (old or total > self._most):
                continue
            total -= copy.size
            del self._copies[digest]
            with disk():
                (self._folder / digest).unlink(missing_ok=True)


def _fetched(digest: str, path: Path, fetch: Callable[[Path], None]) -> int:
    """The size of what was fetched, if it is what it should be."""
    # Each has a name of its own: one that was given up may go on being written.
    partial = path.with_name(f"{path.name}.{token_hex(4)}.partial")
    try:
        fetch(partial)
        with disk():
            with partial.open("rb") as file:
                if file_digest(file, "sha256").hexdigest() != digest:
                    raise DamagedError
            partial.rename(path)
            return path.stat().st_size
    finally:
        with disk():
            partial.unlink(missing_ok=True)

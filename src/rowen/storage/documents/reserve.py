"""A reserve of disk space for deletions, so that a full disk can be emptied.

Deleting needs room too: the database logs a change before it makes it. So the service keeps an
empty file of some megabytes on the same disk. It removes the file when a deletion finds no room,
and creates it again when there is room. While the file is missing nothing else may be stored: the
space that a deletion frees goes to the next deletion first.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from rowen.logs import LOG
from rowen.model.errors import OutputError
from rowen.storage.documents.files import disk

RESERVE_BYTES = 8 * 1024 * 1024
"""Limit: the size of the reserve. Twice what the database's log holds before it is written to the
database, so that this always fits, and a few deletions after it."""

RESERVE_PART = 8
"""Limit: on a small disk the reserve is at most this part (one eighth) of it."""

NEEDED_BYTES = 16 * 1024 * 1024
"""Limit: after it had no room for a document, the service is ready again when there is room for as
much, but at most this: nearly all documents are smaller."""


RESERVE = "reserve"
"""The name of the file."""

Result = TypeVar("Result")


class Reserve:
    """The reserve of a folder's disk; any thread may use it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESERVE
        self._changing = Lock()
        self._held = self._given_up = False
        self._needed = 0
        with disk():
            folder.mkdir(parents=True, exist_ok=True)
            self._size = min(RESERVE_BYTES, _disk_bytes(folder) // RESERVE_PART)
            with suppress(FileNotFoundError):
                self._held = self._path.stat().st_size >= self._size
        # A service starts on a full disk, too: it can still answer and delete.
        with suppress(OutputError):
            self.hold()

    @property
    def held(self) -> bool:
        """Whether the file exists."""
        return self._held

    @property
    def size(self) -> int:
        """The size of the file."""
        return self._size

    def hold(self, *, beside: int = 0) -> None:
        """Create the reserve if it is missing; OutputError where there is no room for it.

        The same where there is no room for `beside` further bytes.
        """
        if not self._held:
            with self._changing:
                if not self._held:
                    _allocate(self._path, self._size)
                    self._held = True
                    if self._given_up:
                        LOG.warning("the disk has room again")
        if beside and _free_bytes(self._path.parent) < beside:
            raise OutputError("the service's disk is full; nothing was stored")

    def release(self) -> bool:
        """Remove the reserve; False if it was missing already."""
        with self._changing:
            was_held, self._held = self._held, False
            with disk():
                self._path.unlink(missing_ok=True)
        if was_held:
            self._given_up = True
            LOG.warning("the disk is full: the reserve is removed for a deletion")
        return was_held

    def freeing(
        self,
        work: Callable[[], Result],
        after: Callable[[], None],
        last: Callable[[], None] | None = None,
    ) -> Result:
        """Run `work`, which frees room; remove the reserve where it finds none.

        `after` returns to the disk what the work has freed. `last` makes room by itself, for the
        case that other programs have taken all of the reserve.
        """
        try:
            result = work()
        except OutputError:
            self.release()
            after()
            try:
                result = work()
            except OutputError:
                if last is None:
                    raise
                last()
                result = work()
        # Freed pages of the database are no free disk space yet.
        if not self._held or _free_bytes(self._path.parent) < self._size:
            after()
            with suppress(OutputError):
                self.hold()
        return result

    def miss(self, size: int) -> None:
        """Remember that there was no room for `size` bytes."""
        self._needed = max(self._needed, min(size, NEEDED_BYTES))

    def check(self) -> None:
        """OutputError where there is no room for documents, or not for the last one refused.

        The free space that a disk reports may not be free for this user (quotas, reserved
        blocks). So after a refusal this allocates as much for a moment.
        """
        with disk():
            self.hold(beside=self._size)
        if self._needed:
            with self._changing:
                probe = self._path.with_name(f"{RESERVE}.check")
                _allocate(probe, self._needed)
                probe.unlink()
                self._needed = 0


def _allocate(path: Path, size: int) -> None:
    """Create a file that takes up room, though nothing is written to it."""
    draft = path.with_name(f"{path.name}.new")
    try:
        with disk():
            with draft.open("wb") as file:
                # A sparse file would promise room that the disk does not have.
                os.posix_fallocate(file.fileno(), 0, max(size, 1))
            draft.replace(path)  # no fsync: the file has no content to lose
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _disk_bytes(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_frsize * status.f_blocks


def _free_bytes(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_frsize * status.f_bavail

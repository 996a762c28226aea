"""A reserve on the disk of documents, so that a full one can be emptied.

Deleting needs room, too: the database writes what it is about to do before it does it. So a file of
nothing is kept on the same disk, given up when a deletion finds no room, and made again when there
is room for it. As long as it is missing nothing else may be kept: what a deletion gives back goes
to the next deletion first.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

from rowen.limits import NEEDED_BYTES, RESERVE_BYTES, RESERVE_PART
from rowen.model.errors import OutputError
from rowen.service.files import disk
from rowen.service.logs import LOG

RESERVE = "reserve"
"""What the file is called."""

Done = TypeVar("Done")


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
        with suppress(OutputError):
            self.hold()

    @property
    def held(self) -> bool:
        """Whether it is there."""
        return self._held

    @property
    def size(self) -> int:
        """How large it is."""
        return self._size

    def hold(self, *, beside: int = 0) -> None:
        """Make it where it is missing; OutputError where there is no room for it, so for nothing.

        Nor where there is none for so many bytes beside it.
        """
        if not self._held:
            with self._changing:
                if not self._held:
                    _allocate(self._path, self._size)
                    self._held = True
                    if self._given_up:
                        LOG.warning("the disk has room again")
        if beside and _free_bytes(self._path.parent) < beside:
            raise OutputError("the service's disk is full; nothing was kept")

    def release(self) -> bool:
        """Give it up; tells whether there was one."""
        with self._changing:
            was, self._held = self._held, False
            with disk():
                self._path.unlink(missing_ok=True)
        if was:
            self._given_up = True
            LOG.warning("the disk is full: the reserve is given up to delete something")
        return was

    def freeing(
        self,
        work: Callable[[], Done],
        after: Callable[[], None],
        last: Callable[[], None] | None = None,
    ) -> Done:
        """Do some work that frees room, with the reserve where it finds none.

        `after` gives back to the disk what the work has freed. `last` makes room by itself, where
        others have taken all of the reserve.
        """
        try:
            done = work()
        except OutputError:
            self.release()
            after()
            try:
                done = work()
            except OutputError:
                if last is None:
                    raise
                last()
                done = work()
        if not self._held or _free_bytes(self._path.parent) < self._size:
            after()
            with suppress(OutputError):
                self.hold()
        return done

    def miss(self, size: int) -> None:
        """Remember that there was no room for so many bytes."""
        self._needed = max(self._needed, min(size, NEEDED_BYTES))

    def check(self) -> None:
        """OutputError where there is no room for documents, or not for the last that was refused.

        What the disk tells of itself need not hold for this user, so that after a refusal as much
        is taken up for a moment.
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
    """A file that takes up room, though nothing is written to it."""
    draft = path.with_name(f"{path.name}.new")
    try:
        with disk():
            with draft.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, max(size, 1))
            draft.rename(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _disk_bytes(folder: Path) -> int:
    told = os.statvfs(folder)
    return told.f_frsize * told.f_blocks


def _free_bytes(folder: Path) -> int:
    told = os.statvfs(folder)
    return told.f_frsize * told.f_bavail

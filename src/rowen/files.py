"""Atomic writes: a file appears under its name whole or not at all, whenever the power fails.

The only place that knows how: a temporary name in the same folder, fsync of the file, rename, fsync
of the folder. Without the first fsync some file systems store the rename before the content, so
that a crash leaves an empty file; without the second one the rename itself may be lost. Every room
may import this module. Errors are the system's own (`OSError`): each caller turns them into the
error that its users know.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


class AtomicFile:
    """A file under a temporary name until `commit` renames it; `abandon` removes it."""

    def __init__(
        self, path: Path, *, temporary: Path | None = None, permissions: int = 0o666
    ) -> None:
        """`temporary` is a new name in the folder of `path`; the umask applies to `permissions`."""
        self.path = path
        self.temporary = temporary or path.with_name(f".{path.name}.{token_hex(8)}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        self.file: BinaryIO = os.fdopen(os.open(self.temporary, flags, permissions), "wb")

    def commit(self, *, folder: bool = True) -> None:
        """Give the complete file its name; what was there before is replaced.

        `folder=False` leaves the fsync of the folder to a caller that writes many files.
        """
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()
            self.temporary.replace(self.path)
        except BaseException:
            self.abandon()
            raise
        if folder:
            sync(self.path.parent)

    def abandon(self) -> None:
        """Remove the temporary file and raise nothing; what was there before stays."""
        with suppress(OSError):
            self.file.close()
        with suppress(OSError):
            self.temporary.unlink(missing_ok=True)


@contextmanager
def writing(
    path: Path, *, temporary: Path | None = None, permissions: int = 0o666, folder: bool = True
) -> Iterator[BinaryIO]:
    """A file to write to, which replaces `path` at the end unless an error is raised."""
    target = AtomicFile(path, temporary=temporary, permissions=permissions)
    try:
        yield target.file
    except BaseException:
        target.abandon()
        raise
    target.commit(folder=folder)


def write_file(path: Path, content: bytes) -> None:
    """Write all of a file, in place of what was there."""
    with writing(path) as file:
        file.write(content)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file; FileNotFoundError where there is none, and then nothing is left of the copy."""
    with source.open("rb") as content, writing(target) as copy:
        shutil.copyfileobj(content, copy)


def move_file(source: Path, target: Path) -> None:
    """Rename a file that is on disk already, so that the new name outlasts a crash."""
    source.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Bring a file's content, or the names in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

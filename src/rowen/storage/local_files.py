"""The files of this machine, as a place needs them."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from os import walk
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa


class LocalFiles:
    """Reads and removes files by their full paths; errors are the system's own.

    Without Arrow, whose import takes longer than most of what is done with these files.
    """

    is_local = True

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return Path(path).exists()

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order; none if there is no such folder."""
        try:
            return sorted(entry.name for entry in Path(folder).iterdir())
        except FileNotFoundError:
            return []

    def size(self, path: str) -> int | None:
        """The size of a file; None if there is no such file."""
        try:
            return Path(path).stat().st_size
        except FileNotFoundError:
            return None

    def under(self, folder: str) -> Iterator[tuple[str, int]]:
        """The paths and sizes of all files under a folder, at any depth."""
        for parent, _, names in walk(folder):
            for name in names:
                path = Path(parent, name)
                yield str(path), path.stat().st_size

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading."""
        return Path(path).open("rb")

    def open_anywhere(self, path: str) -> "pa.NativeFile":
        """Open a file for Arrow, to read at any place of it."""
        import pyarrow as pa

        return pa.OSFile(path)

    def changed(self, path: str) -> datetime | None:
        """When a file was written; None if there is no such file."""
        try:
            return datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
        except FileNotFoundError:
            return None

    def delete(self, path: str) -> None:
        """Delete a file; FileNotFoundError if there is none."""
        Path(path).unlink()

    def remove(self, folder: str) -> None:
        """Delete a folder and everything in it, if it exists."""
        if self.exists(folder):
            shutil.rmtree(folder)

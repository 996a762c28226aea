"""Spool output that can only be written at the end, in bounded memory.

Tables, Parquet files and reports begin with something that is known last: all columns, the schema,
the totals. A crawl's records may not fit into memory until then.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory, gettempdir
from typing import IO

from rowen.export.target import Target, reporting

SPOOL_BYTES = 16 * 1024 * 1024
"""Limit: how much spooled output stays in memory; more goes to a temporary file."""


_CHUNK = 1 << 20


def copy(file: IO[bytes], target: Target) -> None:
    """Copy the rest of a file to a target."""
    while chunk := file.read(_CHUNK):
        target.write(chunk)


class TemporaryFiles:
    """A folder for libraries that write files of their own; what is in it is copied in the end."""

    def __init__(self) -> None:
        with self.reporting():
            self._folder = TemporaryDirectory(prefix="rowen-")
        self.folder = Path(self._folder.name)

    def reporting(self) -> AbstractContextManager[None]:
        """Turn system errors into an `OutputError` about temporary files."""
        return reporting(f"temporary files in {gettempdir()}")

    def copy_to(self, target: Target, name: str) -> None:
        """Copy a file of the folder to a target."""
        with (self.folder / name).open("rb") as file:
            copy(file, target)

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()


class Spool:
    """Bytes in the order of writing; above `SPOOL_BYTES` they move to an unnamed temporary file."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115  # lives until close
        self._place = f"temporary files in {gettempdir()}"

    def write(self, data: bytes) -> None:
        """Add bytes at the end."""
        with reporting(self._place):
            self._file.write(data)

    def lines(self) -> Iterator[bytes]:
        """Everything from the start, line by line."""
        self._rewind()
        yield from self._file

    def copy_to(self, target: Target) -> None:
        """Copy everything from the start to a target."""
        self._rewind()
        copy(self._file, target)

    def close(self) -> None:
        """Free memory and disk."""
        self._file.close()

    def _rewind(self) -> None:
        with reporting(self._place):
            self._file.seek(0)

"""Zip archives of papers, which strangers send: everything about them is limited.

Attacks: a list of millions of files, which takes gigabytes of memory to read; a small archive that
unpacks to a full disk; names that lead out of a folder; encrypted and damaged files.
"""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rowen.model.errors import InputError

ARCHIVE_FILES = 10_000
"""Limit: the files of a zip archive."""

ARCHIVE_LIST_BYTES = 4 * 1024 * 1024
"""Limit: the size of an archive's list of files: 400 bytes for each."""

ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024
"""Limit: what all files of an archive unpack to."""

ARCHIVE_CHUNK_BYTES = 1024 * 1024
"""Limit: how much of a file is in memory while it is unpacked."""

SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
"""How archives begin; the second one is empty."""
_ENDINGS = (".pdf", ".html", ".htm", ".xhtml", ".txt", ".xml", ".tex", ".bbl")
_END = b"PK\x05\x06"
_END_BYTES = 22
_END_64 = b"PK\x06\x07"
_COMMENT_BYTES = 65_535
_ENCRYPTED = 1


@dataclass(frozen=True, slots=True)
class Packed:
    """A file in an archive that may be a paper."""

    name: str
    """Its name without folders, as the archive has it."""
    info: zipfile.ZipInfo


class Archive:
    """A zip archive, open for reading."""

    def __init__(self, path: Path) -> None:
        _check_list(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except _DAMAGES as error:
            raise InputError(f"the zip archive is damaged: {error}") from None
        self._unpacked = 0

    def files(self) -> Iterator[Packed]:
        """The files that may be papers, by their names; what systems add is passed over."""
        for info in self._zip.infolist():
            name = info.filename.replace("\\", "/")
            last = name.rpartition("/")[2]
            hidden = last.startswith(".") or name.startswith("__MACOSX/")
            if last and not hidden and last.lower().endswith(_ENDINGS):
                yield Packed(last, info)

    def skipped(self) -> Iterator[str]:
        """The names of other files."""
        papers = {packed.info.filename for packed in self.files()}
        for info in self._zip.infolist():
            last = info.filename.replace("\\", "/").rpartition("/")[2]
            if last and not last.startswith(".") and info.filename not in papers:
                yield last

    def unpack(self, packed: Packed, write: Callable[[bytes], None], *, most: int) -> None:
        """Unpack a file, piece by piece; InputError where it is damaged or too large."""
        if packed.info.flag_bits & _ENCRYPTED:
            raise InputError("it is encrypted")
        try:
            with self._zip.open(packed.info) as file:
                self._copy(file, write, most)
        except _DAMAGES as error:
            raise InputError(f"it is damaged: {error}") from None

    def _copy(self, file: IO[bytes], write: Callable[[bytes], None], most: int) -> None:
        size = 0
        while chunk := file.read(ARCHIVE_CHUNK_BYTES):
            size += len(chunk)
            # What the list says of sizes may be wrong: only what comes out counts.
            self._unpacked += len(chunk)
            if self._unpacked > ARCHIVE_BYTES:
                raise ArchiveError(f"the archive unpacks to more than {ARCHIVE_BYTES:,} bytes")
            if size > most:
                raise InputError(f"it has more than {most:,} bytes")
            write(chunk)

    def close(self) -> None:
        """Close the archive."""
        self._zip.close()


class ArchiveError(InputError):
    """The whole archive is refused, not one of its files."""


_DAMAGES = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    struct.error,
    UnicodeError,
)
"""What Python's reader raises for archives that it can't read."""


def _check_list(path: Path) -> None:
    """Refuse a long list of files before it is read: its size is at the archive's end."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_BYTES - _COMMENT_BYTES - 20))
        tail = file.read()
    at = tail.rfind(_END)
    # Python's reader first looks for an end without a comment.
    if tail[-_END_BYTES:-18] == _END and tail[-2:] == b"\0\0":
        at = len(tail) - _END_BYTES
    if at < 0 or len(tail) - at < _END_BYTES:
        raise InputError("the zip archive is damaged or incomplete")
    count, listed = struct.unpack("<HI", tail[at + 10 : at + 16])
    if tail[at - 20 : at - 16] == _END_64 or count > ARCHIVE_FILES or listed > ARCHIVE_LIST_BYTES:
        raise InputError(f"send archives of at most {ARCHIVE_FILES:,} files")

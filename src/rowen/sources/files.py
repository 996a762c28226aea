"""Single pages: a file, or standard input."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, page_or_error, unicode_id
from rowen.sources.mhtml import MHTML_SUFFIXES, is_mhtml, read_mhtml
from rowen.text.charset import PAGE_BYTES

_CHUNK = 1024 * 1024


class File(Source):
    """One file as one page, whatever its suffix; the id is the path as the caller wrote it."""

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(Path(self.path).as_posix() if os.sep != "/" else self.path)
        self.limit = limit

    @property
    def count_hint(self) -> int:
        """One."""
        return 1

    def found(self) -> Iterator[Page | DocumentError]:
        """The page."""
        yield page_in_file(self.path, self.name, limit=self.limit)


class StandardInput(Source):
    """Standard input as one page with the id `-`; its bytes are kept for a second iteration."""

    name = "-"

    def __init__(self, *, limit: int = PAGE_BYTES) -> None:
        self.limit = limit
        self._data: bytes | None = None

    @property
    def count_hint(self) -> int:
        """One."""
        return 1

    def found(self) -> Iterator[Page | DocumentError]:
        """The page."""
        if self._data is None:
            try:
                self._data = _read_all(sys.stdin.buffer.read, self.limit + 1)
            except OSError as error:
                raise SourceError(f"can't read standard input: {error.strerror}") from None
        yield page_or_error(self._data, "-", limit=self.limit)


def page_in_file(path: str, page_id: str, *, limit: int) -> Page | DocumentError:
    """Read the page in a file; a file above the limit is not read at all."""
    try:
        handle = os.open(path, os.O_RDONLY)
        try:
            size = os.fstat(handle).st_size
            if size > limit:
                return DocumentError(page_id, f"is larger than the limit of {limit:,} bytes")
            # One byte more than the size: most files need a single call, and one that grows shows.
            data = os.read(handle, size + 1)
            if data and len(data) != size:
                # a pipe, a file that grows, or a file system that returns less than asked for
                data += _read_all(lambda room: os.read(handle, room), limit + 1 - len(data))
        finally:
            os.close(handle)
    except OSError as error:
        return DocumentError(page_id, f"can't be read: {error.strerror}")
    if path.lower().endswith(MHTML_SUFFIXES) and is_mhtml(data):
        return _page_in_mhtml(data, page_id, limit=limit)
    return page_or_error(data, page_id, limit=limit)


def _page_in_mhtml(data: bytes, page_id: str, *, limit: int) -> Page | DocumentError:
    try:
        saved = read_mhtml(data, page_id)
    except DocumentError as error:
        return error
    return page_or_error(saved.html, page_id, http_charset=saved.charset, limit=limit)


def _read_all(read: Callable[[int], bytes], room: int) -> bytes:
    """Read until the end, but no more than `room` bytes: a pipe may never end."""
    chunks: list[bytes] = []
    while room > 0 and (chunk := read(min(room, _CHUNK))):
        chunks.append(chunk)
        room -= len(chunk)
    return b"".join(chunks)

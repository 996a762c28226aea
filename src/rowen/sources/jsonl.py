"""JSON lines: `{"id": ..., "text": ...}`, one page per line, plain or with gzip."""

import gzip
import json
import os
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from rowen._core import page_line
from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, unicode_id, unpacked_size
from rowen.text.charset import PAGE_BYTES

_BUFFER = 256 * 1024
"""Bytes that are read at once: with the system's 8 KB, reading small pages takes twice as long."""


class JsonLines(Source):
    r"""The lines of a file as pages; a malformed line ends the iteration with a `SourceError`.

    Half of a surrogate pair (`"\ud800"`) is not a character. In a text it becomes U+FFFD, which
    moves no offset; in an id it becomes its escape, so that ids stay different.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit

    @property
    def bytes_hint(self) -> int | None:
        """About the size of the unpacked file."""
        return unpacked_size(self.path)

    def found(self) -> Iterator[Page | DocumentError]:
        """The pages; empty lines are skipped."""
        try:
            with self._open() as file:
                number = 1
                # A line is read up to the limit only: a file without newlines may be a bomb.
                while line := file.readline(self.limit + 1):
                    if len(line) > self.limit:
                        raise self._error(number, f"is longer than {self.limit:,} bytes")
                    if number == 1:
                        line = line.removeprefix(b"\xef\xbb\xbf")
                    if line.strip():
                        yield self._page(line, number)
                    number += 1
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise SourceError(f"can't read {self.name}: {reason}") from None

    def _open(self) -> BinaryIO | gzip.GzipFile:
        if self.path.lower().endswith(".gz"):
            return gzip.open(self.path)
        return open(self.path, "rb", buffering=_BUFFER)  # noqa: PTH123  # the path may be any string

    def _page(self, line: bytes, number: int) -> Page:
        # Most lines have an id and a text only. A complete parser takes longer than such pages do.
        usual = page_line(line)
        if usual is not None and usual[0]:
            return Page(usual[1], unicode_id(usual[0]))
        try:
            content: Any = json.loads(line)
        except RecursionError:
            raise self._error(number, "is nested too deeply") from None
        except ValueError as error:
            raise self._error(number, f"is not JSON: {error}") from None
        if not isinstance(content, dict):
            raise self._error(number, "is not an object with an id and a text")
        page_id, text = content.get("id"), content.get("text")
        # Tables are often exported with numbers as ids.
        if isinstance(page_id, int) and not isinstance(page_id, bool):
            page_id = str(page_id)
        if not isinstance(page_id, str) or not page_id:
            raise self._error(number, 'needs an "id" that is a string and not empty')
        if not isinstance(text, str):
            raise self._error(number, 'needs a "text" that is a string')
        if not text.isascii():
            text = _without_halves(text)
        return Page(text, unicode_id(page_id))

    def _error(self, number: int, reason: str) -> SourceError:
        return SourceError(f"{self.name}: line {number} {reason}")


def _without_halves(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text

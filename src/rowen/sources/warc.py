"""WARC files, plain or with gzip."""

import os
import warnings
import zlib
from collections.abc import Iterator
from typing import IO

from rowen.limits import HTTP_HEAD_BYTES, PAGE_BYTES
from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, page_or_error, unicode_id, unpacked_size
from rowen.sources.http import MediaType, Response, ResponseError

with warnings.catch_warnings():
    # fastwarc 1.1 warns of its own old names while it is imported
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator, WarcHeader, WarcRecord, WarcRecordType

_KINDS = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
_PAGES = frozenset(
    (
        "application/xhtml+xml",
        "application/xml",
        "text/html",
        "text/markdown",
        "text/plain",
        "text/xml",
    )
)
_CHUNK = 64 * 1024


class Warc(Source):
    """The pages of an archive: successful responses, resources and conversions that are text.

    A page's id is its target URI. Other records are passed over; one that can't be read is
    reported. Damage to the archive itself ends the iteration after the last whole record.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit

    @property
    def bytes_hint(self) -> int | None:
        """About as many as the file has, unpacked."""
        return unpacked_size(self.path)

    def found(self) -> Iterator[Page | DocumentError]:
        """The pages, in the order of the archive."""
        try:
            with open(self.path, "rb") as file:  # noqa: PTH123  # the path may be any string
                stream = _Unpacked(file)
                yield from self._pages(stream)
                if stream.damage:
                    raise SourceError(f"{self.name} {stream.damage}")
        except OSError as error:
            raise SourceError(f"can't read {self.name}: {error.strerror or error}") from None

    def _pages(self, stream: "_Unpacked") -> Iterator[Page | DocumentError]:
        records = ArchiveIterator(stream, _KINDS, parse_http=False, stream_detect=False)
        after = "the beginning"
        while True:
            try:
                record = next(records, None)
            except OSError as error:
                damage = stream.damage or "is damaged"
                raise SourceError(f"{self.name} {damage} after {after}: {error}") from None
            if record is None:
                return
            page_id = _name(record)
            try:
                page = self._page(record, page_id)
            except EOFError:
                damage = stream.damage or "ends in the middle of a record"
                raise SourceError(f"{self.name} {damage}, after {after}") from None
            if page is not None:
                yield page
            after = page_id

    def _page(self, record: WarcRecord, page_id: str) -> Page | DocumentError | None:
        """The page in a record, None where it is something else; EOFError where it is not whole."""
        declared = record.headers.get_bytes(WarcHeader.CONTENT_LENGTH)
        if declared is None or not declared.strip().isdigit():
            raise EOFError
        length = int(declared)
        if length > self.limit + HTTP_HEAD_BYTES:
            return DocumentError(page_id, f"is larger than the limit of {self.limit:,} bytes")
        block = record.reader.read(length) if length else b""
        if len(block) < length:
            raise EOFError
        try:
            media, body = self._content(record, block)
        except ResponseError as error:
            return DocumentError(page_id, str(error))
        if body is None:
            return None
        if not record.headers.get_bytes(WarcHeader.WARC_TARGET_URI):
            return DocumentError(page_id, "has no target URI")
        page = page_or_error(body, page_id, http_charset=media.charset, limit=self.limit)
        if isinstance(page, DocumentError) and not media.name:
            return None
        return page

    def _content(self, record: WarcRecord, block: bytes) -> tuple[MediaType, bytes | None]:
        """What a record holds, without a body where that is no page."""
        given = record.headers.get_bytes(WarcHeader.CONTENT_TYPE) or b""
        media = MediaType.of(given.decode("latin-1"))
        if media.name != "application/http":
            return media, block if _is_page(media) else None
        response = Response.parse(block)
        media = response.media_type
        if not 200 <= response.status < 300 or not _is_page(media):
            return media, None
        return media, response.body(limit=self.limit)


def _is_page(media: MediaType) -> bool:
    """Whether it is a page by what it is called; without a name the content has to tell."""
    name = media.name
    return not name or name in _PAGES or (name.endswith("+xml") and name != "image/svg+xml")


def _name(record: WarcRecord) -> str:
    """The target URI, or whatever else can name a record that lacks one."""
    for header in (WarcHeader.WARC_TARGET_URI, WarcHeader.WARC_RECORD_ID):
        name = b" ".join((record.headers.get_bytes(header) or b"").split())
        if name:
            return unicode_id(name.removeprefix(b"<").removesuffix(b">"))
    return "a record"


class _Unpacked:
    """A file's bytes, unpacked where it is gzip. Damage ends it and is kept, not raised.

    The archive reader looks ahead: an error that it met there would take the whole records before
    it along.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.damage = ""
        self._file = file
        self._position = 0
        self._packed = file.read(_CHUNK)
        self._inflater = zlib.decompressobj(31) if self._packed.startswith(b"\x1f\x8b") else None

    def read(self, size: int = _CHUNK) -> bytes:
        data = self._inflated(size) if self._inflater else self._plain(size)
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        if (offset, whence) not in {(0, 1), (self._position, 0)}:
            raise OSError("an archive is read from front to back")
        return self._position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._file.close()

    def _plain(self, size: int) -> bytes:
        if not self._packed:
            return self._file.read(size)
        data, self._packed = self._packed[:size], self._packed[size:]
        return data

    def _inflated(self, size: int) -> bytes:
        assert self._inflater is not None
        while not self.damage:
            if not self._packed:
                self._packed = self._file.read(_CHUNK)
            if self._inflater.eof:
                # the next member; zeros may pad the last one
                self._packed = self._packed.lstrip(b"\x00")
                if not self._packed:
                    return b""
                self._inflater = zlib.decompressobj(31)
            ended = not self._packed
            try:
                data = self._inflater.decompress(self._packed, size)
            except zlib.error:
                self.damage = "has damaged gzip data"
                return b""
            self._packed = self._inflater.unconsumed_tail or self._inflater.unused_data
            if data:
                return data
            if ended and not self._inflater.eof:
                self.damage = "is cut short: its gzip data has no end"
        return b""

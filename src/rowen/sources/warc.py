"""WARC archives (ISO 28500), plain or with gzip."""

import os
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from rowen.model.errors import DocumentError, SourceError
from rowen.model.extras import needs
from rowen.model.page import Page
from rowen.sources.base import CrawlNote, Source, page_or_error, unicode_id, unpacked_size
from rowen.sources.http import MediaType, Response, ResponseError
from rowen.text.charset import PAGE_BYTES

HTTP_HEAD_BYTES = 1024 * 1024
"""Limit: the HTTP headers of an archived page; servers stop at 64 KB."""


with warnings.catch_warnings():
    # fastwarc 1.1 warns about its own deprecated names while it is imported
    warnings.simplefilter("ignore", DeprecationWarning)
    with needs("store", "an archive of a crawl"):
        from fastwarc.warc import ArchiveIterator, WarcHeader, WarcRecord, WarcRecordType

_KINDS = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
_NOTED = _KINDS | WarcRecordType.revisit
_GONE = frozenset((404, 410))
_NOT_MODIFIED = 304
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

    A page's id is its target URI. What a crawler stored of other answers is noted: unchanged (304,
    or the same content as before), gone (404, 410), failed (5xx). Other records are skipped; one
    that can't be read is reported. Damage to the archive itself ends the iteration after the last
    complete record.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit

    @property
    def bytes_hint(self) -> int | None:
        """About the size of the unpacked file."""
        return unpacked_size(self.path)

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """The pages and notes, in archive order."""
        try:
            with open(self.path, "rb") as file:  # noqa: PTH123  # the path may be any string
                stream = _Unpacked(file)
                yield from self._pages(stream)
                if stream.damage:
                    raise SourceError(f"{self.name} {stream.damage}")
        except OSError as error:
            raise SourceError(f"can't read {self.name}: {error.strerror or error}") from None

    def _pages(self, stream: "_Unpacked") -> Iterator[Page | DocumentError | CrawlNote]:
        # HTTP is parsed here instead: the limits of `codings` hold, and stored bodies often differ
        # from their headers.
        records = ArchiveIterator(stream, _NOTED, parse_http=False, stream_detect=False)
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

    def _page(self, record: WarcRecord, page_id: str) -> Page | DocumentError | CrawlNote | None:
        """The page in a record, or a note about it; None if it is something else.

        Raises:
            EOFError: if the record is incomplete.
        """
        declared = record.headers.get_bytes(WarcHeader.CONTENT_LENGTH)
        if declared is None or not declared.strip().isdigit():
            raise EOFError
        length = int(declared)
        # Checked before anything is read: a record may declare terabytes.
        if length > self.limit + HTTP_HEAD_BYTES:
            return DocumentError(page_id, f"is larger than the limit of {self.limit:,} bytes")
        block = record.reader.read(length) if length else b""
        if len(block) < length:
            raise EOFError
        if record.record_type == WarcRecordType.revisit:
            return _revisit(record, page_id, block)
        return _status_note(record, page_id, block) or self._text(record, page_id, block)

    def _text(self, record: WarcRecord, page_id: str, block: bytes) -> Page | DocumentError | None:
        try:
            media, body = self._content(record, block)
        except ResponseError as error:
            return DocumentError(page_id, str(error))
        if body is None:
            return None
        if not record.headers.get_bytes(WarcHeader.WARC_TARGET_URI):
            return DocumentError(page_id, "has no target URI in its WARC record")
        page = page_or_error(body, page_id, http_charset=media.charset, limit=self.limit)
        # Without a declared type the record was only tried: an image there is no error.
        if isinstance(page, DocumentError) and not media.name:
            return None
        return page

    def _content(self, record: WarcRecord, block: bytes) -> tuple[MediaType, bytes | None]:
        """The type of a record's content, and the body if it is a page."""
        header = record.headers.get_bytes(WarcHeader.CONTENT_TYPE) or b""
        media = MediaType.of(header.decode("latin-1"))
        if media.name != "application/http":
            return media, block if is_page(media) else None
        response = Response.parse(block)
        media = response.media_type
        # An error page is not the page at that address: its records would replace the page's.
        if not 200 <= response.status < 300 or not is_page(media):
            return media, None
        return media, response.body(limit=self.limit)


@dataclass(frozen=True, slots=True)
class Captured:
    """A successful response of an archive, or another record with content."""

    url: str
    media: MediaType
    body: bytes = field(repr=False)

    @property
    def is_page(self) -> bool:
        """Whether its type is that of a page."""
        return bool(self.media.name) and is_page(self.media)


def captured(file: IO[bytes], *, limit: int = PAGE_BYTES) -> Iterator[Captured]:
    """All that an archive holds of a site, also style sheets and images.

    What can't be read is skipped, and damage ends it: this is about how pages look.
    """
    records = ArchiveIterator(_Unpacked(file), _KINDS, parse_http=False, stream_detect=False)
    with suppress(OSError):
        for record in records:
            declared = record.headers.get_bytes(WarcHeader.CONTENT_LENGTH) or b""
            if not declared.strip().isdigit() or int(declared) > limit + HTTP_HEAD_BYTES:
                continue
            block = record.reader.read(int(declared)) if int(declared) else b""
            with suppress(ResponseError):
                content = _response(record, block, limit)
                if content is not None:
                    yield Captured(_name(record), *content)


def _response(record: WarcRecord, block: bytes, limit: int) -> tuple[MediaType, bytes] | None:
    """The type and the body of a record; None if it is an error's."""
    header = record.headers.get_bytes(WarcHeader.CONTENT_TYPE) or b""
    media = MediaType.of(header.decode("latin-1"))
    if media.name != "application/http":
        return media, block
    response = Response.parse(block)
    if not 200 <= response.status < 300:
        return None
    return response.media_type, response.body(limit=limit)


def _revisit(record: WarcRecord, page_id: str, block: bytes) -> CrawlNote | None:
    """What a record says that has only a reference to an earlier capture."""
    uri = record.headers.get_bytes(WarcHeader.WARC_TARGET_URI)
    if not uri:
        return None
    # The same content as a capture of another page says nothing about this page's last text.
    before = record.headers.get_bytes(WarcHeader.WARC_REFERS_TO_TARGET_URI)
    if before and before.strip() != uri.strip():
        return CrawlNote(page_id, "failed", f"has the content of {unicode_id(before.strip())}")
    status = Response.status_of(block)
    if status is None or 200 <= status < 300:
        return CrawlNote(page_id, "unchanged")
    # A crawler may also find the same error page again.
    return _status_note(record, page_id, block)


def _status_note(record: WarcRecord, page_id: str, block: bytes) -> CrawlNote | None:
    """What the status of a stored response says of the page, unless it is there."""
    if record.headers.get_bytes(WarcHeader.WARC_TARGET_URI):
        return note_of_status(page_id, Response.status_of(block) or 0)
    return None


def note_of_status(page_id: str, status: int) -> CrawlNote | None:
    """What an HTTP status says of a page, unless it is there."""
    if status == _NOT_MODIFIED:
        return CrawlNote(page_id, "unchanged")
    if status in _GONE:
        return CrawlNote(page_id, "gone")
    if status >= 500:
        return CrawlNote(page_id, "failed", f"the server answered {status}")
    return None


def is_page(media: MediaType) -> bool:
    """Whether a type is that of a page; without a type, the content is tried."""
    name = media.name
    return not name or name in _PAGES or (name.endswith("+xml") and name != "image/svg+xml")


def _name(record: WarcRecord) -> str:
    """The target URI of a record, or else its record id."""
    for header in (WarcHeader.WARC_TARGET_URI, WarcHeader.WARC_RECORD_ID):
        name = b" ".join((record.headers.get_bytes(header) or b"").split())
        if name:
            return unicode_id(name.removeprefix(b"<").removesuffix(b">"))
    return "a record"


class _Unpacked:
    """A file's bytes, with gzip unpacked. Damage ends the stream; it is noted, not raised.

    The archive reader reads ahead: an error raised there would lose the complete records before it.
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
                # WARC has one gzip member per record; zeros may pad the last one.
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
                self.damage = "is truncated: its gzip data has no end"
        return b""

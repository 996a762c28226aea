"""Uploads: documents from a form or as a body, written to disk while they arrive."""

import asyncio
import re
from collections.abc import AsyncIterator
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from rowen.model.errors import InputError
from rowen.service.quotas import Entry
from rowen.service.workers import BusyError
from rowen.storage.documents.files import UPLOAD_CHUNK_BYTES
from rowen.storage.documents.store import Draft, Store

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

UPLOAD_BYTES = 256 * 1024 * 1024
"""Limit: the size of a document. Theses with many pictures have 100 MB."""

UPLOAD_IDLE_SECONDS = 30.0
"""Limit: how long a client may send nothing before the service hangs up."""

UPLOADS = 64
"""Limit: how many uploads run at once; each has a chunk in memory."""

FORM_PARTS = 100
"""Limit: how many parts a form may have; one of them is the document."""

FORM_NAME_BYTES = 4096
"""Limit: the size of the headers of a form's part."""

NAME_CHARACTERS = 255
"""Limit: how much of a document's name is stored, and the length of an extractor's name and of an
Idempotency-Key."""

UPLOAD_BYTES_A_SECOND = 4096
"""Limit: the average speed of an upload, at least. Slower ones hold a place that others need."""


URL_CHARACTERS = 8_192
"""Limit: the length of a document's address; servers and proxies refuse longer ones."""


ADDRESS = r"^https?://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?([/?#][^\x00-\x20\x7f]*)?$"
"""An absolute address of the web, with a host in ASCII."""

FIELD = "myfile"
OUTPUT = "output"
URL = "url"


class Upload(NamedTuple):
    """A received document; whoever receives it must discard the draft."""

    draft: Draft
    name: str
    texts: dict[str, str]
    """The other fields of its form, those that were asked for."""


class Uploads:
    """Receives a limited number of documents at once."""

    def __init__(self, *, most: int = UPLOAD_BYTES) -> None:
        self._most = most
        self.count = 0

    async def receive(
        self,
        request: Request,
        store: Store,
        entry: Entry,
        *,
        field: str = FIELD,
        texts: frozenset[str] = frozenset({OUTPUT, URL}),
        listed: frozenset[str] = frozenset(),
    ) -> Upload:
        """The file of a form's `field` with the form's `texts`, or the body itself.

        Texts in `listed` may be sent several times.
        """
        if self.count >= UPLOADS:
            raise BusyError("too many documents are being uploaded")
        # Before the first await, so that no more than `UPLOADS` can pass the check together.
        self.count += 1
        draft = None
        try:
            self._refuse_declared(request.headers.get("content-length", ""), entry)
            # After the check of Content-Length, so that a refused upload writes nothing.
            draft = await asyncio.to_thread(store.draft)
            kind, options = parse_options_header(request.headers.get("content-type"))
            if kind == b"multipart/form-data":
                form = Form(options.get(b"boundary", b""), field=field, texts=texts, listed=listed)
                await self._write(draft, _of_form(form, chunks_of(request)), entry)
                return Upload(draft, form.name, form.texts)
            await self._write(draft, chunks_of(request), entry)
            _, options = parse_options_header(request.headers.get("content-disposition"))
        except BaseException:
            if draft is not None:
                draft.discard()
            raise
        else:
            return Upload(draft, clean_name(options.get(b"filename", b"")), {})
        finally:
            self.count -= 1

    def _refuse_declared(self, length: str, entry: Entry) -> None:
        """Refuse a document by its Content-Length, before it is sent."""
        if not length.isdecimal():
            return
        # A form has the headers of its parts beside the document.
        least = int(length) - FORM_PARTS * FORM_NAME_BYTES
        if least > self._most:
            raise _too_large(self._most)
        entry.expect(least)

    async def _write(self, draft: Draft, chunks: AsyncIterator[bytes], entry: Entry) -> None:
        pending = bytearray()
        async for chunk in chunks:
            pending += chunk
            if draft.size + len(pending) > self._most:
                raise _too_large(self._most)
            # Counted while it arrives: many uploads at once must not exceed the quota together.
            entry.grow(len(chunk))
            if len(pending) >= UPLOAD_CHUNK_BYTES:
                await asyncio.to_thread(draft.write, bytes(pending))
                pending.clear()
        if pending:
            await asyncio.to_thread(draft.write, bytes(pending))
        if not draft.size:
            raise InputError("the document is empty")


class Form:
    """The one file of a form, piece by piece, its name, and some texts; other parts are ignored."""

    def __init__(
        self,
        boundary: bytes,
        *,
        field: str,
        texts: frozenset[str],
        listed: frozenset[str] = frozenset(),
    ) -> None:
        self.name = ""
        self.texts: dict[str, str] = {}
        self._field, self._wanted, self._listed = field, texts, listed
        self._has_file = self._ended = False
        self._parts = 0
        self._part = self._header = ""
        self._value = b""
        self._headers: dict[str, bytes] = {}
        self._pieces: list[bytes] = []
        callbacks: MultipartCallbacks = {
            "on_part_begin": self._begin,
            "on_part_data": self._data,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_end": self._end,
        }
        if not boundary:
            raise HTTPException(400, "the form has no boundary")
        try:
            self._parser = MultipartParser(boundary, callbacks, max_header_size=FORM_NAME_BYTES)
        except FormParserError as error:
            raise HTTPException(400, f"malformed form: {error}") from None

    def feed(self, data: bytes) -> bytes:
        """The bytes of the file in the next bytes of the form."""
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise HTTPException(400, f"malformed form: {error}") from None
        content = b"".join(self._pieces)
        self._pieces.clear()
        return content

    def finish(self) -> None:
        """Refuse a form that is incomplete or has no file."""
        if not self._ended:
            raise HTTPException(400, "the form is incomplete")
        if not self._has_file:
            raise InputError(f"the form has no field {self._field!r}")

    def _begin(self) -> None:
        self._parts += 1
        # Attack: a form of millions of empty parts, each of which takes time.
        if self._parts > FORM_PARTS:
            raise HTTPException(413, f"the form has more than {FORM_PARTS} parts")
        self._part, self._headers = "", {}

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end].decode("latin-1").lower()

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._header] = self._value
        self._header, self._value = "", b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition"))
        self._part = options.get(b"name", b"").decode("utf-8", "replace")
        if self._part == self._field:
            if self._has_file:
                raise InputError(
                    f"the form has more than one field {self._field!r}: send one document per "
                    "request"
                )
            self._has_file = True
            self.name = clean_name(options.get(b"filename", b""))
        elif self._part in self._wanted:
            # Of a text that is sent again the last one counts; a list has all of them.
            before = self.texts.get(self._part, "") if self._part in self._listed else ""
            self.texts[self._part] = f"{before} " if before else ""

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._part == self._field:
            self._pieces.append(data[start:end])
        elif (text := self.texts.get(self._part)) is not None:
            # One character more than an address may have: then it is refused, not cut.
            longer = text + data[start:end].decode("latin-1")
            self.texts[self._part] = longer[: URL_CHARACTERS + 1]

    def _end(self) -> None:
        self._ended = True


def clean_name(name: bytes) -> str:
    """A name without folders and without unprintable characters."""
    # A client may send a whole path, on Windows with backslashes. Only the last part is a name.
    text = name.decode("utf-8", "replace").replace("\\", "/").rsplit("/", 1)[-1]
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return shown[:NAME_CHARACTERS]


def checked_url(url: str | None) -> str:
    """The address of a document, or nothing; InputError where it is not one of the web."""
    if not url:
        return ""
    if len(url) > URL_CHARACTERS or not re.fullmatch(ADDRESS, url):
        raise InputError(
            f"'{URL}' must be the absolute address of the document, such as "
            f"https://example.org/page.html, of at most {URL_CHARACTERS:,} characters"
        )
    return url


async def _of_form(form: Form, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield form.feed(chunk)
    form.finish()


async def chunks_of(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives; 408 for a client that sends too slowly."""
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        # A compressed body of kilobytes may unpack to gigabytes.
        detail = "send the document without Content-Encoding"
        raise HTTPException(415, detail, headers={"Accept-Encoding": "identity"})
    stream = aiter(request.stream())
    start, received = monotonic(), 0
    while True:
        # The average since the start: a client that sends one byte before each timeout fails too.
        late = start + UPLOAD_IDLE_SECONDS + received / UPLOAD_BYTES_A_SECOND
        try:
            async with asyncio.timeout(min(UPLOAD_IDLE_SECONDS, late - monotonic())):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        except ClientDisconnect:
            raise HTTPException(400, "the document is incomplete") from None
        if chunk is None:
            return
        received += len(chunk)
        yield chunk


def _too_large(most: int) -> HTTPException:
    detail = f"a document may have at most {most:,} bytes"
    return HTTPException(413, detail, headers={"Connection": "close"})

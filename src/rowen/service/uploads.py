"""Documents on their way in: from a form or as they are, written while they come."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import TYPE_CHECKING

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from rowen.limits import (
    FORM_NAME_BYTES,
    FORM_PARTS,
    NAME_CHARACTERS,
    UPLOAD_BYTES,
    UPLOAD_BYTES_A_SECOND,
    UPLOAD_CHUNK_BYTES,
    UPLOAD_IDLE_SECONDS,
    UPLOADS,
)
from rowen.model.errors import InputError
from rowen.service.quotas import Entry
from rowen.service.store import Draft, Store
from rowen.service.workers import BusyError

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FIELD = "myfile"
OUTPUT = "output"


class Uploads:
    """Takes in a bounded number of documents at once."""

    def __init__(self, *, most: int = UPLOAD_BYTES) -> None:
        self._most = most
        self.count = 0

    async def receive(
        self, request: Request, store: Store, entry: Entry
    ) -> tuple[Draft, str, str | None]:
        """A draft, its name, and the form's `output`; the draft is the caller's to discard."""
        if self.count >= UPLOADS:
            raise BusyError("too many documents are being sent")
        self.count += 1
        draft = None
        try:
            self._refuse_declared(request.headers.get("content-length", ""), entry)
            draft = await asyncio.to_thread(store.draft)
            kind, options = parse_options_header(request.headers.get("content-type"))
            if kind == b"multipart/form-data":
                form = Form(options.get(b"boundary", b""))
                await self._write(draft, _of_form(form, chunks_of(request)), entry)
                return draft, form.name, form.output
            await self._write(draft, chunks_of(request), entry)
            _, options = parse_options_header(request.headers.get("content-disposition"))
        except BaseException:
            if draft is not None:
                draft.discard()
            raise
        else:
            return draft, clean_name(options.get(b"filename", b"")), None
        finally:
            self.count -= 1

    def _refuse_declared(self, length: str, entry: Entry) -> None:
        """What is known to be too large need not be sent at all."""
        if not length.isdecimal():
            return
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
            entry.grow(len(chunk))
            if len(pending) >= UPLOAD_CHUNK_BYTES:
                await asyncio.to_thread(draft.write, bytes(pending))
                pending.clear()
        if pending:
            await asyncio.to_thread(draft.write, bytes(pending))
        if not draft.size:
            raise InputError("the document is empty")


class Form:
    """The one file of a form, piece by piece, and its name; other parts are passed over."""

    def __init__(self, boundary: bytes) -> None:
        self.name = ""
        self.output: str | None = None
        self._found = self._ended = False
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
        """What of the file is in some more bytes of the form."""
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise HTTPException(400, f"malformed form: {error}") from None
        found = b"".join(self._pieces)
        self._pieces.clear()
        return found

    def finish(self) -> None:
        """Refuse a form that is cut off or has no file."""
        if not self._ended:
            raise HTTPException(400, "the form is cut off")
        if not self._found:
            raise InputError(f"the form has no field {FIELD!r}")

    def _begin(self) -> None:
        self._parts += 1
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
        if self._part == FIELD:
            if self._found:
                raise InputError(f"the form has more than one {FIELD!r}: send one document each")
            self._found = True
            self.name = clean_name(options.get(b"filename", b""))
        elif self._part == OUTPUT:
            self.output = ""

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._part == FIELD:
            self._pieces.append(data[start:end])
        elif self._part == OUTPUT and self.output is not None:
            self.output = (self.output + data[start:end].decode("latin-1"))[:NAME_CHARACTERS]

    def _end(self) -> None:
        self._ended = True


def clean_name(name: bytes) -> str:
    """A name without folders and without what can't be shown."""
    text = name.decode("utf-8", "replace").replace("\\", "/").rsplit("/", 1)[-1]
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return shown[:NAME_CHARACTERS]


async def _of_form(form: Form, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield form.feed(chunk)
    form.finish()


async def chunks_of(request: Request) -> AsyncIterator[bytes]:
    """The body as it comes; one who sends too slowly is not waited for."""
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        told = "send the bytes as they are: what is compressed may become far larger"
        raise HTTPException(415, told, headers={"Accept-Encoding": "identity"})
    stream = aiter(request.stream())
    start, received = monotonic(), 0
    while True:
        late = start + UPLOAD_IDLE_SECONDS + received / UPLOAD_BYTES_A_SECOND
        try:
            async with asyncio.timeout(min(UPLOAD_IDLE_SECONDS, late - monotonic())):
                chunk = await anext(stream, None)
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        except ClientDisconnect:
            raise HTTPException(400, "the document is cut off") from None
        if chunk is None:
            return
        received += len(chunk)
        yield chunk


def _too_large(most: int) -> HTTPException:
    told = f"a document may have {most:,} bytes"
    return HTTPException(413, told, headers={"Connection": "close"})

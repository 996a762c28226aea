"""HTTP responses as archives keep them: status, headers and a body that may be packed."""

import re
import zlib
from dataclasses import dataclass, field
from io import BytesIO

_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_GZIP, _ZLIB, _RAW = 31, 15, -15
"""How zlib is told which wrapping to expect."""
_MEMBERS = 100
"""A gzip body has one part; each further one costs a copy of what is left."""


class ResponseError(ValueError):
    """A response that can't be read; the message says why."""


@dataclass(frozen=True, slots=True)
class MediaType:
    """A content type: what a body is, in lower case, and the charset that it claims."""

    name: str
    charset: str | None = None

    @classmethod
    def of(cls, header: str) -> "MediaType":
        """The parts of a `Content-Type` header."""
        charset = _CHARSET.search(header)
        return cls(header.partition(";")[0].strip().lower(), charset[1] if charset else None)


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers (names in lower case, the first of each) and the body as it was sent."""

    status: int
    headers: dict[str, str]
    sent: bytes = field(repr=False)

    @classmethod
    def parse(cls, block: bytes) -> "Response":
        """The response in a record's block; `ResponseError` where there is none."""
        status = _STATUS.match(block)
        if status is None:
            raise ResponseError("holds no HTTP response")
        end = _END.search(block)
        head, sent = (block[: end.start()], block[end.end() :]) if end else (block, b"")
        headers: dict[str, str] = {}
        for line in head.decode("latin-1").splitlines()[1:]:
            name, _, value = line.partition(":")
            headers.setdefault(name.strip().lower(), value.strip())
        return cls(int(status[1]), headers, sent)

    @property
    def media_type(self) -> MediaType:
        """What the body is; with an empty name where the headers don't say."""
        return MediaType.of(self.headers.get("content-type", ""))

    def body(self, *, limit: int) -> bytes:
        """The body unpacked; `ResponseError` where it is cut short or unpacks to more than `limit`.

        Archives often keep the headers of a body that they have unpacked already. So a body that
        is not packed as its headers say is taken as it is.
        """
        body = self.sent
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            body = _joined(body)
        encodings = self.headers.get("content-encoding", "").lower().split(",")
        for encoding in reversed(encodings[-3:]):
            body = _unpacked(body, encoding.strip(), limit)
        return body


def _joined(sent: bytes) -> bytes:
    """The chunks without their sizes."""
    parts: list[bytes] = []
    cursor = 0
    while size := _CHUNK.match(sent, cursor):
        length = int(size[1], 16)
        if not length:
            return b"".join(parts)
        start = size.end()
        parts.append(sent[start : start + length])
        cursor = start + length
        if cursor > len(sent):
            raise ResponseError("has a body that is cut short")
        cursor += 2 if sent.startswith(b"\r\n", cursor) else 1
    return sent


def _unpacked(body: bytes, encoding: str, limit: int) -> bytes:
    if encoding in {"gzip", "x-gzip"} and body.startswith(b"\x1f\x8b"):
        return _inflated(body, _GZIP, limit)
    if encoding == "deflate":
        return _deflated(body, limit)
    if encoding == "br":
        return _brotli(body, limit)
    return body


def _deflated(body: bytes, limit: int) -> bytes:
    """The standard says zlib; some servers send what is inside of it, which nothing marks."""
    if body[:1] and body[0] & 15 == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0:
        return _inflated(body, _ZLIB, limit)
    inflater = zlib.decompressobj(_RAW)
    try:
        inflated = inflater.decompress(body, limit + 1)
    except zlib.error:
        return body
    if len(inflated) > limit:
        raise ResponseError(f"unpacks to more than the limit of {limit:,} bytes")
    return inflated if inflater.eof else body


def _inflated(body: bytes, window: int, limit: int) -> bytes:
    parts: list[bytes] = []
    room = limit + 1
    while body:
        inflater = zlib.decompressobj(window)
        try:
            part = inflater.decompress(body, room)
        except zlib.error as error:
            if parts:
                break
            raise ResponseError("has a compressed body that is damaged") from error
        parts.append(part)
        room -= len(part)
        if room <= 0:
            raise ResponseError(f"unpacks to more than the limit of {limit:,} bytes")
        if not inflater.eof:
            raise ResponseError("has a compressed body that is cut short")
        if len(parts) == _MEMBERS:
            raise ResponseError(f"has a compressed body of more than {_MEMBERS} parts")
        body = inflater.unused_data if window == _GZIP else b""
    return b"".join(parts)


def _brotli(body: bytes, limit: int) -> bytes:
    from fastwarc.stream_io import BrotliReader

    parts: list[bytes] = []
    room = limit + 1
    try:
        reader = BrotliReader(BytesIO(body))
        while room > 0 and (part := reader.read(min(room, 1024 * 1024))):
            parts.append(part)
            room -= len(part)
    except OSError:
        return body
    if room <= 0:
        raise ResponseError(f"unpacks to more than the limit of {limit:,} bytes")
    return b"".join(parts)

"""HTTP responses as archives store them: status, headers and a body that may be compressed."""

import re
from dataclasses import dataclass, field

from rowen.sources.codings import (
    ZLIB,
    ZSTD_MAGIC,
    CodingError,
    TooMuchError,
    inflate,
    is_zlib,
    unpack,
)

_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


class ResponseError(ValueError):
    """A response that can't be read; the message says why."""


@dataclass(frozen=True, slots=True)
class MediaType:
    """A content type in lower case, and the charset that it declares."""

    name: str
    charset: str | None = None

    @classmethod
    def of(cls, header: str) -> "MediaType":
        """Parse a `Content-Type` header."""
        charset = _CHARSET.search(header)
        return cls(header.partition(";")[0].strip().lower(), charset[1] if charset else None)


@dataclass(frozen=True, slots=True)
class Response:
    """Status, headers (lower-case names, the first of each) and the body as it was sent."""

    status: int
    headers: dict[str, str]
    sent: bytes = field(repr=False)

    @classmethod
    def parse(cls, block: bytes) -> "Response":
        """Parse the response in a record's block; `ResponseError` where there is none."""
        status = _STATUS.match(block)
        if status is None:
            raise ResponseError("is not an HTTP response")
        end = _END.search(block)
        head, sent = (block[: end.start()], block[end.end() :]) if end else (block, b"")
        headers: dict[str, str] = {}
        for line in head.decode("latin-1").splitlines()[1:]:
            name, _, value = line.partition(":")
            headers.setdefault(name.strip().lower(), value.strip())
        return cls(int(status[1]), headers, sent)

    @staticmethod
    def status_of(block: bytes) -> int | None:
        """The status of the response in a record's block; None where there is no response."""
        status = _STATUS.match(block)
        return int(status[1]) if status else None

    @property
    def media_type(self) -> MediaType:
        """The type of the body; its name is empty where the headers don't say."""
        return MediaType.of(self.headers.get("content-type", ""))

    def body(self, *, limit: int) -> bytes:
        """Unpack the body; `ResponseError` if it is truncated or unpacks to more than `limit`.

        Crawlers often store an unpacked body under the original headers. So a body that is not
        packed as its headers say is taken as it is.
        """
        body = self.sent
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            body = _joined(body)
        encodings = self.headers.get("content-encoding", "").lower().split(",")
        # Attack: a thousand codings, each to be unpacked. Three are more than real servers use.
        for encoding in reversed(encodings[-3:]):
            try:
                body = _unpacked(body, encoding.strip(), limit)
            except CodingError as error:
                raise ResponseError(str(error)) from error
        return body


def _joined(sent: bytes) -> bytes:
    """Join the chunks of a chunked body (RFC 9112, 7.1); a body without chunks is left as it is."""
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
            raise ResponseError("has a truncated body")
        # A recipient may accept a newline alone as the end of a line (RFC 9112, 2.2).
        cursor += 2 if sent.startswith(b"\r\n", cursor) else 1
    return sent


def _unpacked(body: bytes, coding: str, limit: int) -> bytes:
    """The body without a coding, or as it is where it does not look as if it had that coding."""
    if coding in {"gzip", "x-gzip"}:
        return inflate(body, limit) if body.startswith(b"\x1f\x8b") else body
    if coding == "zstd":
        return unpack(body, [coding], limit=limit) if body.startswith(ZSTD_MAGIC) else body
    if coding == "deflate" and is_zlib(body):
        return inflate(body, limit, wrapping=ZLIB)
    if coding not in {"br", "deflate"}:
        return body
    try:  # Brotli and raw deflate have no magic number: only unpacking shows
        return unpack(body, [coding], limit=limit)
    except TooMuchError:
        raise
    except CodingError:
        return body

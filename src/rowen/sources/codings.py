"""Unpack the content codings of HTTP (gzip, deflate, Brotli, zstd) within a limit.

A few kilobytes can unpack to gigabytes. Every decoder here stops at the limit, so a body never
takes more memory than that, however many parts and layers it has.
"""

import warnings
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO

from rowen.model.extras import needs

GZIP, ZLIB, RAW = 31, 15, -15
"""The wrappings that zlib can expect, as it numbers them."""

_MEMBERS = 100
"""Limit: how many gzip members or zstd frames a body may have. Real bodies have one; each further
one copies the remaining bytes, so a body of empty members would take quadratic time."""

_LAYERS = 3
"""Limit: how many codings a body may have. Each could multiply its size a thousandfold, and real
servers use one, rarely two."""

_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024
"""Limit: the window of a zstd frame, which a decoder keeps in memory; RFC 9659 allows no more."""

_BLOCK_BYTES, _BLOCK_PACKED_BYTES = 128 * 1024, 4
"""The largest block of zstd, and its smallest form: a header and one byte that it repeats."""

_FED_BYTES = 64
"""The smallest input for a zstd decoder: it unpacks to 2 MB at most."""

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED = (0x184D2A50, 0x184D2A5F)
"""The range of magic numbers of skippable zstd frames, which hold no content."""


class CodingError(ValueError):
    """A body that can't be unpacked; the message continues the page's name."""


class TooMuchError(CodingError):
    """A body that unpacks to more than the limit."""


def is_known(coding: str) -> bool:
    """Whether this installation can unpack a coding."""
    if coding == "zstd":
        return _has_zstd()
    return coding in _DECODERS


def accepted() -> str:
    """All codings that can be unpacked, as an `Accept-Encoding`."""
    return ", ".join(name for name in ("gzip", "deflate", "br", "zstd") if is_known(name))


def codings_of(header: str) -> list[str]:
    """The codings of a `Content-Encoding`, the innermost first; CodingError for too many."""
    names = [name for part in header.lower().split(",") if (name := part.strip())]
    codings = [name for name in names if name != "identity"]
    if len(codings) > _LAYERS:
        raise CodingError(f"has a body that is compressed more than {_LAYERS} times")
    return codings


def unpack(body: bytes, codings: Sequence[str], *, limit: int) -> bytes:
    """Unpack a body; CodingError where a coding is unknown, broken, or gives too much."""
    # The header lists codings in the order in which they were applied (RFC 9110, 8.4).
    for coding in reversed(codings):
        if not is_known(coding):
            raise CodingError(f"has a body in an unknown coding ({coding[:20]})")
        body = _DECODERS[coding](body, limit)
    return body


def inflate(body: bytes, limit: int, *, wrapping: int = GZIP) -> bytes:
    """Unpack with zlib: all members of a gzip body, without the padding after the last one."""
    parts: list[bytes] = []
    room = limit + 1  # one more than allowed, so that a body of exactly `limit` bytes passes
    while body:
        inflater = zlib.decompressobj(wrapping)
        try:
            part = inflater.decompress(body, room)
        except zlib.error as error:
            if parts:  # some servers pad the end with zeros
                break
            raise CodingError("has a compressed body that is damaged") from error
        parts.append(part)
        room -= len(part)
        if room <= 0:
            raise _too_much(limit)
        if not inflater.eof:
            raise _cut_short()
        if len(parts) == _MEMBERS:
            raise _too_many()
        body = inflater.unused_data if wrapping == GZIP else b""
    return b"".join(parts)


def is_zlib(body: bytes) -> bool:
    """Whether a body has the header that `deflate` requires (RFC 1950); some servers omit it."""
    # The first two bytes are a multiple of 31 (FCHECK), so that few other bodies look like zlib.
    return bool(body) and body[0] & 15 == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0


def unpack_brotli(body: bytes, limit: int) -> bytes:
    """Unpack a Brotli stream."""
    with warnings.catch_warnings():
        # fastwarc 1.1 warns of its own old names while it is imported
        warnings.simplefilter("ignore", DeprecationWarning)
        with needs("store", "a page packed with Brotli"):
            from fastwarc.stream_io import BrotliReader

    parts: list[bytes] = []
    room = limit + 1
    try:
        reader = BrotliReader(BytesIO(body))
        while room > 0 and (part := reader.read(min(room, 1024 * 1024))):
            parts.append(part)
            room -= len(part)
    except OSError as error:
        raise CodingError("has a compressed body that is damaged") from error
    if room <= 0:
        raise _too_much(limit)
    return b"".join(parts)


def unpack_zstd(body: bytes, limit: int) -> bytes:
    """Unpack the frames of a zstd stream."""
    with needs("store", "a page packed with zstd"):
        import zstandard

    parts: list[bytes] = []
    room = limit + 1
    for frame in range(_MEMBERS):
        body = _without_skipped(body)
        if frame and not body.startswith(ZSTD_MAGIC):  # the end, or padding
            return b"".join(parts)
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES).decompressobj()
        source = BytesIO(body)
        try:
            while not reader.eof:
                # The decoder has no limit on its output, so its input is limited: even if every
                # block is of the smallest form, the result fits into the room that is left.
                packed = source.read(max(_FED_BYTES, room // _BLOCK_BYTES * _BLOCK_PACKED_BYTES))
                if not packed:
                    raise _cut_short()
                part = reader.decompress(packed)
                parts.append(part)
                room -= len(part)
                if room <= 0:
                    raise _too_much(limit)
        except zstandard.ZstdError as error:
            raise CodingError("has a compressed body that is damaged") from error
        body = reader.unused_data + source.read()
    raise _too_many()


def _without_skipped(body: bytes) -> bytes:
    start = 0
    for _ in range(_MEMBERS):
        magic = int.from_bytes(body[start : start + 4], "little")
        if not _SKIPPED[0] <= magic <= _SKIPPED[1]:
            break
        start += 8 + int.from_bytes(body[start + 4 : start + 8], "little")
    return body[start:]


def _unpack_deflate(body: bytes, limit: int) -> bytes:
    return inflate(body, limit, wrapping=ZLIB if is_zlib(body) else RAW)


def _has_zstd() -> bool:
    try:
        import zstandard  # noqa: F401
    except ImportError:
        return False
    return True


def _too_much(limit: int) -> TooMuchError:
    return TooMuchError(f"unpacks to more than the limit of {limit:,} bytes")


def _cut_short() -> CodingError:
    return CodingError("has a truncated compressed body")


def _too_many() -> CodingError:
    return CodingError(f"has a compressed body of more than {_MEMBERS} parts")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": inflate,
    "x-gzip": inflate,
    "deflate": _unpack_deflate,
    "br": unpack_brotli,
    "zstd": unpack_zstd,
}

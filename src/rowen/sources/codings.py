"""Content codings of HTTP: bodies unpacked, and never to more than they may be.

A few kilobytes can stand for gigabytes. Every decoder here stops at the limit, so that a body
costs the limit in memory and no more, whatever it unpacks to, however many parts and layers it has.
"""

import warnings
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO

GZIP, ZLIB, RAW = 31, 15, -15
"""How zlib is told which wrapping to expect."""

_MEMBERS = 100
"""A gzip body has one part, a zstd body one frame; each further one costs a copy of the rest."""

_LAYERS = 3
"""Nobody packs a body more than twice on purpose."""

_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024
"""How far back a zstd frame may refer in HTTP (RFC 9659): a decoder has to hold as much."""

_BLOCK_BYTES, _BLOCK_PACKED_BYTES = 128 * 1024, 4
"""The largest block of zstd, and what it takes at least: a header and the byte that it repeats."""

_FED_BYTES = 64
"""How much a zstd decoder is given at least: 2 MB come of it at most."""

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED = (0x184D2A50, 0x184D2A5F)
"""Between these are the magic numbers of zstd frames that say nothing."""


class CodingError(ValueError):
    """A body that can't be unpacked; the message goes on from what has the body."""


class TooMuchError(CodingError):
    """A body that unpacks to more than it may."""


def is_known(coding: str) -> bool:
    """Whether bodies in a coding can be unpacked here."""
    if coding == "zstd":
        return _has_zstd()
    return coding in _DECODERS


def accepted() -> str:
    """All codings that can be unpacked, as an `Accept-Encoding`."""
    return ", ".join(name for name in ("gzip", "deflate", "br", "zstd") if is_known(name))


def codings_of(header: str) -> list[str]:
    """The codings of a `Content-Encoding`, the innermost first; CodingError for too many."""
    names = [name for part in header.lower().split(",") if (name := part.strip())]
    found = [name for name in names if name != "identity"]
    if len(found) > _LAYERS:
        raise CodingError(f"has a body that is compressed more than {_LAYERS} times")
    return found


def unpack(body: bytes, codings: Sequence[str], *, limit: int) -> bytes:
    """A body without its codings; CodingError where one is unknown, broken, or gives too much."""
    for coding in reversed(codings):
        if not is_known(coding):
            raise CodingError(f"has a body in an unknown coding ({coding[:20]})")
        body = _DECODERS[coding](body, limit)
    return body


def inflate(body: bytes, limit: int, *, wrapping: int = GZIP) -> bytes:
    """What zlib makes of it: all members of a gzip body, without what follows the last of them."""
    parts: list[bytes] = []
    room = limit + 1
    while body:
        inflater = zlib.decompressobj(wrapping)
        try:
            part = inflater.decompress(body, room)
        except zlib.error as error:
            if parts:  # servers pad the end
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
    """Whether it begins as the standard wants `deflate`; some servers send what is inside."""
    return bool(body) and body[0] & 15 == zlib.DEFLATED and int.from_bytes(body[:2]) % 31 == 0


def unpack_brotli(body: bytes, limit: int) -> bytes:
    """What a Brotli stream says."""
    with warnings.catch_warnings():
        # fastwarc 1.1 warns of its own old names while it is imported
        warnings.simplefilter("ignore", DeprecationWarning)
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
    """What the frames of a zstd stream say."""
    import zstandard

    parts: list[bytes] = []
    room = limit + 1
    for frame in range(_MEMBERS):
        body = _without_skipped(body)
        if frame and not body.startswith(ZSTD_MAGIC):  # nothing, or what servers pad the end with
            return b"".join(parts)
        reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES).decompressobj()
        source = BytesIO(body)
        try:
            while not reader.eof:
                # It gives all that its input unpacks to, so it gets no more than there is room for.
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
    return CodingError("has a compressed body that is cut short")


def _too_many() -> CodingError:
    return CodingError(f"has a compressed body of more than {_MEMBERS} parts")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": inflate,
    "x-gzip": inflate,
    "deflate": _unpack_deflate,
    "br": unpack_brotli,
    "zstd": unpack_zstd,
}

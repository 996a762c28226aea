"""Decode a page: find its charset and turn its bytes into text.

The evidence, in this order (WHATWG, "determining the character encoding"): a byte order mark, the
HTTP header, the page's own declaration, and the content itself: strict UTF-8, then a detector.
Unlike a browser, which must show a page before it has all of it, this reads the whole page and
drops evidence that does not fit it. Labels mean what browsers take them for, so `iso-8859-1` is
windows-1252. The text is what follows the byte order mark; nothing else is removed, and newlines
stay.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

from rowen.model.errors import DocumentError
from rowen.model.page import Page
from rowen.text.binary import SURE, is_noise, refusal
from rowen.text.charset_declaration import declared
from rowen.text.charset_labels import encoding_named

PAGE_BYTES = 256 * 1024 * 1024
"""Limit: the largest page that is read. Real pages end around 30 MB; larger ones are attacks."""

DETECTION_BYTES = 256 * 1024
"""Limit: how much of a page the charset detector reads. More changes its time, not its answer."""


Evidence: TypeAlias = Literal["bom", "http", "xml", "meta", "content"]
"""Where the charset comes from; `content` is valid UTF-8 as well as the detector's guess."""

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_ESCAPES = re.compile(rb"\x1b(?:\$[@B]|\([BIJ])")
_WIDEST = {"utf-32": "utf-32le", "utf-32le": "utf-32le", "utf-32be": "utf-32be"}
"""Browsers don't know UTF-32, but some servers declare it."""

_LITTLE_DAMAGE = 10
"""A declared legacy charset is used if at most one in this many characters beyond ASCII breaks."""

_SCRIPTS = 8
"""Text in an alphabet has fewer different high bytes than this; binary data has all of them."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the standard name of the charset that it was decoded with, and the evidence for it.

    `broken` counts the places that are invalid in that charset and became U+FFFD.
    """

    text: str = field(repr=False)
    charset: str
    evidence: Evidence
    broken: int = 0


def read_page(
    data: bytes, page_id: str, *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Page:
    """Decode bytes as a page; `DocumentError` where they are too many or not text."""
    return Page(decode(data, page_id, http_charset=http_charset, limit=limit).text, page_id)


def decode(
    data: bytes, page_id: str = "-", *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Decoded:
    """Decode a page's bytes and say how its charset was found.

    A declaration that does not fit is skipped; bytes that are invalid in every charset become
    U+FFFD. Only binary data and pages above the limit are refused, with a `DocumentError` that
    names `page_id`.
    """
    if len(data) > limit:
        raise DocumentError(page_id, f"is larger than the limit of {limit:,} bytes")
    if data.startswith(_MARKS):
        return _marked(data)
    if data.startswith(SURE):
        raise DocumentError(page_id, refusal(data))
    narrow = b"\x00" not in data
    if narrow and data.isascii() and b"\x1b" not in data:
        # ASCII without escapes decodes the same in every charset that a page can declare.
        return Decoded(data.decode("ascii"), "utf-8", "content")
    decoded = None if narrow else _wide(data, http_charset)
    if decoded is None:
        decoded = _narrow(data, http_charset)
        valid = narrow and decoded.charset == "utf-8" and not decoded.broken
        if not valid and is_noise(data):
            raise DocumentError(page_id, refusal(data))
    return decoded


def encode(text: str) -> bytes:
    """Encode a page's text so that `decode` gives it back, whatever charset the page declares."""
    content = text.encode("utf-8", "replace")
    return content if decode(content).text == text else _MARKS[0] + content


def _marked(data: bytes) -> Decoded:
    if data.startswith(b"\xef\xbb\xbf"):
        return _read(data[3:], "utf-8", "bom")
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        charset = "utf-32le" if data.startswith(b"\xff") else "utf-32be"
        decoded = _read(data[4:], charset, "bom")
        # `FF FE 00 00` is also a UTF-16 page that begins with NUL.
        if not decoded.broken or charset == "utf-32be":
            return decoded
    return _read(data[2:], "utf-16le" if data.startswith(b"\xff") else "utf-16be", "bom")


def _wide(data: bytes, http_charset: str | None) -> Decoded | None:
    """Decode a page with two or four bytes per character and no mark; None if it is not one."""
    label = (http_charset or "").strip().lower()
    declared_charset = _WIDEST.get(label) or encoding_named(label)
    if declared_charset is not None and declared_charset.startswith(("utf-16", "utf-32")):
        decoded = _read(data, declared_charset, "http")
        if not decoded.broken and not is_noise(decoded.text.encode()):
            return decoded
    for charset in ("utf-32le", "utf-32be", "utf-16le", "utf-16be"):
        if _is_plausible(data, charset):
            decoded = _read(data, charset, "content")
            if not decoded.broken and not is_noise(decoded.text.encode()):
                return decoded
    return None


def _is_plausible(data: bytes, charset: str) -> bool:
    """Whether the high bytes look like text: mostly zero, or some zeros among few other values."""
    width = 4 if charset.startswith("utf-32") else 2
    high = data[width - 1 if charset.endswith("le") else 0 :: width]
    zeros = high.count(0)
    return zeros * 2 >= len(high) or (zeros * 10 >= len(high) and len(set(high)) <= _SCRIPTS)


def _narrow(data: bytes, http_charset: str | None) -> Decoded:
    """Decode with the first charset that fits."""
    damaged: list[Decoded] = []
    for label, evidence in _labels(data, http_charset):
        charset = _standard(label)
        if charset is None:
            continue
        decoded = _read(data, charset, evidence)
        # Bytes in other charsets are hardly ever valid UTF-8 by chance, so a page with more valid
        # than invalid sequences is UTF-8 with some damage.
        if not decoded.broken or (charset == "utf-8" and decoded.broken < _foreign(decoded.text)):
            return _escaped(data) or decoded if evidence == "content" else decoded
        damaged.append(decoded)
    for decoded in damaged:
        if decoded.broken * _LITTLE_DAMAGE < _foreign(decoded.text):
            return decoded
    return min(_detected(data), *damaged, key=lambda attempt: attempt.broken)


def _labels(data: bytes, http_charset: str | None) -> Iterator[tuple[str, Evidence]]:
    if http_charset:
        yield http_charset, "http"
    if own := declared(data):
        yield own
    yield "utf-8", "content"


@lru_cache(maxsize=256)
def _standard(label: str) -> str | None:
    """What a label means for a page of one byte a character or more; None for what is not read."""
    label = label.strip().strip("\"'").lower()
    charset = _WIDEST.get(label) or encoding_named(label)
    if charset is None or charset == "replacement":
        return None
    # WHATWG: a page whose declaration could be read as ASCII is not in UTF-16, whatever it says.
    return "utf-8" if charset.startswith("utf-") else charset


def _read(data: bytes, charset: str, evidence: Evidence) -> Decoded:
    """Decode, with U+FFFD for invalid bytes."""
    if charset.startswith("utf-") or charset == "windows-1252":
        try:
            return Decoded(data.decode(charset), charset, evidence)
        except UnicodeDecodeError:
            if charset != "windows-1252":
                text = data.decode(charset, "replace")
                return Decoded(text, charset, evidence, text.count("\ufffd"))
    import turbohtml.detect  # noqa: F401  # registers the codecs

    text = data.decode(f"whatwg-{charset}")
    return Decoded(text, charset, evidence, text.count("\ufffd"))


def _foreign(text: str) -> int:
    """How many characters beyond ASCII are valid."""
    return len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")


def _escaped(data: bytes) -> Decoded | None:
    """Decode ISO-2022-JP, which is ASCII except for its escapes and so passes as UTF-8."""
    if not data.isascii() or not _ESCAPES.search(data):
        return None
    decoded = _read(data, "iso-2022-jp", "content")
    return None if decoded.broken else decoded


def _detected(data: bytes) -> Decoded:
    from turbohtml.detect import detect

    try:
        data.decode("ascii")
        start = 0
    except UnicodeDecodeError as error:
        start = error.start
    # The detector follows declarations; without `<` it can't follow the one that did not fit.
    window = data[start : start + DETECTION_BYTES].replace(b"<", b" ")
    return _read(data, (detect(window).encoding or "windows-1252").lower(), "content")

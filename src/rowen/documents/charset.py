"""Bytes to text: which charset a page is in, and what it says in it.

What is asked, in this order: a byte order mark, the HTTP header, the page's own declaration, and
the content itself: strict UTF-8, then a detector. Labels mean what browsers take them for, so that
`iso-8859-1` is windows-1252. A page's text is what follows the byte order mark; nothing else is
taken away, and newlines stay.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rowen.documents.binary import SURE, is_noise, refusal
from rowen.documents.declaration import declared
from rowen.documents.labels import encoding_named
from rowen.limits import DETECTION_BYTES, PAGE_BYTES
from rowen.model.errors import DocumentError
from rowen.model.page import Page

Evidence: TypeAlias = Literal["bom", "http", "xml", "meta", "content"]
"""What told the charset; `content` stands for valid UTF-8 as well as for the detector's guess."""

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_ESCAPES = re.compile(rb"\x1b(?:\$[@B]|\([BIJ])")
_WIDEST = {"utf-32": "utf-32le", "utf-32le": "utf-32le", "utf-32be": "utf-32be"}
"""Browsers don't know these, but servers may say them."""

_LITTLE_DAMAGE = 10
"""A declared legacy charset is kept where at most one in so many of its characters is broken."""

_SCRIPTS = 8
"""Text in an alphabet has fewer different high bytes than this; binary data has all of them."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the charset that it was read in (by its standard name), and what told it.

    `broken` counts the places that made no sense in that charset and became U+FFFD.
    """

    text: str = field(repr=False)
    charset: str
    evidence: Evidence
    broken: int = 0


def read_page(
    data: bytes, page_id: str, *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Page:
    """The bytes as a page; `DocumentError` where they are too many or no text."""
    return Page(decode(data, page_id, http_charset=http_charset, limit=limit).text, page_id)


def decode(
    data: bytes, page_id: str = "-", *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Decoded:
    """The text of a page, and how its charset was found.

    A declaration that does not fit is passed over for the next one; what no charset can make
    sense of becomes U+FFFD. Only binary data and pages above the limit are refused, with a
    `DocumentError` that names `page_id`.
    """
    if len(data) > limit:
        raise DocumentError(page_id, f"is larger than the limit of {limit:,} bytes")
    if data.startswith(_MARKS):
        return _marked(data)
    if data.startswith(SURE):
        raise DocumentError(page_id, refusal(data))
    narrow = b"\x00" not in data
    if narrow and data.isascii() and b"\x1b" not in data:
        # reads the same in every charset that a page can declare
        return Decoded(data.decode("ascii"), "utf-8", "content")
    found = None if narrow else _wide(data, http_charset)
    if found is None:
        found = _narrow(data, http_charset)
        valid = narrow and found.charset == "utf-8" and not found.broken
        if not valid and is_noise(data):
            raise DocumentError(page_id, refusal(data))
    return found


def encode(text: str) -> bytes:
    """A page's text as bytes that are read as that text again, whatever charset it declares."""
    content = text.encode("utf-8", "replace")
    return content if decode(content).text == text else _MARKS[0] + content


def _marked(data: bytes) -> Decoded:
    if data.startswith(b"\xef\xbb\xbf"):
        return _read(data[3:], "utf-8", "bom")
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        charset = "utf-32le" if data.startswith(b"\xff") else "utf-32be"
        found = _read(data[4:], charset, "bom")
        if not found.broken or charset == "utf-32be":
            return found
    return _read(data[2:], "utf-16le" if data.startswith(b"\xff") else "utf-16be", "bom")


def _wide(data: bytes, http_charset: str | None) -> Decoded | None:
    """The text of a page of two or four bytes a character without a mark, if it is one."""
    label = (http_charset or "").strip().lower()
    given = _WIDEST.get(label) or encoding_named(label)
    if given is not None and given.startswith(("utf-16", "utf-32")):
        found = _read(data, given, "http")
        if not found.broken and not is_noise(found.text.encode()):
            return found
    for charset in ("utf-32le", "utf-32be", "utf-16le", "utf-16be"):
        if _is_plausible(data, charset):
            found = _read(data, charset, "content")
            if not found.broken and not is_noise(found.text.encode()):
                return found
    return None


def _is_plausible(data: bytes, charset: str) -> bool:
    """Whether the high bytes are those of text: mostly zero, or some zeros among few others."""
    width = 4 if charset.startswith("utf-32") else 2
    high = data[width - 1 if charset.endswith("le") else 0 :: width]
    zeros = high.count(0)
    return zeros * 2 >= len(high) or (zeros * 10 >= len(high) and len(set(high)) <= _SCRIPTS)


def _narrow(data: bytes, http_charset: str | None) -> Decoded:
    """The text in the first charset that fits."""
    damaged: list[Decoded] = []
    for label, evidence in _labels(data, http_charset):
        charset = _standard(label)
        if charset is None:
            continue
        found = _read(data, charset, evidence)
        # bytes in other charsets hardly ever happen to be UTF-8, so a page that mostly is, is
        if not found.broken or (charset == "utf-8" and found.broken < _foreign(found.text)):
            return _escaped(data) or found if evidence == "content" else found
        damaged.append(found)
    for found in damaged:
        if found.broken * _LITTLE_DAMAGE < _foreign(found.text):
            return found
    return min(_detected(data), *damaged, key=lambda found: found.broken)


def _labels(data: bytes, http_charset: str | None) -> Iterator[tuple[str, Evidence]]:
    if http_charset:
        yield http_charset, "http"
    if own := declared(data):
        yield own
    yield "utf-8", "content"


def _standard(label: str) -> str | None:
    """What a label means for a page of one byte a character or more; None for what is not read."""
    label = label.strip().strip("\"'").lower()
    charset = _WIDEST.get(label) or encoding_named(label)
    if charset is None or charset == "replacement":
        return None
    # bytes that could be read as far as this are not in a wide charset, whatever they say
    return "utf-8" if charset.startswith("utf-") else charset


def _read(data: bytes, charset: str, evidence: Evidence) -> Decoded:
    """The text, with U+FFFD where bytes make no sense."""
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
    """How many characters beyond ASCII were read well."""
    return len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")


def _escaped(data: bytes) -> Decoded | None:
    """ISO-2022-JP is ASCII but for its escapes, and so passes as UTF-8."""
    if not data.isascii() or not _ESCAPES.search(data):
        return None
    found = _read(data, "iso-2022-jp", "content")
    return None if found.broken else found


def _detected(data: bytes) -> Decoded:
    from turbohtml.detect import detect

    try:
        data.decode("ascii")
        start = 0
    except UnicodeDecodeError as error:
        start = error.start
    # without tags the detector can't be led by a declaration that has just proved wrong
    window = data[start : start + DETECTION_BYTES].replace(b"<", b" ")
    return _read(data, (detect(window).encoding or "windows-1252").lower(), "content")

"""MHTML: a page with its style sheets and images in one file, as browsers save it (RFC 2557)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from rowen.model.errors import DocumentError

MHTML_PARTS = 5_000
"""Limit: how many parts of an MHTML file are read. Browsers write one per file of a page."""

MHTML_SUFFIXES = (".mhtml", ".mht")

_HEADER = re.compile(rb"(?im)^Content-Type:\s*multipart/related\b")
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_START = re.compile(r"[<>\s]")


@dataclass(frozen=True, slots=True)
class Mhtml:
    """The page's bytes with the charset that is declared for them, and its files by address."""

    html: bytes
    charset: str | None
    url: str
    files: Mapping[str, bytes]


def is_mhtml(data: bytes) -> bool:
    """Whether a file is MHTML, by its first lines."""
    head = data[:8192]
    return re.match(rb"[\w-]+:", head) is not None and _HEADER.search(head) is not None


def read_mhtml(data: bytes, name: str) -> Mhtml:
    """Read an MHTML file; DocumentError if there is no page in it."""
    try:
        parts = _parts(message_from_bytes(data))
    except RecursionError:  # parts in parts in parts
        raise DocumentError(name, "is nested too deep") from None
    page = next((part for part in parts if part.get_content_type() in HTML_TYPES), None)
    if page is None:
        raise DocumentError(name, "has no page in it")
    files: dict[str, bytes] = {}
    for part in parts:
        if part is not page:
            for address in _addresses(part):
                files.setdefault(address, _content(part))
    return Mhtml(_content(page), page.get_content_charset(), _location(page), files)


def _parts(message: Message) -> list[Message]:
    """The parts of a message in order; the one that it declares as its start comes first."""
    parts = [part for part in message.walk() if not part.is_multipart()][:MHTML_PARTS]
    start = _START.sub("", str(message.get_param("start", "") or ""))
    if start:
        parts.sort(key=lambda part: _START.sub("", str(part.get("Content-ID", ""))) != start)
    return parts


def _addresses(part: Message) -> list[str]:
    """What the page may call a part: its location, and `cid:` with its id."""
    identity = _START.sub("", str(part.get("Content-ID", "")))
    return [*filter(None, [_location(part)]), *([f"cid:{identity}"] if identity else [])]


def _location(part: Message) -> str:
    return "".join(str(part.get("Content-Location", "")).split())


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""

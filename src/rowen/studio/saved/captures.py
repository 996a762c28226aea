"""Captures of pages with their files: MHTML of a browser, and WARC archives.

They come from anywhere, so they are unpacked in a confined process.
"""

import re
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import unquote, urldefrag, urlsplit

from rowen.model.errors import DocumentError
from rowen.sources.mhtml import HTML_TYPES, MHTML_SUFFIXES, is_mhtml, read_mhtml
from rowen.sources.warc import captured
from rowen.studio.saved.files import VIEW_FILE_BYTES
from rowen.studio.visit import STUDIO_PAGES
from rowen.text.charset import decode, encode
from rowen.workers import Asker, Pool, Work
from rowen.workers.loading import load_packages

CAPTURE_BYTES = 128 * 1024 * 1024
"""Limit: the size of an MHTML file or WARC archive that the studio opens in the browser."""

CAPTURE_SECONDS = 60.0
"""Limit: how long unpacking may take. 128 MB of MHTML take about ten seconds."""

CAPTURE_MEMORY_BYTES = 3 * 1024 * 1024 * 1024
"""Limit: the memory for unpacking, which holds a capture several times."""

CAPTURE_UNPACKED_BYTES = 200 * 1024 * 1024
"""Limit: the size of all files of a capture; what comes after them is left out."""

CAPTURE_FILES = 5_000
"""Limit: how many files of a capture are kept."""


_ARCHIVE = re.compile(rb"WARC/\d|\x1f\x8b")


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A page of a capture: a name for it, its address and its text in UTF-8."""

    name: str
    url: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Capture:
    """The pages of a capture, and the files of all of them by address."""

    pages: tuple[CapturedPage, ...]
    files: dict[str, bytes]


def is_capture(head: bytes) -> bool:
    """Whether a file is a capture, by its first bytes."""
    return _ARCHIVE.match(head) is not None or is_mhtml(head)


def unpack(data: bytes, name: str) -> Capture:
    """Unpack a capture; DocumentError if it has no page."""
    capture = _from_mhtml(data, name) if is_mhtml(data) else _from_archive(data)
    if not capture.pages:
        raise DocumentError(name, "has no pages in it")
    return capture


def capture_pool() -> Pool[str, Capture]:
    """Processes that unpack captures, one at a time."""
    return Pool(CAPTURES, processes=1, seconds=CAPTURE_SECONDS, memory=CAPTURE_MEMORY_BYTES)


def _from_mhtml(data: bytes, name: str) -> Capture:
    saved = read_mhtml(data, name)
    text = decode(saved.html, name, http_charset=saved.charset).text
    stem = name[: name.lower().rfind(".m")] if name.lower().endswith(MHTML_SUFFIXES) else name
    files = _Files()
    for url, content in saved.files.items():
        files.add(url, content)
    page = CapturedPage(f"{stem}.html", _unicode(saved.url), encode(text))
    return Capture((page,), files.contents)


def _from_archive(data: bytes) -> Capture:
    pages: list[CapturedPage] = []
    files = _Files()
    for part in captured(BytesIO(data), limit=VIEW_FILE_BYTES * 2):
        if not part.is_page:
            files.add(part.url, part.body)
        elif len(pages) < STUDIO_PAGES and part.media.name in HTML_TYPES:
            try:
                text = decode(part.body, part.url, http_charset=part.media.charset).text
            except DocumentError:
                continue  # declared as a page, but it is something else
            pages.append(CapturedPage(name_of(part.url), _unicode(part.url), encode(text)))
    return Capture(tuple(pages), files.contents)


class _Files:
    """The files of a capture, as far as they are within the limits."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self._bytes = 0

    def add(self, url: str, content: bytes) -> None:
        self._bytes += len(content)
        is_small = self._bytes <= CAPTURE_UNPACKED_BYTES and len(content) <= VIEW_FILE_BYTES
        if content and is_small and len(self.contents) < CAPTURE_FILES:
            self.contents.setdefault(_unicode(urldefrag(url)[0]), content)


def name_of(url: str) -> str:
    """A name for the page at an address: the last part of its path and its query, or its host."""
    parts = urlsplit(url)
    last = unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.netloc or "page"
    return f"{last} {unquote(parts.query)}" if parts.query else last


def _unicode(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _unpack(name: str, asker: Asker) -> Capture:
    return unpack(asker.document(), name)


def _warm_up() -> None:
    load_packages("rowen.text", "rowen.sources")
    read_mhtml(b"Content-Type: text/html\r\n\r\n<p>", "")  # loads the email package
    decode("<p>\xe9</p>".encode("latin-1"))  # loads the charset detector


CAPTURES: Work[str, Capture] = Work(do=_unpack, task=str, result=Capture, warm=_warm_up)

"""The files of a saved page: style sheets, images and fonts, found by the addresses that it uses.

A page gets nothing but these files and what its own `data:` URLs hold. An image or a font is taken
for what its first bytes say, so that neither a name nor a declared type turns it into a page.
"""

import base64
import binascii
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_to_bytes, urldefrag, urljoin

from rowen.model.errors import DocumentError
from rowen.text.charset import decode
from rowen.views.css import Import, sanitised

VIEW_FILE_BYTES = 8 * 1024 * 1024
"""Limit: the size of an image, a font or a style sheet that the studio shows a page with."""

VIEW_FILES_BYTES = 48 * 1024 * 1024
"""Limit: the size of all files that a page is shown with. A window holds them in memory."""

VIEW_FILES = 1_000
"""Limit: how many files a page is shown with, and how many missing ones are listed."""

VIEW_STYLE_CHARACTERS = 6_000_000
"""Limit: the length of all style sheets of a page. Large sites send one or two million."""

VIEW_IMPORTS = 8
"""Limit: how deep style sheets may import each other; they could do so in a circle."""


_IMAGES: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"....ftypavi[fs]", re.DOTALL), "image/avif"),
    (re.compile(rb"BM"), "image/bmp"),
    (re.compile(rb"\x00\x00[\x01\x02]\x00"), "image/x-icon"),
    # Browsers run no scripts and load nothing in an SVG that is shown as an image.
    (
        re.compile(
            rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml.{0,1000}?\?>\s*)?(?:<!--.{0,10000}?-->\s*)*"
            rb"(?:<!DOCTYPE\s+svg.{0,10000}?>\s*)?<svg[\s>]",
            re.DOTALL | re.IGNORECASE,
        ),
        "image/svg+xml",
    ),
)
_FONTS: Final = (
    (re.compile(rb"wOFF"), "font/woff"),
    (re.compile(rb"wOF2"), "font/woff2"),
    (re.compile(rb"OTTO"), "font/otf"),
    (re.compile(rb"\x00\x01\x00\x00|true"), "font/ttf"),
)
_DATA: Final = re.compile(r"(?is)data:([^,]*),(.*)")
_BLANK = re.compile(r"[\t\n\r]")


@dataclass(frozen=True, slots=True)
class Style:
    """A harmless style sheet and its media query."""

    css: str
    media: str


@dataclass(slots=True)
class Files:
    """What a page refers to. `urls` are the files that it can have; `fetch` gets one of them."""

    urls: Collection[str] = ()
    fetch: Callable[[str], bytes] = field(default=lambda _: b"")
    base: str = ""
    """What addresses of the page are relative to."""
    shown: list[str] = field(default_factory=list)
    """The images and fonts in use, as `data:` URLs; `address` gives their numbers."""
    wanted: dict[str, None] = field(default_factory=dict)
    """What the page refers to but does not have, in order."""
    lacks_styles: bool = False
    """Whether a style sheet for screens is not there."""
    _numbers: dict[str, int | None] = field(default_factory=dict)
    _bytes: int = 0
    _style_characters: int = 0

    def address(self, reference: str, relative_to: str | None = None) -> str | None:
        """The address of an image or font in the view: `rowen-file:NUMBER`; None without one."""
        url = self._url(reference, relative_to)
        if url not in self._numbers:
            content = self._content(url)
            kind = _kind(content)
            self._numbers[url] = None if kind is None else self._show(kind, content)
        number = self._numbers[url]
        return None if number is None else f"rowen-file:{number}"

    def styles(self, css: str, media: str = "", relative_to: str | None = None) -> list[Style]:
        """A style sheet of the page with all that it imports, in the order in which they count."""
        return self._styles(css, media, relative_to, depth=0, within=())

    def linked_styles(self, reference: str, media: str = "") -> list[Style]:
        """A style sheet that the page links to."""
        return self._linked(Import(reference, media), None, depth=0, within=())

    def attribute_style(self, css: str) -> str:
        """The content of a `style` attribute."""
        return sanitised(css, self.address).css

    def _linked(
        self, link: Import, relative_to: str | None, *, depth: int, within: tuple[str, ...]
    ) -> list[Style]:
        url = self._url(link.url, relative_to)
        if url in within or depth > VIEW_IMPORTS:
            return []
        content = self._content(url)
        if not content and link.media.strip().lower() != "print":
            self.lacks_styles = True
        css = _text(content)
        place = self.base if url.startswith("data:") else url
        return self._styles(css, link.media, place, depth=depth, within=(*within, url))

    def _styles(
        self, css: str, media: str, relative_to: str | None, *, depth: int, within: tuple[str, ...]
    ) -> list[Style]:
        self._style_characters += len(css)
        if not css.strip() or self._style_characters > VIEW_STYLE_CHARACTERS:
            return []
        sheet = sanitised(css, lambda url: self.address(url, relative_to))
        styles = [
            Style(style.css, style.media or media)
            for link in sheet.imports
            for style in self._linked(link, relative_to, depth=depth + 1, within=within)
        ]
        return [*styles, Style(sheet.css, media)]

    def _url(self, reference: str, relative_to: str | None) -> str:
        """What a reference means, without its fragment."""
        plain = _BLANK.sub("", reference.strip())
        if plain[:5].lower() == "data:":
            return plain
        try:
            return urldefrag(urljoin(self.base if relative_to is None else relative_to, plain))[0]
        except ValueError:  # such as an address of IPv6 that is not one
            return ""

    def _content(self, url: str) -> bytes:
        """The bytes of a file or of a `data:` URL; none if they are not there or too many."""
        if data := _DATA.fullmatch(url):
            return _data(data[1], data[2])
        if url in self.urls:
            content = self.fetch(url)
            return content if len(content) <= VIEW_FILE_BYTES else b""
        if url and len(self.wanted) < VIEW_FILES:
            self.wanted[url] = None
        return b""

    def _show(self, kind: str, content: bytes) -> int | None:
        self._bytes += len(content)
        if self._bytes > VIEW_FILES_BYTES or len(self.shown) >= VIEW_FILES:
            return None
        self.shown.append(f"data:{kind};base64,{base64.b64encode(content).decode()}")
        return len(self.shown) - 1


def _text(content: bytes) -> str:
    """The text of a style sheet; none if it is something else."""
    try:
        return decode(content).text
    except DocumentError:
        return ""


def _kind(content: bytes) -> str | None:
    """The type of an image or font by its first bytes; None if it is something else."""
    for begin, kind in (*_IMAGES, *_FONTS):
        if begin.match(content):
            return kind
    return None


def _data(head: str, body: str) -> bytes:
    """The bytes of a `data:` URL; none if it is broken or too large."""
    if len(body) > 3 * VIEW_FILE_BYTES:
        return b""
    content = unquote_to_bytes(body)
    if head.rstrip().lower().endswith(";base64"):
        plain = b"".join(content.split()).rstrip(b"=")
        try:
            content = base64.b64decode(plain + b"=" * (-len(plain) % 4))
        except binascii.Error:
            return b""
    return content if len(content) <= VIEW_FILE_BYTES else b""

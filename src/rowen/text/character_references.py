"""Character references: what `&amp;` stands for, and where each decoded character came from.

The rules are those of browsers (WHATWG, "character reference state"). `html.unescape` agrees except
on references to control characters and non-characters such as `&#1;`: it deletes them, browsers
keep the character.

    source   a&lt;b     decoded  a<b     starts 0 1 2 | 3     sources 0 1 5 | 6
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from html.entities import html5

from rowen.model import Span

_REFERENCE = re.compile(r"&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([A-Za-z][A-Za-z0-9]{1,31};?))")
_REPLACEMENT = "\ufffd"
_LAST_CODE_POINT = 0x10FFFF
_UNENDED = {name: value for name, value in html5.items() if not name.endswith(";")}
"""The references that need no semicolon."""
_UNENDED_LENGTHS = range(max(map(len, _UNENDED)), min(map(len, _UNENDED)) - 1, -1)
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
"""Numbers from 128 to 159 mean the characters of Windows-1252, where it has one (WHATWG, "numeric
character reference end state")."""
_KEPT = 10_000
"""Limit: how many different references of one text are cached; there are 2,231 names, but hostile
text can have any number of numeric references."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with its references resolved, and a map back to the source.

    The text is cut into pieces: piece `i` starts at `starts[i]` in the text and at `sources[i]` in
    the source; a last entry marks the ends. A piece is either as long as its source, or it is a
    reference.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[int, ...]

    def source(self, start: int, end: int) -> Span:
        """The source span of `text[start:end]`; a reference is never cut."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"[{start}, {end}) is not a span of {len(self.text)} characters")
        first = self._source_start(start)
        return Span(first, first if start == end else self._source_end(end))

    def _source_start(self, at: int) -> int:
        piece = bisect_right(self.starts, at) - 1
        return self.sources[piece] + (0 if self._is_reference(piece) else at - self.starts[piece])

    def _source_end(self, at: int) -> int:
        piece = bisect_right(self.starts, at - 1) - 1
        if self._is_reference(piece):
            return self.sources[piece + 1]
        return self.sources[piece] + at - self.starts[piece]

    def _is_reference(self, piece: int) -> bool:
        # Every reference is longer than what it stands for, so lengths are enough to tell.
        if piece + 1 == len(self.starts):
            return False
        length = self.starts[piece + 1] - self.starts[piece]
        return self.sources[piece + 1] - self.sources[piece] != length


def decode(text: str, span: Span | None = None, *, attribute: bool = False) -> Decoded:
    """Resolve the references in a span of a source (by default all of it); newlines stay.

    In an attribute's value a reference without its semicolon does not count before a letter, a
    digit or `=`, so that the URL `?a=1&copy=2` keeps its parameter.
    """
    start, end = span or (0, len(text))
    pieces: list[str] = []
    starts, sources = [], []
    length, copied = 0, start
    for match in _REFERENCE.finditer(text, start, end):
        resolution = _resolve(match, end, attribute=attribute)
        if resolution is None:
            continue
        value, after = resolution
        at = match.start()
        if at > copied:
            pieces.append(text[copied:at])
            starts.append(length)
            sources.append(copied)
            length += at - copied
        pieces.append(value)
        starts.append(length)
        sources.append(at)
        length += len(value)
        copied = after
    if copied < end:
        pieces.append(text[copied:end])
        starts.append(length)
        sources.append(copied)
        length += end - copied
    return Decoded("".join(pieces), (*starts, length), (*sources, end))


def resolved(text: str) -> str:
    """Resolve all references of a text without a map back, which is much faster."""
    values: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        written = match[0]
        replacement = values.get(written)
        if replacement is None:
            resolution = _resolve(match, len(text), attribute=False)
            replacement = (
                written
                if resolution is None
                else resolution[0] + written[resolution[1] - match.start() :]
            )
            if len(values) < _KEPT:
                values[written] = replacement
        return replacement

    return _REFERENCE.sub(value, text)


def _resolve(match: re.Match[str], end: int, *, attribute: bool) -> tuple[str, int] | None:
    """The value of a reference and where it ends; None where it only looks like one."""
    hexadecimal, decimal, name = match.groups()
    if name is None:
        return _character(hexadecimal or decimal, 16 if hexadecimal else 10), match.end()
    if name in html5 and name.endswith(";"):
        return html5[name], match.end()
    # WHATWG: the longest known name wins, so `&notit` is `¬it`.
    prefix = next((name[:n] for n in _UNENDED_LENGTHS if name[:n] in _UNENDED), None)
    if prefix is None:
        return None
    after = match.start() + 1 + len(prefix)
    if attribute and after < end:
        following = match.string[after]
        if following == "=" or (following.isascii() and following.isalnum()):
            return None
    return _UNENDED[prefix], after


def _character(digits: str, base: int) -> str:
    digits = digits.lstrip("0")
    if len(digits) > len(str(_LAST_CODE_POINT)):
        # Attack: a number of a million digits, which int() refuses or spends long on.
        return _REPLACEMENT
    code = int(digits or "0", base)
    if code == 0 or code > _LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:  # surrogates
        return _REPLACEMENT
    return _WINDOWS.get(code) or chr(code)

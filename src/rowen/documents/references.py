"""Character references: what `&amp;` and its like stand for, and where each character came from.

As browsers do it (WHATWG, "character reference state"). `html.unescape` agrees but for references
to control and non-characters, such as `&#1;`: it deletes them, browsers keep the character.
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
"""Numbers from 128 to 159 mean what they mean in Windows-1252, where they mean something."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with its references resolved, and the way back.

    The text is cut into pieces: piece `i` starts at `starts[i]` of the text and stands at
    `sources[i]` of the source; a last entry says where all ends. A piece is as long as its source,
    or it is a reference.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[int, ...]

    def source(self, start: int, end: int) -> Span:
        """Where `text[start:end]` stands in the source; a reference is taken whole."""
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
        # Every reference is longer than what it stands for.
        if piece + 1 == len(self.starts):
            return False
        length = self.starts[piece + 1] - self.starts[piece]
        return self.sources[piece + 1] - self.sources[piece] != length


def decode(text: str, span: Span | None = None, *, attribute: bool = False) -> Decoded:
    """What a span of a source says, all of it by default; newlines stay as they are.

    In an attribute's value a reference without its semicolon is none where a letter, a digit or `=`
    follows, so that `?a=1&copy=2` means what it says.
    """
    start, end = span or (0, len(text))
    pieces: list[str] = []
    starts, sources = [], []
    length, done = 0, start
    for match in _REFERENCE.finditer(text, start, end):
        found = _resolve(match, end, attribute=attribute)
        if found is None:
            continue
        value, after = found
        at = match.start()
        if at > done:
            pieces.append(text[done:at])
            starts.append(length)
            sources.append(done)
            length += at - done
        pieces.append(value)
        starts.append(length)
        sources.append(at)
        length += len(value)
        done = after
    if done < end:
        pieces.append(text[done:end])
        starts.append(length)
        sources.append(done)
        length += end - done
    return Decoded("".join(pieces), (*starts, length), (*sources, end))


def _resolve(match: re.Match[str], end: int, *, attribute: bool) -> tuple[str, int] | None:
    """What the reference stands for and where it ends; None where it only looks like one."""
    hexadecimal, decimal, name = match.groups()
    if name is None:
        return _character(hexadecimal or decimal, 16 if hexadecimal else 10), match.end()
    if name in html5 and name.endswith(";"):
        return html5[name], match.end()
    known = next((name[:n] for n in _UNENDED_LENGTHS if name[:n] in _UNENDED), None)
    if known is None:
        return None
    after = match.start() + 1 + len(known)
    if attribute and after < end:
        following = match.string[after]
        if following == "=" or (following.isascii() and following.isalnum()):
            return None
    return _UNENDED[known], after


def _character(digits: str, base: int) -> str:
    digits = digits.lstrip("0")
    if len(digits) > len(str(_LAST_CODE_POINT)):
        return _REPLACEMENT  # and no time is spent on a number of a million digits
    code = int(digits or "0", base)
    if code == 0 or code > _LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:  # surrogates
        return _REPLACEMENT
    return _WINDOWS.get(code) or chr(code)

r"""Escapes in strings of JSON and of scripts: what `\u00f6` stands for, and where it came from.

JSON's escapes, and those that only JavaScript has: `\x27`, `\u{1F600}`, `\'`, a newline after a
backslash. Two escapes of UTF-16 halves are one character, as `json.loads` has it.

    source   K\u00f6ln     decoded  Köln     starts 0 1 2 | 4     sources 0 1 7 | 9
"""

import re

from rowen.model import Span
from rowen.text.character_references import Decoded

_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))"
)
_SIGNS = {
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "0": "\0",
    **dict.fromkeys(("\n", "\r", "\r\n", "\u2028", "\u2029"), ""),
}
_LAST_CODE_POINT = 0x10FFFF
_REPLACEMENT = "\ufffd"


def unescaped(text: str) -> str:
    r"""A string's text without escapes.

    >>> unescaped(r"K\u00f6ln \"\x41\" 1\/2")
    'Köln "A" 1/2'
    """
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def decode_escapes(text: str, span: Span) -> Decoded:
    """Resolve the escapes in a span of a source, with a map back to it."""
    start, end = span
    pieces: list[str] = []
    starts: list[int] = []
    sources: list[int] = []
    length, copied = 0, start

    def add(piece: str, source: int) -> None:
        nonlocal length
        pieces.append(piece)
        starts.append(length)
        sources.append(source)
        length += len(piece)

    for match in _ESCAPE.finditer(text, start, end):
        if match.start() > copied:
            add(text[copied : match.start()], copied)
        add(_character(match), match.start())
        copied = match.end()
    if copied < end:
        add(text[copied:end], copied)
    return Decoded("".join(pieces), (*starts, length), (*sources, end))


def _character(match: re.Match[str]) -> str:
    high, low, unit, point, byte, sign = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if sign is not None:
        return _SIGNS.get(sign, sign)
    code = int(unit or point or byte, 16)
    return chr(code) if code <= _LAST_CODE_POINT else _REPLACEMENT

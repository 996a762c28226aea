"""Strings in scripts: what their escapes say."""

import re

ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))"
)
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_SIGNS |= dict.fromkeys(("\n", "\r", "\r\n", "\u2028", "\u2029"), "")
_PARSED = re.compile(
    r"JSON\.parse\(\s*"
    r"(\"(?:[^\"\\]|\\[\s\S])*+\"|'(?:[^'\\\n]|\\[\s\S])*+'|`(?:[^`\\]|\\[\s\S])*+`)"
)


def read_string(page: str, start: int, end: int) -> str:
    """The text of a part of a string; one that is given to `JSON.parse` has escapes twice."""
    written = page[start:end]
    if "\\" not in written:
        return written
    text = unescape(written)
    call = page.rfind("JSON.parse(", max(page.rfind("<script", 0, start), 0), start)
    parsed = _PARSED.match(page, call) if call >= 0 and "\\" in text else None
    return unescape(text) if parsed and end < parsed.end() else text


def unescape(text: str) -> str:
    """A string's text without escapes."""
    return ESCAPE.sub(escaped_character, text) if "\\" in text else text


def escaped_character(match: re.Match[str]) -> str:
    """What an escape stands for."""
    high, low, unit, point, byte, sign = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if sign is not None:
        return _SIGNS.get(sign, sign)
    code = int(unit or point or byte, 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"

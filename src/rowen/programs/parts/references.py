"""Character references: what `&amp;` stands for, by the rules of browsers."""

import re
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?|([A-Za-z][A-Za-z0-9]{1,31};?))")
_LAST_CODE_POINT = 0x10FFFF
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}


def resolve_references(text: str, *, attribute: bool) -> str:
    """The text with its references resolved.

    In an attribute one without its semicolon does not count before a letter, a digit or `=`: the
    URL `?a=1&copy=2` keeps its parameter.
    """

    def value(match: re.Match[str]) -> str:
        hexadecimal, decimal, name = match.groups()
        if name is None:
            return _character(hexadecimal or decimal, 16 if hexadecimal else 10)
        if name.endswith(";") and name in html5:
            return html5[name]
        known = next((name[:n] for n in range(len(name), 1, -1) if _unended(name[:n])), None)
        if known is None:
            return match[0]
        following = match.string[match.start() + 1 + len(known) :][:1]
        if attribute and (following == "=" or (following.isascii() and following.isalnum())):
            return match[0]
        return html5[known] + name[len(known) :]

    return _REFERENCE.sub(value, text) if "&" in text else text


def _unended(name: str) -> bool:
    return not name.endswith(";") and name in html5


def _character(digits: str, base: int) -> str:
    digits = digits.lstrip("0")
    code = int(digits or "0", base) if len(digits) <= 7 else _LAST_CODE_POINT + 1
    if code == 0 or code > _LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return _WINDOWS.get(code) or chr(code)

"""XML as lines: elements, text and attributes, escaped.

Papers are written as often as they are read, and building trees of elements took half of that time.
"""

import re
from typing import TypeAlias

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_IN_ATTRIBUTES = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}

PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>\n'

Elements: TypeAlias = list[str]
"""Elements as lines: one string per start tag, end tag or element with text."""


def element(tag: str, inner: Elements, attributes: str = "") -> Elements:
    """An element around others; `attributes` begin with a blank."""
    if not inner:
        return [f"<{tag}{attributes} />"]
    return [f"<{tag}{attributes}>", *[f"  {line}" for line in inner], f"</{tag}>"]


def leaf(tag: str, text: str | None, attributes: str = "") -> Elements:
    """An element with a text; none if there is no text."""
    return [f"<{tag}{attributes}>{escaped(text)}</{tag}>"] if text else []


def escaped(text: str) -> str:
    """Text with `&`, `<` and `>` escaped, and U+FFFD for what XML 1.0 does not allow."""
    if not text.isprintable():  # every printable character is allowed
        text = _FORBIDDEN.sub("\ufffd", text)
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text


def attribute(text: str) -> str:
    """Text as the value of an attribute."""
    value = escaped(text)
    for sign, name in _IN_ATTRIBUTES.items():
        value = value.replace(sign, name)
    return value


def language_attribute(code: str | None) -> str:
    """The attribute `xml:lang`; none for what is no code of a language."""
    return f' xml:lang="{code}"' if code and _LANGUAGE.fullmatch(code) else ""


def written(elements: Elements) -> str:
    """Elements as text."""
    return "\n".join(elements) + "\n"

"""What a page says of its own charset: in an XML declaration or in a `<meta>`."""

import re
from typing import Literal

from rowen.limits import DECLARATION_BYTES

_XML = re.compile(rb"""<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([^"'>]{1,40})["']""")
_MARKUP = re.compile(rb"<(?:html|head|!doctype)\b", re.IGNORECASE)
_PLACE = re.compile(rb"<(?:!--|[mM][eE][tT][aA][\s/])")  # quicker than IGNORECASE
_ATTRIBUTE = re.compile(
    rb"""[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""",
)
_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)

_EARLY = 1024
"""Where browsers expect the declaration, and where nearly all pages have it."""


def declared(data: bytes) -> tuple[str, Literal["xml", "meta"]] | None:
    """The label of the first declaration, as it is written; None where there is none.

    Browsers look for a `<meta>` in the first 1024 bytes and start over when one comes later; here
    the first `DECLARATION_BYTES` count alike. Text that is no markup declares nothing: a chapter
    about HTML may well show a `<meta>`.
    """
    head = data[:DECLARATION_BYTES]
    if not (head[:64].lstrip().startswith(b"<") or _MARKUP.search(head, 0, _EARLY)):
        return None
    if found := _XML.match(head):
        return found[1].decode("latin-1"), "xml"
    label = _first_meta(head, _EARLY)
    if label is None and b"charset" in head[_EARLY:].lower():
        label = _first_meta(head, len(head))
    return None if label is None else (label.decode("latin-1"), "meta")


def _first_meta(head: bytes, end: int) -> bytes | None:
    """The charset in the first `<meta>` that starts before `end` and has one."""
    cursor = 0
    while place := _PLACE.search(head, cursor, end):
        cursor = place.end()
        if place[0] == b"<!--":
            # `<!-->` is a whole comment, so its own dashes count
            cursor = head.find(b"-->", cursor - 2)
            if cursor < 0:
                break
        else:
            label, cursor = _in_meta(head, cursor)
            if label:
                return label
    return None


def _in_meta(head: bytes, cursor: int) -> tuple[bytes | None, int]:
    """The charset that the attributes from `cursor` on declare, and where they end."""
    names: set[bytes] = set()
    pragma, content = False, None
    while found := _ATTRIBUTE.match(head, cursor):
        cursor = found.end()
        name = found[1].lower()
        if name in names:
            continue
        names.add(name)
        value = found[2] or found[3] or found[4] or b""
        if name == b"charset":
            return value, cursor
        if name == b"http-equiv":
            pragma = value.strip().lower() == b"content-type"
        elif name == b"content" and (label := _CONTENT.search(value)):
            content = label[1]
    return content if pragma else None, cursor

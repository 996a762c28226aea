"""What a page says of its own charset: in a `<meta>` or in an XML declaration.

Browsers look twice. Before they parse they prescan the first 1024 bytes, with rules of its own
that know tags and comments but neither scripts nor titles (WHATWG, "prescan a byte stream to
determine its encoding"); a declaration in XML counts where that finds nothing. If there is none
either, a `<meta>` that the parser meets later still counts, and they start over.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from rowen.documents.labels import encoding_named
from rowen.limits import DECLARATION_BYTES

if TYPE_CHECKING:
    from rowen.documents.html import Token

_MARKUP = re.compile(rb"<(?:html|head|!doctype)\b", re.IGNORECASE)
_PLACE = re.compile(
    rb"<(?:(?P<comment>!--)|(?P<meta>meta)(?=[\t\n\f\r /])|(?P<tag>/?[a-z])|[!/?])", re.IGNORECASE
)
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_REST_OF_TAG = re.compile(
    rb"""[^\t\n\f\r >]*+  # of the name
    (?:[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+
       (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\t\n\f\r >]*+)
         |(?![\t\n\f\r ]*+=))
    )*+[\t\n\f\r /]*+>""",
    re.VERBOSE,
)
_BETWEEN = re.compile(rb"[\t\n\f\r /]*+")
_NAME = re.compile(rb"[^\t\n\f\r />][^\t\n\f\r />=]*+")
_EQUALS = re.compile(rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_BARE = re.compile(rb"[^\t\n\f\r >]*+")
_CONTENT = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*)"|'([^']*)'|["']|([^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_XML = re.compile(
    rb"""<\?xml(?=[^>]*+>)(?:(?!encoding)[^>])*+encoding[\0- ]*+=[\0- ]*+(["'])([^\0- ]*?)\1"""
)

_EARLY = 1024
"""How far browsers prescan; nearly all pages have their declaration there."""


def declared(data: bytes) -> tuple[str, Literal["xml", "meta"]] | None:
    """The charset that a page declares, by its standard name; None where there is none.

    A label that means nothing declares nothing. Text that is no markup doesn't either: a chapter
    about HTML may well show a `<meta>`. The parser's own `<meta>` is looked for in the first
    `DECLARATION_BYTES`.
    """
    head = data[:DECLARATION_BYTES]
    if not (head[:64].lstrip().startswith(b"<") or _MARKUP.search(head, 0, _EARLY)):
        return None
    if charset := prescan(head[:_EARLY]):
        return charset, "meta"
    if (found := _XML.match(head)) and (charset := _encoding(found[2])):
        return charset, "xml"
    if b"charset" in head.lower() and (charset := _parsed(head)):
        return charset, "meta"
    return None


class _EndError(Exception):
    """The bytes ran out, and with them the prescan."""


def prescan(head: bytes) -> str | None:
    """The charset that a browser's prescan of these bytes finds in a `<meta>`."""
    cursor = 0
    try:
        while place := _PLACE.search(head, cursor):
            cursor = place.end()
            if place["comment"]:
                # `<!-->` is a whole comment, so its own dashes count
                cursor = _after(head, b"-->", cursor - 2)
            elif place["meta"]:
                attributes = _Attributes(head, cursor)
                if charset := _in_meta(attributes):
                    return charset
                cursor = attributes.cursor + 1
            elif place["tag"]:
                rest = _REST_OF_TAG.match(head, cursor)
                if rest is None:  # nothing but the end of the bytes keeps a tag from ending
                    return None
                cursor = rest.end()
            else:
                cursor = _after(head, b">", cursor - 1)
    except _EndError:
        pass
    return None


class _Attributes:
    """The attributes of a tag from `cursor` on, which is at its `>` when they are done."""

    def __init__(self, head: bytes, cursor: int) -> None:
        self._head = head
        self.cursor = cursor

    def __iter__(self) -> Iterator[tuple[bytes, bytes]]:
        head = self._head
        while True:
            self.cursor = _skip(_BETWEEN, head, self.cursor)
            if head[self.cursor : self.cursor + 1] == b">":
                return
            start, self.cursor = self.cursor, _skip(_NAME, head, self.cursor)
            name = head[start : self.cursor].lower()
            yield name, self._value()

    def _value(self) -> bytes:
        head = self._head
        equals = _EQUALS.match(head, self.cursor)
        if equals is None:
            return b""
        start = equals.end()
        quote = head[start : start + 1]
        if quote in {b'"', b"'"}:
            self.cursor = _after(head, quote, start + 1)
            return head[start + 1 : self.cursor - 1]
        self.cursor = _skip(_BARE, head, start)
        return head[start : self.cursor]


def _skip(pattern: re.Pattern[bytes], head: bytes, cursor: int) -> int:
    """Where a run that may be empty ends; something must follow it."""
    match = pattern.match(head, cursor)
    end = match.end() if match else cursor
    if end == len(head):
        raise _EndError
    return end


def _after(head: bytes, wanted: bytes, cursor: int) -> int:
    place = head.find(wanted, cursor)
    if place < 0:
        raise _EndError
    return place + len(wanted)


def _in_meta(attributes: _Attributes) -> str | None:
    """The charset that the attributes of a `<meta>` declare; of two with one name the first counts.

    A `charset` that means nothing still hides the one in `content`.
    """
    values: dict[bytes, bytes] = {}
    for name, value in attributes:
        values.setdefault(name, value)
    if b"charset" in values:
        return _encoding(values[b"charset"])
    if values.get(b"http-equiv", b"").lower() == b"content-type":
        return _in_content(values.get(b"content", b""))
    return None


def _in_content(content: bytes) -> str | None:
    """The charset in a value such as `text/html; charset=utf-8`."""
    found = _CONTENT.search(content)
    return _encoding(found[1] or found[2] or found[3] or b"") if found else None


def _encoding(label: bytes) -> str | None:
    charset = encoding_named(label.decode("latin-1"))
    # whoever can write ASCII in front of it doesn't write UTF-16
    return "utf-8" if charset and charset.startswith("utf-16") else charset


def _parsed(head: bytes) -> str | None:
    """The charset in the first `<meta>` that is one to a parser: in no script, style or title."""
    from rowen.documents.html import Kind, tokenize  # few pages need it to be read

    text = head.decode("latin-1")
    places = [place.start() for place in _META.finditer(head)]
    if not places:
        return None
    tokens = tokenize(text)
    for place, index in zip(places, tokens.starts.searchsorted(places).tolist(), strict=True):
        if index < len(tokens) and tokens.starts[index] == place:
            token = tokens[index]
            if token.kind is Kind.START_TAG and (charset := _in_token(token, text)):
                return charset
    return None


def _in_token(token: "Token", text: str) -> str | None:
    from rowen.documents.references import decode

    values = {
        one.name: decode(text, one.value_span, attribute=True).text if one.value_span else ""
        for one in reversed(token.attributes)
    }
    if charset := _encoding(_bytes(values.get("charset", ""))):
        return charset
    if _bytes(values.get("http-equiv", "")).lower() == b"content-type":
        return _in_content(_bytes(values.get("content", "")))
    return None


def _bytes(value: str) -> bytes:
    return value.encode("latin-1", "replace")

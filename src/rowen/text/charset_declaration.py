"""What a page says of its own charset: in a `<meta>` or in an XML declaration.

Browsers look twice. Before they parse they prescan the first 1024 bytes, with special rules
that know tags and comments but neither scripts nor titles (WHATWG, "prescan a byte stream to
determine its encoding"); a declaration in XML counts where that finds nothing. If there is none
either, a `<meta>` that the parser meets later still counts, and they start over.
"""

import re
from typing import TYPE_CHECKING, Literal

from rowen.text.charset_labels import encoding_named

if TYPE_CHECKING:
    from rowen.text.html_tokens import Token

DECLARATION_BYTES = 64 * 1024
"""Limit: how far into a page Rowen looks for a charset declaration. Browsers expect it in the first
1024 bytes; real pages have long scripts and comments before it."""


_MARKUP = re.compile(rb"<(?:html|head|!doctype)\b", re.IGNORECASE)
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_ATTRIBUTE = rb"""[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)
    (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|(?!["'])([^\t\n\f\r >]*+))
      |(?![\t\n\f\r ]*+=))"""
_REST_OF_TAG = rb"(?:" + re.sub(rb"\((?!\?)", b"(?:", _ATTRIBUTE) + rb")*+[\t\n\f\r /]*+>"
_ATTRIBUTES = re.compile(_ATTRIBUTE, re.VERBOSE)
_NEXT_META = re.compile(
    rb"""(?:[^<]++
      |<!(?=--)[^-]*+(?:-(?!->)[^-]*+)*+-->
      |<(?!meta[\t\n\f\r /])/?[a-z][^\t\n\f\r >]*+"""
    + _REST_OF_TAG
    + rb"""
      |<(?:!(?!--)|/(?![a-z])|\?)[^>]*+>
      |<(?![a-z!/?])
    )*<meta(?=[\t\n\f\r /])("""
    + _REST_OF_TAG
    + rb")",
    re.VERBOSE,
)
"""What lies before a `<meta>` in small letters, and its attributes. No two branches start alike, so
nothing is tried twice, and a tag fails only where the bytes end. `<!-->` is a whole comment: its
own dashes count."""
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
    early = data[:_EARLY]
    if not (early[:64].lstrip().startswith(b"<") or _MARKUP.search(early)):
        return None
    if charset := prescan(early):
        return charset, "meta"
    head = data[:DECLARATION_BYTES]
    if (found := _XML.match(head)) and (charset := _encoding(found[2])):
        return charset, "xml"
    if b"charset" in (small := head.lower()) and (charset := _parsed(head, small)):
        return charset, "meta"
    return None


def prescan(head: bytes) -> str | None:
    """The charset that a browser's prescan of these bytes finds in a `<meta>`."""
    small = head.lower()
    if b"charset" not in small:
        return None  # most pages without one need no more
    cursor = 0
    while place := _NEXT_META.match(small, cursor):
        tag = place[1]
        if b"charset" in tag and (charset := _in_meta(tag)):
            return charset
        cursor = place.end()
    return None


def _in_meta(tag: bytes) -> str | None:
    """The charset that the attributes of a `<meta>` declare; of two with one name the first counts.

    A `charset` that means nothing still hides the one in `content`.
    """
    values: dict[bytes, bytes] = {}
    for name, *value in _ATTRIBUTES.findall(tag):
        values.setdefault(name, b"".join(value))
    if b"charset" in values:
        return _encoding(values[b"charset"])
    if values.get(b"http-equiv") == b"content-type":
        return _in_content(values.get(b"content", b""))
    return None


def _in_content(content: bytes) -> str | None:
    """The charset in a value such as `text/html; charset=utf-8`."""
    match = _CONTENT.search(content)
    return _encoding(match[1] or match[2] or match[3] or b"") if match else None


def _encoding(label: bytes) -> str | None:
    charset = encoding_named(label.decode("latin-1"))
    # WHATWG: a declaration that could be read as ASCII can't be in UTF-16, so UTF-8 is meant
    return "utf-8" if charset and charset.startswith("utf-16") else charset


def _parsed(head: bytes, small: bytes) -> str | None:
    """The charset in the first `<meta>` that is one to a parser: in no script, style or title.

    `small` is the same in small letters. What follows a tag does not change what it is, so that
    nearly always it is enough to parse as far as the first `<meta>` that looks like it.
    """
    likely = _likely_end(small)
    if charset := _parsed_meta(head[:likely]):
        return charset
    return _parsed_meta(head) if likely < len(head) else None


def _likely_end(small: bytes) -> int:
    """The end of the first `<meta` with a `charset` in it, read without a thought of quotes."""
    start = 0
    while (start := small.find(b"<meta", start)) >= 0 and (end := small.find(b">", start)) >= 0:
        if small.find(b"charset", start, end) >= 0:
            return end + 1
        start = end
    return len(small)


def _parsed_meta(head: bytes) -> str | None:
    from rowen.text.html_tokens import Kind, tokenize  # few pages need it to be read

    places = [place.start() for place in _META.finditer(head)]
    if not places:
        return None
    text = head.decode("latin-1")
    tokens = tokenize(text)
    for place, index in zip(places, tokens.starts.searchsorted(places).tolist(), strict=True):
        if index < len(tokens) and tokens.starts[index] == place:
            source = text[place : tokens.ends[index]].lower()
            if "charset" not in source and "&" not in source:
                continue
            token = tokens[index]
            if token.kind is Kind.START_TAG and (charset := _in_token(token, text)):
                return charset
    return None


def _in_token(token: "Token", text: str) -> str | None:
    from rowen.text.character_references import decode

    values = {
        attribute.name: decode(text, attribute.value_span, attribute=True).text
        if attribute.value_span
        else ""
        for attribute in reversed(token.attributes)  # reversed: of two with one name the first wins
    }
    if charset := _encoding(_bytes(values.get("charset", ""))):
        return charset
    if _bytes(values.get("http-equiv", "")).lower() == b"content-type":
        return _in_content(_bytes(values.get("content", "")))
    return None


def _bytes(value: str) -> bytes:
    return value.encode("latin-1", "replace")

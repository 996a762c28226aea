"""What a page of HTML says to one who reads it."""

from collections.abc import Iterator

from rowen.documents.html import Kind, tokenize
from rowen.documents.references import decode

_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    }
)
"""Elements within a line; the others begin a new one."""


def visible_text(html: str) -> str:
    """The text without tags, scripts and styles, a block a line."""
    lines = (" ".join(line.split()) for line in "".join(_pieces(html)).split("\0"))
    return "".join(f"{line}\n" for line in lines if line)


def _pieces(html: str) -> Iterator[str]:
    """Texts, and a NUL between blocks."""
    for token in tokenize(html):
        if token.kind is Kind.TEXT and not token.literal:
            yield decode(html, token.span).text.replace("\0", "\ufffd")
        elif token.kind in {Kind.START_TAG, Kind.END_TAG} and token.name not in _INLINE:
            yield "\0"

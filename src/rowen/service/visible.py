"""The visible text of an HTML page."""

from collections.abc import Iterator

from rowen.text.character_references import decode
from rowen.text.html_tokens import Kind, tokenize

_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    }
)
"""Inline elements; all others begin a new line."""


def visible_text(html: str) -> str:
    """The text without tags, scripts and styles, one line per block."""
    # White space is collapsed as browsers do; NUL can't occur in the text itself.
    lines = (" ".join(line.split()) for line in "".join(_pieces(html)).split("\0"))
    return "".join(f"{line}\n" for line in lines if line)


def _pieces(html: str) -> Iterator[str]:
    """The texts, and a NUL between blocks."""
    for token in tokenize(html):
        if token.kind is Kind.TEXT and not token.literal:
            yield decode(html, token.span).text.replace("\0", "\ufffd")
        elif token.kind in {Kind.START_TAG, Kind.END_TAG} and token.name not in _INLINE:
            yield "\0"

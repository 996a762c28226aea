"""What a page says of itself in `<meta>` tags, as one flat tree.

<meta property="og:title" content="Lamp"><meta name="author" content="Ada">
{"og:title": "Lamp", "author": "Ada"}
"""

import re
from collections.abc import Iterator

from rowen.model import Span
from rowen.text.character_references import decode
from rowen.text.data.sources import Root
from rowen.text.data.tree import BuiltTree, Kind
from rowen.text.html_tokens import Kind as TokenKind
from rowen.text.html_tokens import Tokens

META_TAGS = 10_000
"""Limit: at most this many `<meta>` tags of a page are read."""

_META = re.compile(r"<meta(?=[\s/])", re.IGNORECASE)
_NAMES = ("property", "name")


def read_meta(text: str, tokens: Tokens) -> Iterator[Root]:
    """The `<meta>` tags with a name and a content; several of one name are an array."""
    values: dict[str, list[tuple[str, Span]]] = {}
    for name, value, span in _named(text, tokens):
        values.setdefault(name, []).append((value, span))
    if not values:
        return
    tree = BuiltTree()
    root = tree.add(Kind.OBJECT, -1, None, Span(0, 0))
    for name, listed in values.items():
        if len(listed) == 1:
            tree.add(Kind.STRING, root, name, listed[0][1], listed[0][0])
            continue
        array = tree.add(Kind.ARRAY, root, name, listed[0][1])
        for value, span in listed:
            tree.add(Kind.STRING, array, None, span, value)
        tree.close(array)
    tree.close(root)
    yield Root("meta", tree)


def _named(text: str, tokens: Tokens) -> Iterator[tuple[str, str, Span]]:
    starts = [match.start() for match in _META.finditer(text)][:META_TAGS]
    for index, start in zip(tokens.starts.searchsorted(starts).tolist(), starts, strict=True):
        if index >= len(tokens) or tokens.starts[index] != start:
            continue
        tag = tokens[index]
        content = tag.attribute("content")
        if tag.kind is not TokenKind.START_TAG or content is None or content.value_span is None:
            continue
        for attribute in map(tag.attribute, _NAMES):
            if attribute is not None and attribute.value_span is not None:
                name = decode(text, attribute.value_span, attribute=True).text.strip()
                value = decode(text, content.value_span, attribute=True).text
                if name and value.strip():
                    yield name, value, content.value_span
                break

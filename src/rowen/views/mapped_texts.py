"""Texts of a view with the source of each of their pieces."""

from collections.abc import Iterable
from typing import Any

from rowen.model import Span


def mapped(pieces: Iterable[tuple[str, Span]]) -> dict[str, Any]:
    """A text of a view, from its pieces in order: see `view`."""
    texts: list[str] = []
    places: list[int] = []
    length, was_exact = 0, False
    for text, span in pieces:
        exact = len(text) == span.end - span.start
        if exact and places and places[-1] == span.start and was_exact:
            places[-1] = span.end
        else:
            places += (length, span.start, span.end)
        was_exact = exact
        texts.append(text)
        length += _units(text)
    return {"x": "".join(texts), "m": places}


def _units(text: str) -> int:
    """The length of a text in JavaScript: UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)

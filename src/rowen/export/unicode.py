"""Encode any text as UTF-8, lone surrogates included."""

from rowen.model.text import replace_surrogates


def encode(text: str) -> bytes:
    """The text as UTF-8; lone surrogates become U+FFFD, and cost time only if there are any."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return replace_surrogates(text).encode()

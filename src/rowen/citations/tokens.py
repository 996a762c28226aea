"""Tokens of a reference string: words, numbers, punctuation marks, whole URLs and DOIs."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"https?\s?:\s?//\S+"  # a whole URL
    r"|10\.\d{4,9}/\S+"  # a whole DOI
    r"|[^\W\d_]+|\d+|[^\w\s]|_"
)


class Token(NamedTuple):
    """A token and its span. A tuple, as there are many and tuples are created faster."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, from left to right, without white space."""
    return [Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]

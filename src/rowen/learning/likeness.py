"""How much values look like marked ones: a column holds values of one kind.

marked 10/31/2023     like 1/2/2024, a little like "2024", not like "Date filed"
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rowen.wrappers.region.part import shape_of

LONGEST = 200
"""Characters of a value that are looked at."""

NUMERIC = 0.3
"""A value with this share of digits among its letters and digits is a number, a date or a code; a
title with a number in it is not."""

PLAUSIBLE = 0.7
"""A value that looks as much as this like a marked one counts neither for nor against a rule."""


def worth(like: float) -> float:
    """What a value counts that looks so much like the marked ones: from -1 to 1."""
    return max(-1.0, (like - PLAUSIBLE) / (1 - PLAUSIBLE))


class _Features(NamedTuple):
    shape: str
    signs: frozenset[str]
    is_numeric: bool
    has_letters: bool
    words: int


@lru_cache(maxsize=4096)
def _features(text: str) -> _Features:
    text = text[:LONGEST]
    shape = shape_of(text)
    signs = frozenset("a" if sign in "Aax" else sign for sign in shape)
    digits = sum(character.isdigit() for character in text)
    letters = sum(character.isalpha() for character in text)
    return _Features(
        shape, signs, digits > NUMERIC * (digits + letters), letters > 0, len(text.split())
    )


def is_numeric(text: str) -> bool:
    """Whether a text is a number, a date or a code."""
    return _features(text).is_numeric


def likeness(text: str, marked: Iterable[str]) -> float:
    """From 0 to 1: how much a value looks like the most similar of the marked ones."""
    own = _features(text)
    best = 0.0
    for other in map(_features, marked):
        if own.shape == other.shape:
            return 1.0
        shared = len(own.signs & other.signs) / max(len(own.signs | other.signs), 1)
        # Digits are what tells dates, numbers and codes from words.
        digits = own.is_numeric == other.is_numeric
        letters = own.has_letters == other.has_letters
        rest = 0.3 * letters + 0.3 * shared
        if own.is_numeric and other.is_numeric:
            # Codes may lack letters. Titles have any number of words, codes and dates do not.
            rest = 0.15 + 0.15 * letters + 0.3 * shared
            fewer, more = sorted((own.words, other.words))
            rest *= min((fewer + 1) / more, 1.0)
        best = max(best, 0.4 * digits + rest)
    return best

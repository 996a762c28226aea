"""How much values look like marked ones: a column holds values of one kind.

marked 10/31/2023     like 1/2/2024, a little like "2024", not like "Date filed"

Marks in part of a list leave open what else is a record. Of two wrappers that reproduce them, the
better one finds more records like them, which is its *support*:

    marked Ada 36      hlrt finds Ada 36, Bob 41              support 2
                       region finds Ada 36, ..., Eve 29       support 40
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from rowen.model import Page
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.part import shape_of

LONGEST = 200
"""Characters of a value that are looked at."""

NUMERIC = 0.3
"""A value with this share of digits among its letters and digits is a number, a date or a code; a
title with a number in it is not."""

PLAUSIBLE = 0.7
"""A value that looks as much as this like a marked one counts neither for nor against a rule."""

LOOKED_AT = 300
"""Limit: so many records of a page are compared with the marked ones."""

ABSENT = -0.5
"""What a field counts that a record lacks, beside 1 for a value like the marked ones and -1 for one
unlike them."""


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


def support_of(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page] = ()) -> float:
    """The number of records like the marked ones, less those unlike them."""
    marked = _marked_texts(examples)
    seen = [*(example.page for example in examples), *pages]
    return sum(
        _worth(record, marked)
        for page in seen
        for record in islice(wrapper.extract(page), LOOKED_AT)
    )


def _marked_texts(examples: Sequence[Example]) -> Mapping[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for example in examples:
        for record in example.records:
            for name, spans in record.items():
                texts.setdefault(name, []).extend(span.of(example.page.text) for span in spans)
    return {name: values for name, values in texts.items() if values}


def _worth(record: Record, marked: Mapping[str, list[str]]) -> float:
    text, spans = record.page.text, dict(record.items())
    total = 0.0
    for name, values in marked.items():
        where = spans.get(name, ())
        best = max((likeness(span.of(text), values) for span in where), default=None)
        total += ABSENT if best is None else worth(best)
    return total / max(len(marked), 1)

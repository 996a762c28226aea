"""How much values look like marked ones: a column holds values of one kind.

marked 10/31/2023     like 1/2/2024, a little like "2024", not like "Date filed"
"""

from collections.abc import Iterable
from functools import lru_cache

from rowen.wrappers.region.part import shape_of

LONGEST = 200
"""Characters of a value that are looked at."""


@lru_cache(maxsize=4096)
def _features(text: str) -> tuple[str, frozenset[str]]:
    shape = shape_of(text[:LONGEST])
    signs = frozenset("a" if sign in "Aax" else sign for sign in shape)
    return shape, signs


def likeness(text: str, marked: Iterable[str]) -> float:
    """From 0 to 1: how much a value looks like the most similar of the marked ones."""
    shape, signs = _features(text)
    best = 0.0
    for other in marked:
        other_shape, other_signs = _features(other)
        if shape == other_shape:
            return 1.0
        shared = len(signs & other_signs) / max(len(signs | other_signs), 1)
        # Digits are what tells dates, numbers and codes from words.
        digits = ("9" in signs) == ("9" in other_signs)
        letters = ("a" in signs) == ("a" in other_signs)
        best = max(best, 0.4 * digits + 0.3 * letters + 0.3 * shared)
    return best

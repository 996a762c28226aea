"""Searches by halving for the length of a delimiter.

All candidates for a left delimiter are suffixes of one string, all candidates for a right delimiter
prefixes of another, so that a candidate is its length. What is asked of it mostly holds from one
length on, or up to one.
"""

from bisect import bisect_left
from collections.abc import Callable


def least_length(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The least length from `low` to `high` that fits.

    All lengths above one that fits must fit, too; `high` itself is not tried.
    """
    return bisect_left(range(high), x=True, lo=low, key=fits)


def greatest_length(high: int, fits: Callable[[int], bool]) -> int:
    """The greatest length from 0 to `high` that fits, where all below one that fits do; 0 does."""
    return bisect_left(range(high), x=True, key=lambda length: not fits(length + 1))


def common_prefix(prefix: str, text: str, start: int, end: int) -> str:
    """The longest prefix of `prefix` that `text[start:end]` starts with."""
    # Mostly nothing is cut off: values of one field have the same text beside them.
    if text.startswith(prefix, start, end):
        return prefix
    room = min(len(prefix), end - start)
    return prefix[: greatest_length(room, lambda n: text.startswith(prefix[:n], start))]


def common_suffix(suffix: str, text: str, start: int, end: int) -> str:
    """The longest suffix of `suffix` that `text[start:end]` ends with."""
    if text.endswith(suffix, start, end):
        return suffix
    size = len(suffix)
    room = min(size, end - start)
    length = greatest_length(room, lambda n: text.endswith(suffix[size - n :], start, end))
    return suffix[size - length :]

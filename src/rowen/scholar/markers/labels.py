"""What references are called by in the text: a number, or a key as in [Knu84]."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from rowen.scholar.citations.citation import Citation

Labels: TypeAlias = Mapping[str, int]
"""The reference, from 0, that each number or key stands for."""

_NUMBER = re.compile(r"\s*[\[(]?\s*(\d{1,3})(?:\s*[\]).]|\s+(?=[^\W\d_]{2})|(?=[A-Z][a-z]))")
_KEY = re.compile(r"\s*\[([^\W\d_][\w+\-]{1,12}\d{2,4}[a-z]?)\]")


def labels_of(citations: Sequence[Citation]) -> Labels:
    """Keys, or the numbers that the references begin with, or else their places in the list."""
    keys = [_KEY.match(citation.raw) for citation in citations]
    if 2 * sum(map(bool, keys)) > len(keys):
        return {key.group(1).casefold(): i for i, key in enumerate(keys) if key}
    found = [_NUMBER.match(citation.raw) for citation in citations]
    numbers = [int(label.group(1)) if label else None for label in found]
    known = [number for number in numbers if number is not None]
    rising = sum(after > before for before, after in pairwise(known))
    if 2 * len(known) <= len(numbers) or rising < 0.9 * (len(known) - 1):
        return {str(i + 1): i for i in range(len(citations))}
    return {str(number): i for i, number in _completed(numbers)}


def _completed(numbers: Sequence[int | None]) -> list[tuple[int, int]]:
    """Each reference with its number; one that lost it has that after the one before."""
    given = {number for number in numbers if number is not None}
    found: list[tuple[int, int]] = []
    taken: set[int] = set()
    before = 0
    for i, number in enumerate(numbers):
        if number is None and before + 1 not in given:
            number = before + 1  # noqa: PLW2901  # the number that it must have
        if number is not None and number not in taken:
            taken.add(number)
            found.append((i, number))
            before = number
    return found

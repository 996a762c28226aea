"""Labels of references in the text: a number, or a key as in [Knu84]."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from rowen.citations.citation import Citation

Labels: TypeAlias = Mapping[str, int]
"""The index of the reference, from 0, for each number or key."""

_NUMBER = re.compile(r"\s*[\[(]?\s*(\d{1,3})(?:\s*[\]).]|\s+(?=[^\W\d_]{2})|(?=[A-Z][a-z]))")
_KEY = re.compile(r"\s*\[([^\W\d_][\w+\-]{1,12}\d{2,4}[a-z]?)\]")


def labels_of(citations: Sequence[Citation]) -> Labels:
    """The keys or numbers at the start of the references, or else their places in the list."""
    keys = [_KEY.match(citation.raw) for citation in citations]
    if 2 * sum(map(bool, keys)) > len(keys):
        return {key.group(1).casefold(): i for i, key in enumerate(keys) if key}
    matches = [_NUMBER.match(citation.raw) for citation in citations]
    numbers = [int(label.group(1)) if label else None for label in matches]
    printed = [number for number in numbers if number is not None]
    rising = sum(after > before for before, after in pairwise(printed))
    if 2 * len(printed) <= len(numbers) or rising < 0.9 * (len(printed) - 1):
        return {str(i + 1): i for i in range(len(citations))}
    return {str(number): i for i, number in _completed(numbers)}


def _completed(numbers: Sequence[int | None]) -> list[tuple[int, int]]:
    """The number of each reference; where it was lost, the one after the number before."""
    printed = {number for number in numbers if number is not None}
    numbered: list[tuple[int, int]] = []
    taken: set[int] = set()
    before = 0
    for i, number in enumerate(numbers):
        if number is None and before + 1 not in printed:
            number = before + 1  # noqa: PLW2901  # the only number that fits
        if number is not None and number not in taken:
            taken.add(number)
            numbered.append((i, number))
            before = number
    return numbered

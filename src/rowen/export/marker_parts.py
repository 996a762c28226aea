"""The parts of a marker that cites several works, one per work, as GROBID's readers expect them.

    [3, 5-7]                        [3,  5-  (empty)  7]
    (Smith 2004; Doe 2010, 2011)    (Smith 2004;  Doe 2010,  2011)

A part is empty where its work is not printed, as in a range. All parts together are the text.
"""

import re
from collections.abc import Sequence

_RANGE = re.compile(r"(.*?\d\]?\s*[-\u2010-\u2015\u2212]\s*)(\[?\d.*)", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_LONGEST = 5
"""Limit: digits of a reference's number; longer ones are years with letters, or something else."""
_MOST = 1_000
"""Limit: how many works a range may cite."""


def parts_of(text: str, citations: Sequence[int]) -> list[tuple[str, int | None]]:
    """The parts of a marker's text, each with its citation; None if it leads to none.

    >>> parts_of("[3, 5-7]", (2, 4, 5, 6))
    [('[3, ', 2), ('5-', 4), ('', 5), ('7]', 6)]
    """
    if not citations:
        return [(text, None)]
    for separators in (";", ",;"):
        pieces = _divided(text, separators)
        parts = [part for piece in pieces for part in _ranged(piece)]
        if len(pieces) == len(citations):
            parts = pieces
        if len(parts) == len(citations):
            return list(zip(parts, citations, strict=True))
    others = [("", citation) for citation in citations[1:]]
    return [(text, citations[0]), *others]


def _divided(text: str, separators: str) -> list[str]:
    """The text in pieces, each with the separator and the blanks after it."""
    return re.findall(rf"[^{separators}]*[{separators}]\s*|[^{separators}]+$", text)


def _ranged(piece: str) -> list[str]:
    """A range of numbers as its first number, an empty text for each one between, and its last."""
    match = _RANGE.fullmatch(piece)
    if match is None:
        return [piece]
    first, last = (_NUMBER.findall(end) for end in match.groups())
    between = int(last[0]) - int(first[-1]) - 1 if len(last[0]) < _LONGEST else -1
    return [match[1], *[""] * between, match[2]] if 0 <= between < _MOST else [piece]

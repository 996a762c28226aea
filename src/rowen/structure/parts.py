"""Which part of a text is the value: delimiters and shapes that marked values suggest.

text    No. A-14271 (PDF)       marked: A-14271
parts   after "No. ", before " ("; between the first two spaces; the first text of shape "A-9"
"""

import re
from collections.abc import Iterator

from rowen.structure.marks import Mark
from rowen.wrappers.region.part import LONGEST_SHAPE, Part, shape_of
from rowen.wrappers.region.tree import Tree

LONGEST_DELIMITER = 30
DELIMITERS = 8
"""Limits: a delimiter is at most this long, and at most this many are tried for a side."""

_TOKENS = re.compile(r"[^\W_]+|\s+|.", re.DOTALL)


def parts_of(tree: Tree, mark: Mark) -> Iterator[Part]:
    """The parts of its slot, attribute or element that give a marked value, the plainest first."""
    text, value = tree.text, (mark.start, mark.end)
    start, end = mark.bounds(tree)
    if Part().value(text, start, end) == value:
        yield Part()
        return
    before, after = text[start : mark.start], text[mark.end : end]
    lefts = list(_endings(before)) if before.strip() else [None]
    rights = list(_beginnings(after)) if after.strip() else [None]
    for left in lefts:
        for right in rights:
            for last in (False, True) if left else (False,):
                part = Part(left, right, last)
                if part.value(text, start, end) == value:
                    yield part
    shape = shape_of(text[mark.start : mark.end])
    if "9" in shape and len(shape) <= LONGEST_SHAPE:
        by_shape = Part(shape=shape)
        if by_shape.value(text, start, end) == value:
            yield by_shape


def _endings(text: str) -> Iterator[str]:
    """The last tokens of a text, more and more of them, longest first."""
    tokens = _TOKENS.findall(text)
    endings = []
    for count in range(1, min(len(tokens), DELIMITERS) + 1):
        ending = "".join(tokens[-count:])
        if len(ending) > LONGEST_DELIMITER:
            break
        endings.append(ending)
    yield from reversed(endings)


def _beginnings(text: str) -> Iterator[str]:
    tokens = _TOKENS.findall(text)
    beginnings = []
    for count in range(1, min(len(tokens), DELIMITERS) + 1):
        beginning = "".join(tokens[:count])
        if len(beginning) > LONGEST_DELIMITER:
            break
        beginnings.append(beginning)
    yield from reversed(beginnings)

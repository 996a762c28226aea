"""Parts: which part of a text or an attribute is the value.

A part is what is between two delimiters, or the first text of a shape in that. Shapes say how a
value is composed, with one sign for each run of characters of a kind:

    9 digits, A capital letters, a small letters, x both; anything else stands for itself
    "No. A-14271 (2026)"  shape "A-9"  gives "A-14271"

The shape "with a digit" is all of a text that has one, so that "Price" and "sold out" are no
prices.
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rowen.extractors.definition import Definition

LONGEST_SHAPE = 40
"""Limit: shapes are at most this many signs long. Longer ones say nothing about other values."""

WITH_DIGIT = "with a digit"
"""The shape of all texts that have a digit. No text has a shape with these letters."""

WHITE = "\t\n\v\f\r \xa0"
"""White space around values is not part of them."""

_RUNS = re.compile(r"[0-9]+|[^\W\d_]+|\s+|.", re.DOTALL)
_SIGNS = {
    "9": "[0-9]+",
    "A": r"[^\W\d_a-z]+",
    "a": r"[^\W\d_A-Z]+",
    "x": r"[^\W\d_]+",
    " ": r"\s+",
}
_LETTERS = "Aax"
_WITH_DIGIT = r"(?s)[^0-9]{0,200}[0-9].*"
"""The number bounds the time for long texts without a digit."""
_BEFORE = r"(?<![^\W_])(?<![^\W_][-.,:'])"
_AFTER = r"(?![^\W_])(?![.,:][0-9])"
"""A shape is not a piece of a longer code or number: 250.00 of 1,250.00, 7522 of A-7522."""


def shape_of(text: str) -> str:
    """The shape of a text."""
    return "".join(map(_sign, _RUNS.findall(text)))


def _sign(run: str) -> str:
    if run.isspace():
        return " "
    if run.isascii() and run.isdigit():
        return "9"
    if not run.isalpha():
        return run
    return "A" if run.isupper() else "a" if run.islower() else "x"


@dataclass(frozen=True)
class Part:
    """From after `left` to before `right`, without white space around, and of that the first text
    of a `shape`; all of it without any of them. `last` takes the last `left`.
    """

    left: str | None = None
    right: str | None = None
    last: bool = False
    shape: str | None = None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What texts of the shape match."""
        # Neighbouring signs never stand for the same characters, so that there is only one way to
        # match from a place: no backtracking to speak of.
        assert self.shape is not None
        if self.shape == WITH_DIGIT:
            return re.compile(_WITH_DIGIT)
        inner = "".join(_SIGNS.get(sign) or re.escape(sign) for sign in self.shape)
        before = _BEFORE if self.shape[0] in _SIGNS else ""
        after = _AFTER if self.shape[-1] in _SIGNS else ""
        return re.compile(f"{before}{inner}{after}")

    def value(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """The bounds of the value in a stretch of a text, None where there is none."""
        if self.left:
            found = (text.rfind if self.last else text.find)(self.left, start, end)
            if found < 0:
                return None
            start = found + len(self.left)
        if self.right:
            end = text.find(self.right, start, end)
            if end < 0:
                return None
        while start < end and text[start] in WHITE:
            start += 1
        while end > start and text[end - 1] in WHITE:
            end -= 1
        if self.shape is not None:
            match = self.pattern.search(text, start, end)
            return None if match is None else match.span()
        return (start, end) if start < end else None

    def to_dict(self) -> dict[str, Any]:
        """As it is saved: only what differs from all of a text."""
        names = ("left", "right", "last", "shape")
        return {name: value for name in names if (value := getattr(self, name))}

    @classmethod
    def from_saved(cls, saved: Mapping[str, Any], definition: Definition) -> "Part":
        """A saved part."""
        for name, kind in (("left", str), ("right", str), ("last", bool), ("shape", str)):
            if name in saved and type(saved[name]) is not kind:
                raise definition.error(f"a field can't have {name!r}: {saved[name]!r}")
        part = cls(saved.get("left"), saved.get("right"), saved.get("last", False))
        shape = saved.get("shape")
        if shape is None:
            return part
        # From outside: signs side by side that stand for the same characters could take for ever.
        signs = ["x" if sign in _LETTERS else sign for sign in shape]
        doubled = any(a == b and a in _SIGNS for a, b in itertools.pairwise(signs))
        if not shape or len(shape) > LONGEST_SHAPE or doubled:
            raise definition.error(f"not a shape: {shape!r}")
        return cls(part.left, part.right, part.last, shape)

    def describe(self) -> str:
        """In words, after the words for the spot."""
        words = ""
        if self.left:
            words += f", after {'the last ' if self.last else ''}{self.left!r}"
        if self.right:
            words += f", before {self.right!r}"
        if self.shape == WITH_DIGIT:
            words += ", if it has a digit"
        elif self.shape is not None:
            words += f", the first text of the shape {self.shape!r}"
        return words

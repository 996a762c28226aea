r"""The locality of a regular expression, proved from its tree.

**Segments.** An expression that can neither consume nor examine a separator, and asks for no edges
of the page, can't tell a separator from the page's edge (no separator is part of a word, so that
`\b` takes both for the same). So each segment stands for itself. `^` and `$` under `(?m)` take a
newline for an edge, and only a newline.

**Windows.** Let matches have at most `most` characters, and let no attempt to match at a place look
further than `behind` characters to its left and `far` to its right, so that what an attempt gives
depends on that text alone. Whether the attempt is made depends on at most `overlaps` others, each
less than `most` characters to the left of the next (see `overlap`). So all that decides about the
match at s lies from s - behind - overlaps * (most - 1) to s + far. A record's extent is that of all
its fields, those in look-around included: it begins from `begin` to `late` characters after s and
ends from `early` to `until` after it, where all four may be negative. So the scope is
until - begin, and the context must cover late + behind + overlaps * (most - 1) to the left and
far - early to the right. If a match can be empty and another not, `finditer` has rules of its own
for empty ones next to others; then there is no window.

Lengths are those of the longest match that the tree allows, so scope and context may be larger than
they need be, never smaller.
"""

from functools import cached_property
from typing import Final

from rowen.extractors.expression import Node, read
from rowen.extractors.locality import (
    MARKS,
    Either,
    Grain,
    Locality,
    Segments,
    WholePage,
    Window,
)
from rowen.extractors.overlap import most_overlaps
from rowen.extractors.reach import Reach, reach_of

_WIDEST: Final = 2_000
"""Text between tags is preferred to a wider context than this: it is seldom longer."""


class Derivation:
    """What can be proved about an expression; worked out when it is asked for."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def tree(self) -> Node | None:
        """The expression as the engine reads it; None where it is not understood."""
        return read(self._pattern)

    @cached_property
    def reach(self) -> Reach | None:
        """How far it looks; None where it is not understood."""
        return reach_of(self.tree)

    @cached_property
    def locality(self) -> Locality:
        """The first of these that holds: lines, a window, text between tags, other segments."""
        marks = self._marks
        if "\n" in marks:
            return Segments("\n")
        tags = "".join(mark for mark in "<>" if mark in marks)
        if self.window is not None and (self.window.context <= _WIDEST or not tags):
            return self.window
        return Segments(tags or marks) if marks else WholePage()

    @cached_property
    def grain(self) -> Grain:
        """All that holds: a window, and segments between all marks that it never touches."""
        segments = Segments(self._marks) if self._marks else None
        if segments is not None and self.window is not None:
            return Either((segments, self.window))
        return segments or self.window or WholePage()

    @cached_property
    def window(self) -> Window | None:
        """The window, if it is bounded and its matches don't hang together without end."""
        reach = self.reach
        if reach is None or reach.fields is None or not reach.bounded:
            return None
        if reach.most and not reach.least:
            return None
        assert self.tree is not None
        overlaps = most_overlaps(self.tree)
        if overlaps is None:
            return None
        fields = reach.fields.bounds()
        left = fields.late + reach.behind + overlaps * max(reach.most - 1, 0)
        right = reach.far - fields.early
        return Window(max(fields.until - fields.begin, 0), max(left, right, 0))

    @cached_property
    def _marks(self) -> str:
        """Separators that look like the page's edge to the expression."""
        reach = self.reach
        if reach is None or reach.edges:
            return ""
        marks = "\n" if reach.lines else MARKS
        return "".join(mark for mark in marks if not reach.touched & 1 << ord(mark))

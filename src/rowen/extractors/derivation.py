r"""The locality of a regular expression, proved from its tree.

**Segments.** An expression that can neither consume nor examine a separator, and does not ask for
the page's edges, can't distinguish a separator from the page's edge (no separator is part of a
word, so `\b` treats both alike). So each segment can be matched by itself. Under `(?m)`, `^` and
`$` treat a newline as an edge, and only a newline.

**Windows.** Let matches have at most `most` characters, and let no attempt to match at a place look
further than `behind` characters to its left and `far` to its right. Then the result of an attempt
depends on that text alone. Whether the attempt is made depends on at most `overlaps` others, each
less than `most` characters to the left of the next (see `overlap`). So everything that determines
the match at s lies from s - behind - overlaps * (most - 1) to s + far. A record's extent covers all
of its fields, those in look-around included: it begins `begin` to `late` characters after s and
ends `early` to `until` characters after s, where all four may be negative. So the scope is
until - begin, and the context must cover late + behind + overlaps * (most - 1) to the left and
far - early to the right. If some matches can be empty and others not, `finditer` has special rules
for empty matches next to others; then no window is derived.

    CS (?P<room>\d{3})(?!\d)    matches have 6 characters, the field is at 3 to 6 of them
    most 6, behind 0, far 7     look-ahead examines one character after the match
    begin = late = 3            early = until = 6
    overlaps 0                  no match can begin inside another: it has a "C" at its start only
    scope 6 - 3 = 3             context max(3 + 0 + 0, 7 - 6) = 3

Lengths are those of the longest match that the tree allows, so scope and context may be larger than
necessary, never smaller.
"""

from functools import cached_property
from typing import Final

from rowen.extractors.expression import Node, read
from rowen.extractors.locality import (
    MARKS,
    Either,
    Grain,
    Locality,
    Scan,
    Segments,
    WholePage,
    Window,
)
from rowen.extractors.overlap import most_overlaps
from rowen.extractors.reach import Reach, reach_of
from rowen.extractors.scan import derive_scan

_WIDEST: Final = 2_000
"""Segments between tags are preferred to a wider context than this: they are seldom longer."""


_WIDE: Final = 200
"""With a wider context than this, a window leaves more to extract than a scan, if it has one."""


class Derivation:
    """What can be proved about an expression; computed on demand."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def tree(self) -> Node | None:
        """The expression as the engine reads it; None if it has unknown parts."""
        return read(self._pattern)

    @cached_property
    def reach(self) -> Reach | None:
        """How far it looks; None if it has unknown parts."""
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
        """All that holds: segments between all marks it never touches, a window, or a scan."""
        options: list[Segments | Window | Scan] = [Segments(self._marks)] if self._marks else []
        if self.window is not None:
            options.append(self.window)
        # A narrow window needs no search for places where scans meet. Lines may be half a page
        # long, and so may be the text between other marks; parts of lines seldom are.
        parts_of_lines = "\n" in self._marks and len(self._marks) > 1
        if not parts_of_lines and (self.window is None or self.window.context > _WIDE):
            scan = derive_scan(self._pattern, self.tree, self.reach)
            options += [scan] if scan is not None else []
        if len(options) == 1:
            return options[0]
        return Either(tuple(options)) if options else WholePage()

    @cached_property
    def window(self) -> Window | None:
        """The window, if the reach is bounded and chains of overlapping matches are, too."""
        reach = self.reach
        if reach is None or reach.fields is None or not reach.bounded:
            return None
        if reach.most and not reach.least:
            return None  # empty matches beside others: see the module's docstring
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
        """Separators that the expression can't distinguish from the page's edge."""
        reach = self.reach
        if reach is None or reach.edges:
            return ""
        # With ^ and $ of lines, other separators differ from an edge: `^` matches after no comma.
        marks = "\n" if reach.lines else MARKS
        return "".join(mark for mark in marks if not reach.touched & 1 << ord(mark))

"""The pages of a table in one text, and the classes of their substrings.

What separates records falls into regions: each page has a head, gaps between records, and a tail.
Where a head, tail, opening or closing delimiter starts in these regions decides all that it does.
The substrings that start at the same places are one class, and there are linearly many classes: one
per node of the suffix tree, which is kept as a suffix array.

    <p><b>Ada</b><b>Alan</b><hr>       field name

    regions   head "<p><b>", gap "</b><b>", tail "</b><hr>"
    classes   "/", "/b", "/b>" start at the same two places, in gap and tail: one class
              "<h", "<hr", "<hr>" start in the tail alone: a candidate for a tail delimiter

This is ours: the thesis tries all substrings (4.5).
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import first_after, last_starts, substring_classes, suffix_order
from rowen.induction import budget
from rowen.induction.tabular.table import Table

SEARCHED_CHARACTERS = 20_000_000
"""Limit: how many characters of examples the tabular classes search for heads, tails, openings and
closings; 12 million took 7 seconds and 0.6 GB. Delimiters that are easy to see, and class LR,
don't need the search."""


Numbers: TypeAlias = NDArray[np.int32]

NEVER = np.iinfo(np.int32).max
SENTINEL = 0x110000
"""The first code that is no character: each page ends with one of its own, so that no substring
reaches over the end of a page."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the pool, of page number `page`."""

    page: int
    start: int
    end: int


class Pool:
    """The pages of a table as codes, their regions, and their suffixes in order."""

    def __init__(self, table: Table) -> None:
        size = sum(len(page.text) for page in table.pages)
        # The suffix array takes some fifty bytes per character: a limit on memory as well as on
        # time.
        if size > SEARCHED_CHARACTERS:
            raise budget.cut_short(
                f"none is easy to see, and {size} characters of examples are too many to search "
                f"(at most {SEARCHED_CHARACTERS})"
            )
        budget.check()
        self.table = table
        self.heads: list[Region] = []
        self.gaps: list[Region] = []
        self.tails: list[Region] = []
        """Only where it is known: not of partial pages, nor where the last value is unknown."""
        self.open_tails: list[Region] = []
        """What follows the last known value of other pages; of partial ones only without better."""
        self.empty: list[Region] = []
        """Whole pages, of those without records."""
        texts: list[str] = []
        self.bases: list[int] = []
        base = 0
        for number, page in enumerate(table.pages):
            self.bases.append(base)
            self._add_regions(number, base)
            texts.append(page.text)
            base += len(page.text) + 1
        # Of a page on which only the last value is unknown, the tail is somewhere in the text after
        # it. A partial page may go on with records there.
        whole = [region for region in self.open_tails if not table.pages[region.page].partial]
        self.open_tails = whole or self.open_tails
        # One text for `find`, with a character between pages; the codes have a sentinel of its own
        # there.
        self.text = "\0".join(texts) + "\0"
        # Half a surrogate pair is a character of its own here, as in Python's strings.
        self.codes = np.frombuffer(
            self.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32
        ).copy()
        ends = np.array([*self.bases[1:], base], dtype=np.int32) - 1
        self.codes[ends] = SENTINEL + np.arange(len(ends), dtype=np.uint32)
        in_region = np.zeros(len(self.codes), dtype=np.uint8)
        for region in self.regions():
            in_region[region.start : region.end] = 1
        self.starts, self.shared = suffix_order(self.codes, in_region)
        self._region_of = self._number_regions()
        pages = np.array([region.page for region in self.regions()], dtype=np.int32)
        self.ends: Numbers = ends[pages][self._region_of]

    def regions(self) -> list[Region]:
        """All of them."""
        return [*self.heads, *self.gaps, *self.tails, *self.open_tails, *self.empty]

    def groups(self, regions: list[Region]) -> Numbers:
        """For each suffix, which of these regions it starts in, or -1."""
        return self._spread(np.arange(len(regions), dtype=np.int32), regions)

    def distances(self, regions: list[Region]) -> Numbers:
        """For each suffix that starts in one of these regions, how far it is to the end; or -1."""
        ends = np.array([region.end for region in regions], dtype=np.int32)
        spread = self._spread(ends, regions)
        return np.where(spread < 0, np.int32(-1), spread - self.starts)

    def classes(self, regions: list[Region], *weights: Numbers) -> "Classes":
        """The classes of strings that start in all of these regions."""
        columns = substring_classes(
            self.starts,
            self.shared,
            self.ends,
            self.groups(regions),
            len(regions),
            np.concatenate(weights) if weights else np.empty(0, dtype=np.int32),
        )
        rows = len(columns[0])
        first = columns[4].reshape(rows, len(regions))
        return Classes(*columns[:4], first, columns[5].reshape(rows, len(weights)))

    def first_after(self, classes: "Classes", groups: Numbers, limits: Numbers) -> Numbers:
        """For each class and group, the first start at or after the group's limit, or NEVER."""
        starts = first_after(self.starts, groups, classes.start, classes.end, limits)
        return starts.reshape(len(classes.start), len(limits))

    def places(self, classes: "Classes", row: int) -> Numbers:
        """Where the strings of one class start, in order."""
        return np.sort(self.starts[classes.start[row] : classes.end[row]])

    def last_starts(self, region: Region, longest: int) -> Numbers:
        """For each length up to `longest`: the last start of the region's suffix before its own."""
        return last_starts(self.codes, region.start, region.end, longest)

    def _number_regions(self) -> Numbers:
        """For each suffix the number of its region: the only look-up in the order of the text."""
        numbers = np.empty(len(self.codes), dtype=np.int32)
        for number, region in enumerate(self.regions()):
            numbers[region.start : region.end] = number
        return numbers[self.starts]

    def _spread(self, values: Numbers, regions: list[Region]) -> Numbers:
        """For each suffix the value of its region, or -1 where it is none of these."""
        by_region = dict(zip(regions, values.tolist(), strict=True))
        table = [by_region.get(region, -1) for region in self.regions()]
        return np.array(table, dtype=np.int32)[self._region_of]

    def _add_regions(self, number: int, base: int) -> None:
        page = self.table.pages[number]
        size = len(page.text)
        if not page.rows:
            if not page.partial:
                self.empty.append(Region(number, base, base + size))
            return
        first = page.rows[0][0]
        if first is not None:
            self.heads.append(Region(number, base, base + first[0]))
        for row, following in pairwise(page.rows):
            last, first = row[-1], following[0]
            if last is not None and first is not None:
                self.gaps.append(Region(number, base + last[1], base + first[0]))
        tail = Region(number, base + page.known_end, base + size)
        # Where the last value is unknown, so is the place where the tail starts.
        is_open = page.partial or page.rows[-1][-1] is None
        (self.open_tails if is_open else self.tails).append(tail)


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of strings: where they start, and how long they are."""

    start: Numbers
    end: Numbers
    shortest: Numbers
    longest: Numbers
    first: Numbers
    """The first start in each region that was asked for."""
    heaviest: Numbers
    """The largest of each weight over all starts."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, rows: NDArray[np.bool_] | NDArray[np.intp] | Numbers) -> "Classes":
        return Classes(
            self.start[rows],
            self.end[rows],
            self.shortest[rows],
            self.longest[rows],
            self.first[rows],
            self.heaviest[rows],
        )

"""Candidates for the delimiters around records where values are unknown.

Where the first value is unknown, the head ends somewhere before the first known one, and where the
last is unknown, the tail starts somewhere after the last known one. The strings that lie in all of
these fall into classes that start at the same places of all pages; the shortest represents each.

    <p><b>Ada</b> (12)<hr>       {name: unknown, phone: 12}

    head   in "<p><b>Ada</b> (", for its end is unknown: "<p", "p", "A", ...
    tail   in ")<hr>": ")", "<h", "h", ...
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rowen.induction.budget import check
from rowen.induction.tabular.pool import NEVER, Classes, Numbers, Pool, Region
from rowen.induction.tabular.preference import best_string, rank_classes
from rowen.induction.tabular.table import Table, TablePage

AT_ONCE = 10_000
"""So many strings are ranked between two looks at the time: a long page has a million."""


class _WholePool(Pool):
    """All text of the pages, with regions chosen later than the suffix array is built."""

    def groups(self, regions: list[Region]) -> Numbers:
        # Regions may overlap those of another call, unlike the fixed ones of `Pool`.
        numbers = np.full(len(self.codes), -1, dtype=np.int32)
        for number, region in enumerate(regions):
            numbers[region.start : region.end] = number
        return np.asarray(numbers[self.starts])

    def _add_regions(self, number: int, base: int) -> None:
        self.empty.append(Region(number, base, base + len(self.table.pages[number].text)))


class Boundaries:
    """The candidates for each delimiter, the best first."""

    def __init__(self, table: Table) -> None:
        self._pool = _WholePool(table)
        self._represented: dict[str, tuple[int, int, int]] = {}
        self._before: list[Region] = []
        self._after: list[Region] = []
        self._partly: list[Region] = []
        self._between: list[Region] = []
        self._empty: list[Region] = []
        for page, whole in zip(table.pages, self._pool.regions(), strict=True):
            if not page.rows:
                if not page.partial:
                    self._empty.append(whole)
                continue
            # The head reaches up to the first known value at most.
            self._before.append(Region(whole.page, whole.start, whole.start + page.known_start))
            after = Region(whole.page, whole.start + page.known_end, whole.end)
            (self._partly if page.partial else self._after).append(after)
            self._between.extend(_gap(page, whole))

    def best(self, text: str) -> str:
        """The preferred string of the class that `text` represents."""
        return best_string(self._pool, *self._represented[text]) if text else ""

    def heads(self) -> tuple[str, ...]:
        """Candidates for the head: strings before the first record, and the empty one."""
        return (*self._lying([*self._before, *self._empty]), "")

    def tails(self, *, everywhere: bool) -> tuple[str, ...]:
        """Candidates for the tail; with `everywhere` they must occur on partial pages, too.

        Where all pages are partial, the last ones are the safest.
        """
        regions = [*self._after, *self._empty]
        regions += self._partly if everywhere or not regions else []
        return self._starting(regions, backwards=not self._after)

    def opens(self) -> tuple[str, ...]:
        """Candidates for the opening delimiter."""
        return self._lying(self._before)

    def closes(self) -> tuple[str, ...]:
        """Candidates for the closing delimiter: the empty string, and strings after a record."""
        # Without any page whose end is known, the gap after the first record must do.
        return ("", *self._starting(self._after or self._between[:1], backwards=False))

    def _lying(self, regions: list[Region]) -> tuple[str, ...]:
        """Strings that lie in all regions, those near to their ends first."""
        if not regions:
            return ()
        classes = self._pool.classes(regions)
        ends = np.array([region.end for region in regions], dtype=np.int32)
        room = (ends - classes.first).min(axis=1, initial=NEVER)
        fits = classes.shortest <= room
        classes, longest = classes[fits], np.minimum(classes.longest, room)[fits].astype(np.int32)
        distance = (ends - classes.first).max(axis=1, initial=0)
        return self._strings(replace(classes, longest=longest), distance.astype(np.int32))

    def _starting(self, regions: list[Region], *, backwards: bool) -> tuple[str, ...]:
        """Strings that start in all regions, those near to their starts first, or to their ends."""
        if not regions:
            return ()
        classes = self._pool.classes(regions)
        begins = np.array([region.start for region in regions], dtype=np.int32)
        distance = (classes.first - begins).max(axis=1, initial=0)
        return self._strings(classes, (-distance if backwards else distance).astype(np.int32))

    def _strings(self, classes: Classes, distance: Numbers) -> tuple[str, ...]:
        strings = []
        for number, row in enumerate(rank_classes(self._pool, classes, classes.longest, distance)):
            if number % AT_ONCE == 0:
                check()
            start, length = int(classes.first[row, 0]), int(classes.shortest[row])
            text = self._pool.text[start : start + length]
            # The same string may represent a class in several roles: it must fit all of them.
            longest = min(int(classes.longest[row]), self._represented.get(text, (0, 0, NEVER))[2])
            self._represented[text] = start, length, longest
            strings.append(text)
        return tuple(strings)


def _gap(page: TablePage, whole: Region) -> Iterator[Region]:
    """The text between the first record and the second, if there are two."""
    if len(page.rows) > 1:
        ends = [bounds[1] for bounds in page.rows[0] if bounds]
        starts = [bounds[0] for row in page.rows[1:] for bounds in row if bounds]
        start, end = max(ends, default=0), min(starts, default=len(page.text))
        yield Region(whole.page, whole.start + start, whole.start + end)

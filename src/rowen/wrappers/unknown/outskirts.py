"""What may stand around the records of pages of which values are unknown.

Where the first value is unknown, the head ends somewhere before the first known one, and where the
last is unknown, the tail starts somewhere after the last known one. The strings that lie in all of
these fall into classes that start at the same places of all pages: the shortest stands for each.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rowen.wrappers.tabular.pool import NEVER, Classes, Numbers, Pool, Region
from rowen.wrappers.tabular.preference import best_string, rank_classes
from rowen.wrappers.tabular.table import Table, TablePage


class _WholePool(Pool):
    """All text of the pages, of which regions may be cut as needed."""

    def groups(self, regions: list[Region]) -> Numbers:
        numbers = np.full(len(self.codes), -1, dtype=np.int32)
        for number, region in enumerate(regions):
            numbers[region.start : region.end] = number
        return np.asarray(numbers[self.starts])

    def _add_regions(self, number: int, base: int) -> None:
        self.empty.append(Region(number, base, base + len(self.table.pages[number].text)))


class Outskirts:
    """The strings to choose from, the best first."""

    def __init__(self, table: Table) -> None:
        self._pool = _WholePool(table)
        self._whole: dict[str, tuple[int, int, int]] = {}
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
            self._before.append(Region(whole.page, whole.start, whole.start + page.known_start))
            rest = Region(whole.page, whole.start + page.known_end, whole.end)
            (self._partly if page.partial else self._after).append(rest)
            self._between.extend(_gap(page, whole))

    def best(self, text: str) -> str:
        """The string to take in place of one that stands for its class."""
        return best_string(self._pool, *self._whole[text]) if text else ""

    def heads(self) -> tuple[str, ...]:
        """What may lead to the first record: strings before it, and none."""
        return (*self._lying([*self._before, *self._empty]), "")

    def tails(self, *, everywhere: bool) -> tuple[str, ...]:
        """What may end the records; `everywhere` if it stands on partial pages, too.

        Where all pages are partial, the last ones are the safest.
        """
        regions = [*self._after, *self._empty]
        regions += self._partly if everywhere or not regions else []
        return self._starting(regions, backwards=not self._after)

    def opens(self) -> tuple[str, ...]:
        """What may open a record."""
        return self._lying(self._before)

    def closes(self) -> tuple[str, ...]:
        """What may close a record: nothing, or strings after the last, or else the first."""
        return ("", *self._starting(self._after or self._between[:1], backwards=False))

    def _lying(self, regions: list[Region]) -> tuple[str, ...]:
        """Strings that lie in all regions, those near to their ends first."""
        if not regions:
            return ()
        found = self._pool.classes(regions)
        ends = np.array([region.end for region in regions], dtype=np.int32)
        room = (ends - found.first).min(axis=1, initial=NEVER)
        fits = found.shortest <= room
        found, longest = found[fits], np.minimum(found.longest, room)[fits].astype(np.int32)
        distance = (ends - found.first).max(axis=1, initial=0)
        return self._strings(replace(found, longest=longest), distance.astype(np.int32))

    def _starting(self, regions: list[Region], *, backwards: bool) -> tuple[str, ...]:
        """Strings that start in all regions, those near to their starts first, or to their ends."""
        if not regions:
            return ()
        found = self._pool.classes(regions)
        begins = np.array([region.start for region in regions], dtype=np.int32)
        distance = (found.first - begins).max(axis=1, initial=0)
        return self._strings(found, (-distance if backwards else distance).astype(np.int32))

    def _strings(self, classes: Classes, distance: Numbers) -> tuple[str, ...]:
        found = []
        for row in rank_classes(self._pool, classes, classes.longest, distance):
            start, length = int(classes.first[row, 0]), int(classes.shortest[row])
            text = self._pool.text[start : start + length]
            longest = min(int(classes.longest[row]), self._whole.get(text, (0, 0, NEVER))[2])
            self._whole[text] = start, length, longest
            found.append(text)
        return tuple(found)


def _gap(page: TablePage, whole: Region) -> Iterator[Region]:
    """Where the first record ends and the second starts, if there are two."""
    if len(page.rows) > 1:
        ends = [bounds[1] for bounds in page.rows[0] if bounds]
        starts = [bounds[0] for row in page.rows[1:] for bounds in row if bounds]
        start, end = max(ends, default=0), min(starts, default=len(page.text))
        yield Region(whole.page, whole.start + start, whole.start + end)

"""What may stand around the records of pages of which values are unknown.

Where the first value is unknown, the head ends somewhere before the first known one, and where the
last is unknown, the tail starts somewhere after the last known one. The strings that lie in all of
these fall into classes that start at the same places of all pages: one of each stands for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rowen.wrappers.tabular.pool import Classes, Numbers, Pool, Region
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

    def heads(self) -> tuple[str, ...]:
        """What may lead to the first record: strings before it, and none."""
        return (*_heads(self._pool, [*self._before, *self._empty]), "")

    def tails(self, *, everywhere: bool) -> tuple[str, ...]:
        """What may end the records; `everywhere` if it stands on partial pages, too.

        Where all pages are partial, the last ones are the safest.
        """
        regions = [*self._after, *self._empty]
        regions += self._partly if everywhere or not regions else []
        return _tails(self._pool, regions, backwards=not self._after)

    def opens(self) -> tuple[str, ...]:
        """What may open a record."""
        return _heads(self._pool, self._before)

    def closes(self) -> tuple[str, ...]:
        """What may close a record: nothing, or strings after the last, or else the first."""
        return ("", *_tails(self._pool, self._after or self._between[:1], backwards=False))


def _gap(page: TablePage, whole: Region) -> Iterator[Region]:
    """Where the first record ends and the second starts, if there are two."""
    if len(page.rows) > 1:
        ends = [bounds[1] for bounds in page.rows[0] if bounds]
        starts = [bounds[0] for row in page.rows[1:] for bounds in row if bounds]
        start, end = max(ends, default=0), min(starts, default=len(page.text))
        yield Region(whole.page, whole.start + start, whole.start + end)


def _heads(pool: Pool, regions: list[Region]) -> tuple[str, ...]:
    """Strings that lie in all regions, those near to their ends first."""
    if not regions:
        return ()
    found = pool.classes(regions)
    room = (_ends(regions) - found.first).min(axis=1) if len(found) else found.shortest
    fits = found.shortest <= room
    found, longest = found[fits], np.minimum(found.longest, room)[fits].astype(np.int32)
    distance = (_ends(regions) - found.first).max(axis=1, initial=0)
    return _strings(pool, replace(found, longest=longest), distance.astype(np.int32))


def _tails(pool: Pool, regions: list[Region], *, backwards: bool) -> tuple[str, ...]:
    """Strings that start in all regions, those near to their starts first, or to their ends."""
    if not regions:
        return ()
    found = pool.classes(regions)
    begins = np.array([region.start for region in regions], dtype=np.int32)
    distance = (found.first - begins).max(axis=1, initial=0)
    return _strings(pool, found, (-distance if backwards else distance).astype(np.int32))


def _strings(pool: Pool, classes: Classes, distance: Numbers) -> tuple[str, ...]:
    order: NDArray[np.intp] = rank_classes(pool, classes, classes.longest, distance)
    return tuple(
        best_string(
            pool,
            int(classes.first[row, 0]),
            int(classes.shortest[row]),
            int(classes.longest[row]),
        )
        for row in order
    )


def _ends(regions: Sequence[Region]) -> Numbers:
    return np.array([region.end for region in regions], dtype=np.int32)

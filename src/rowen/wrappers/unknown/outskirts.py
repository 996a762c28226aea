"""What may stand around the records of pages of which values are unknown.

Where the first value is unknown, the head ends somewhere before the first known one, and where the
last is unknown, the tail starts somewhere after the last known one. The strings that lie in all of
these fall into classes that start at the same places of all pages: one of each stands for it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rowen.wrappers.tabular.pool import Classes, Numbers, Pool, Region
from rowen.wrappers.tabular.preference import best_string, rank_classes
from rowen.wrappers.tabular.table import Table, TablePage


@dataclass(frozen=True, slots=True)
class Outskirts:
    """The strings to choose from, the best first."""

    heads: tuple[str, ...]
    tails: tuple[str, ...]
    opens: tuple[str, ...]
    closes: tuple[str, ...]


class _WholePool(Pool):
    """All text of the pages, of which regions may be cut as needed."""

    def groups(self, regions: list[Region]) -> Numbers:
        numbers = np.full(len(self.codes), -1, dtype=np.int32)
        for number, region in enumerate(regions):
            numbers[region.start : region.end] = number
        return np.asarray(numbers[self.starts])

    def _add_regions(self, number: int, base: int) -> None:
        self.empty.append(Region(number, base, base + len(self.table.pages[number].text)))


def outskirts(table: Table) -> Outskirts:
    """What may stand around the records of these pages."""
    pool = _WholePool(table)
    before: list[Region] = []
    after: list[Region] = []
    empty: list[Region] = []
    partly: list[Region] = []
    between: list[Region] = []
    for page, whole in zip(table.pages, pool.regions(), strict=True):
        if not page.rows:
            if not page.partial:
                empty.append(whole)
            continue
        before.append(Region(whole.page, whole.start, whole.start + page.known_start))
        rest = Region(whole.page, whole.start + page.known_end, whole.end)
        (partly if page.partial else after).append(rest)
        between.extend(_gap(page, whole))
    return Outskirts(
        ("", *_heads(pool, [*before, *empty])),
        _tails(pool, [*after, *empty] or partly, backwards=not after),
        _heads(pool, before),
        ("", *_tails(pool, after or between[:1], backwards=False)),
    )


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

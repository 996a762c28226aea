"""What became of each page between two snapshots, by digests, before anything is matched.

old snapshot   a: "one"   b: "two"   c: "three"
new snapshot   a: "one"   b: "2"     d: "three"   e: "five"
fates          unchanged  changed    renamed (c)  new
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from rowen.storage.snapshots.pages import Index


class Fate(IntEnum):
    """How a page of the new snapshot relates to the old one."""

    UNCHANGED = 0
    CHANGED = 1
    RENAMED = 2
    """The text of a page that vanished, unchanged, under another id."""
    MOVED = 3
    """Much of the text of a page that vanished, under another id."""
    NEW = 4


@dataclass(frozen=True, slots=True)
class Changes:
    """For each new page its fate and its old page's number, or -1; the old pages that are gone."""

    fates: NDArray[np.int8]
    origins: NDArray[np.int64]
    gone: NDArray[np.int64]

    def count(self, *fates: Fate) -> int:
        """How many pages have one of these fates."""
        return int(np.isin(self.fates, fates).sum())


def compare(old: Index | None, new: Index) -> Changes:
    """Pair pages with the same id, then pages with the same text."""
    fates = np.full(new.count, Fate.NEW, np.int8)
    origins = np.full(new.count, -1, np.int64)
    if old is None:
        return Changes(fates, origins, np.empty(0, np.int64))
    numbers = {key: number for number, key in enumerate(old.keys.tolist())}
    for number, page_id in enumerate(new.keys.tolist()):
        origins[number] = numbers.pop(page_id, -1)
    has_old = origins >= 0
    # An origin of -1 reads some row here; `has_old` leaves those pages out below.
    same = old.digests[origins] == new.digests if old.count else np.zeros(new.count, np.bool_)
    fates[has_old] = np.where(same[has_old], Fate.UNCHANGED, Fate.CHANGED)
    # Each vanished page goes to one new page at most, the first one first, whatever the order of
    # ids.
    gone: dict[bytes, list[int]] = {}
    for number in sorted(numbers.values(), reverse=True):
        gone.setdefault(old.digests[number].tobytes(), []).append(number)
    for number in np.flatnonzero(~has_old).tolist():
        waiting = gone.get(new.digests[number].tobytes())
        if waiting:
            origins[number] = waiting.pop()
            fates[number] = Fate.RENAMED
    left = sorted(number for waiting in gone.values() for number in waiting)
    return Changes(fates, origins, np.array(left, np.int64))

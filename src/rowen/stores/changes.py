"""What became of the pages between two snapshots, told by digests before anything is matched."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from rowen.stores.pages import Index


class Fate(IntEnum):
    """How a page of the new snapshot relates to the old one."""

    UNCHANGED = 0
    CHANGED = 1
    RENAMED = 2
    """The text of a page that vanished, under another id: unchanged but for that."""
    MOVED = 3
    """Much of the text of a page that vanished, under another id."""
    NEW = 4


@dataclass(frozen=True, slots=True)
class Changes:
    """For each new page its fate and its old page's number, -1 where it has none; who is gone."""

    fates: NDArray[np.int8]
    origins: NDArray[np.int64]
    gone: NDArray[np.int64]

    def count(self, *fates: Fate) -> int:
        """How many pages have one of these fates."""
        return int(np.isin(self.fates, fates).sum())


def compare(old: Index | None, new: Index) -> Changes:
    """Pages with the same id belong together; then those with the same text."""
    fates = np.full(new.count, Fate.NEW, np.int8)
    origins = np.full(new.count, -1, np.int64)
    if old is None:
        return Changes(fates, origins, np.empty(0, np.int64))
    numbers = {one: number for number, one in enumerate(old.keys.tolist())}
    for number, page_id in enumerate(new.keys.tolist()):
        origins[number] = numbers.pop(page_id, -1)
    known = origins >= 0
    same = old.digests[origins] == new.digests if old.count else np.zeros(new.count, np.bool_)
    fates[known] = np.where(same[known], Fate.UNCHANGED, Fate.CHANGED)
    gone: dict[bytes, list[int]] = {}
    for number in sorted(numbers.values(), reverse=True):
        gone.setdefault(old.digests[number].tobytes(), []).append(number)
    for number in np.flatnonzero(~known).tolist():
        waiting = gone.get(new.digests[number].tobytes())
        if waiting:
            origins[number] = waiting.pop()
            fates[number] = Fate.RENAMED
    left = sorted(number for waiting in gone.values() for number in waiting)
    return Changes(fates, origins, np.array(left, np.int64))

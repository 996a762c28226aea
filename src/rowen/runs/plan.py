"""A run's plan: which matcher for which extractor, from a sample of the changed pages."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.locality import WholePage
from rowen.limits import PLAN_SAMPLE
from rowen.reuse.cost import CANDIDATES, Choice, Rates, choose, fixed
from rowen.reuse.match import match_regions
from rowen.reuse.regions import reuse, useful_length
from rowen.stores.changes import Changes, Fate
from rowen.stores.pages import Index, Pages
from rowen.stores.place import Place

_SAMPLED_PAGE = 2e-3
"""About how many seconds a page of a sample takes, ..."""

_SAMPLED_CHARACTER = 3e-8
"""... and how many more each of its characters does."""

_SAMPLED_SHARE = 0.04
"""So much of what is at stake may go into a sample."""

_KNOWN = 4
"""A sample is so many times smaller where earlier runs had one."""

_PARTITIONS_OPEN = 16
"""How many partitions are open at once, each with the files of its texts."""


class Pair(NamedTuple):
    """Where a changed page is, and where its old text is."""

    page: int
    origin: int


def make_plan(
    extractors: Sequence[Extractor],
    matcher: str,
    rates: Rates,
    changes: Changes,
    *,
    texts: "Texts",
) -> dict[str, Choice]:
    """How each extractor works on changed pages; the rates learn from the sample."""
    changed = np.flatnonzero(np.isin(changes.fates, (Fate.CHANGED, Fate.MOVED)))
    sizes = texts.sizes[changed]
    local = [one for one in extractors if not isinstance(grain_of(one), WholePage)]
    names = [one.name for one in local]
    plan = {one.name: Choice("none", 0, {}) for one in extractors}
    if not len(changed) or not local:
        return plan
    if matcher == "auto":
        stake = float(sizes.sum()) * sum(rates.extraction.get(name, 0.0) for name in names)
        less = _KNOWN if all(name in rates.shares for name in names) else 1
        sample = _spread(sizes, min(PLAN_SAMPLE // less, len(changed)))
        cost = np.cumsum(_SAMPLED_PAGE + _SAMPLED_CHARACTER * sizes[sample])
        sample = sample[cost <= _SAMPLED_SHARE / less * stake]
        if len(sample):
            _sample(local, rates, changed[sample], changes, texts)
        plan.update(choose(names, sizes, rates))
    else:
        plan.update(fixed(matcher, names, sizes, rates))
    return plan


def _spread(sizes: NDArray[np.int64], count: int) -> NDArray[np.intp]:
    """Pages of all sizes, large ones more often, for they decide; the smallest first."""
    order = np.argsort(sizes, kind="stable")
    total = np.cumsum(sizes[order] + 1)
    marks = (np.arange(count) + 0.5) / count * total[-1]
    places: NDArray[np.intp] = np.unique(np.searchsorted(total, marks))
    return order[places]


def _sample(
    extractors: Sequence[Extractor],
    rates: Rates,
    pages: NDArray[np.intp],
    changes: Changes,
    texts: "Texts",
) -> None:
    """Match some pages by every matcher, and see what would be left to extract."""
    seconds = dict.fromkeys(CANDIDATES, 0.0)
    left: dict[str, dict[str, int]] = {one.name: dict.fromkeys(CANDIDATES, 0) for one in extractors}
    size = 0
    length = min(useful_length(grain_of(one)) for one in extractors)
    for page in pages.tolist():
        old, new = texts.pair(page, int(changes.origins[page]))
        size += len(new)
        for matcher in CANDIDATES:
            begin = time.thread_time()  # other processes are no reason for another plan
            regions = match_regions(old, new, matcher, length)
            seconds[matcher] += time.thread_time() - begin
            for one in extractors:
                sparing = rates.sparing(one.name)
                gaps = reuse(grain_of(one), regions, old, new, sparing=sparing).gaps
                left[one.name][matcher] += int(np.sum(gaps[:, 1] - gaps[:, 0]))
    if size:
        rates.matching.update({matcher: spent / size for matcher, spent in seconds.items()})
        for name, own in left.items():
            rates.shares[name] = {matcher: count / size for matcher, count in own.items()}


class Texts:
    """The texts of pages of two snapshots, by their numbers there."""

    def __init__(
        self,
        place: Place,
        old: tuple[str, Index],
        new: tuple[str, Index],
        fresh: Sequence[Mapping[int, str]] = (),
    ) -> None:
        """`fresh` has texts of the new snapshot that need not be read, by partition and row."""
        self._place = place
        self._old = old
        self._new = new
        self._fresh = fresh
        self._pages = lru_cache(_PARTITIONS_OPEN)(self._open)

    def _open(self, folder: str, partition: int) -> Pages:
        fresh = self._fresh[partition] if self._fresh and folder == self._new[0] else {}
        return Pages(self._place, folder, partition, fresh)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How long each page of the new snapshot is."""
        return self._new[1].sizes

    def pair(self, page: int, origin: int) -> tuple[str, str]:
        """The old text and the new one."""
        return self.old(origin), self.new(page)

    def old(self, number: int) -> str:
        """The text of a page of the old snapshot."""
        return self._text(*self._old, number)

    def new(self, number: int) -> str:
        """The text of a page of the new snapshot."""
        return self._text(*self._new, number)

    def of_old(self, numbers: NDArray[np.int64], function: Callable[[str], int]) -> list[int]:
        """A function of the text of many pages of the old snapshot."""
        return self._many(*self._old, numbers, function)

    def of_new(self, numbers: NDArray[np.int64], function: Callable[[str], int]) -> list[int]:
        """A function of the text of many pages of the new snapshot."""
        return self._many(*self._new, numbers, function)

    def _many(
        self,
        folder: str,
        index: Index,
        numbers: NDArray[np.int64],
        function: Callable[[str], int],
    ) -> list[int]:
        found: dict[int, int] = {}
        for partition in np.unique(index.partitions[numbers]).tolist():
            mine = numbers[index.partitions[numbers] == partition]
            mine = mine[np.argsort(index.rows[mine])]
            texts = self._pages(folder, partition).texts(index.rows[mine].astype(np.intp))
            found.update(zip(mine.tolist(), (function(text) for _, text in texts), strict=True))
        return [found[number] for number in numbers.tolist()]

    def _text(self, folder: str, index: Index, number: int) -> str:
        partition, row = int(index.partitions[number]), int(index.rows[number])
        ((_, text),) = self._pages(folder, partition).texts(np.array([row], np.intp))
        return text

"""A run's plan: a matcher for each extractor, by a sample of the changed pages (section 7).

    changed pages, by size    1 KB  2 KB  5 KB  40 KB  90 KB  300 KB
    sample                                5 KB         90 KB  300 KB    large ones more often
    each page of it           matched by `line` and by `anchor`; what would be left to extract
                              is counted for each extractor, and nothing is extracted

Departure: the paper's sample has a fixed size and is extracted by all plans. Here it may cost at
most a small share of what is at stake, extraction rates come from earlier runs, and only the
matchers are timed.
"""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor
from rowen.records.numbers import distinct
from rowen.recycling.cost import CANDIDATES, Choice, Rates, choose, fixed
from rowen.recycling.match import match_regions
from rowen.recycling.page_changes import Changes, Fate
from rowen.recycling.snapshot_texts import SnapshotTexts
from rowen.recycling.steps import estimate_left, is_reusable, least_match

PLAN_SAMPLE = 8
"""How many changed pages are matched to choose a plan. With more, the choice hardly ever differs:
benchmarks/recycle/statistics.py measures it."""


_SAMPLED_PAGE = 2e-3
"""Estimated seconds per page of a sample, ..."""

_SAMPLED_CHARACTER = 3e-8
"""... and per character of it."""

_SAMPLED_SHARE = 0.04
"""The part of what is at stake that a sample may cost."""

_SMALLER = 4
"""How many times smaller a sample is if earlier runs had one."""


def make_plan(
    extractors: Sequence[Extractor],
    matcher: str,
    rates: Rates,
    changes: Changes,
    *,
    texts: SnapshotTexts,
) -> dict[str, Choice]:
    """How each extractor works on changed pages. The sample updates the rates."""
    changed = np.flatnonzero(np.isin(changes.fates, (Fate.CHANGED, Fate.MOVED)))
    sizes = texts.sizes[changed]
    # Only unchanged pages are reused for the other extractors, so that there is nothing to plan.
    local = [extractor for extractor in extractors if is_reusable(extractor)]
    names = [extractor.name for extractor in local]
    plan = {extractor.name: Choice("none", 0, {}) for extractor in extractors}
    if not len(changed) or not local:
        return plan
    if matcher == "auto":
        # Before a run has measured an extraction rate, the stake is 0, and no sample is taken.
        stake = float(sizes.sum()) * sum(rates.extraction.get(name, 0.0) for name in names)
        less = _SMALLER if all(name in rates.shares for name in names) else 1
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
    """Pages of all sizes, the smallest first. Large ones are chosen more often: they decide."""
    order = np.argsort(sizes, kind="stable")
    total = np.cumsum(sizes[order] + 1)
    marks = (np.arange(count) + 0.5) / count * total[-1]
    places: NDArray[np.intp] = distinct(np.searchsorted(total, marks))
    return order[places]


def _sample(
    extractors: Sequence[Extractor],
    rates: Rates,
    pages: NDArray[np.intp],
    changes: Changes,
    texts: SnapshotTexts,
) -> None:
    """Match some pages by each matcher, and count what would be left to extract."""
    seconds = dict.fromkeys(CANDIDATES, 0.0)
    left = {extractor.name: dict.fromkeys(CANDIDATES, 0) for extractor in extractors}
    size = 0
    # As in the run itself, one matching serves all extractors.
    length = min(map(least_match, extractors))
    for page in pages.tolist():
        old, new = texts.pair(page, int(changes.origins[page]))
        size += len(new)
        for matcher in CANDIDATES:
            begin = time.thread_time()  # a busy machine must not change the plan
            matches = match_regions(old, new, matcher, length)
            seconds[matcher] += time.thread_time() - begin
            for extractor in extractors:
                sparing = rates.sparing(extractor.name)
                left[extractor.name][matcher] += estimate_left(
                    extractor, matches, old, new, sparing=sparing
                )
    if size:
        rates.matching.update({matcher: spent / size for matcher, spent in seconds.items()})
        for name, own in left.items():
            rates.shares[name] = {matcher: count / size for matcher, count in own.items()}

"""The choice of a plan: what matching costs against what it spares (section 7).

The paper's model has the share of unchanged pages as a guess; digests make it exact, so that only
changed pages are left to estimate. Extraction rates come from earlier runs, the shares to extract
again from a sample of this snapshot's changed pages, which are matched but not extracted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.limits import REMOVED_CHARACTERS

MATCHING = {"line": 6e-9, "anchor": 1.5e-9, "suffix": 2e-7}
"""Seconds a character, until the first sample says better."""

SHARE = 0.2
"""How much of a changed page is extracted again, until the first sample says better."""

OVERHEAD = 3e-4
"""Seconds a page that recycling takes besides matching and extraction."""

MOST_OVERHEAD = 3e-3
"""What is believed of one run: after a bad one, large pages are still recycled, and measured."""

CALL = 2e-5
"""Seconds that a call of an extractor takes, however little text it gets."""

MOST_SPARED = 4096
"""More characters than this are always worth a call."""

CANDIDATES = ("line", "anchor")
"""What `auto` chooses among, besides `none`; `suffix` gives what `anchor` gives, only later."""


@dataclass(slots=True)
class Rates:
    """What matching and reuse cost, and what they spare, as far as it is known."""

    matching: dict[str, float] = field(default_factory=lambda: dict(MATCHING))
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    """By extractor and matcher: the part of a changed page that is extracted again."""
    extraction: dict[str, float] = field(default_factory=dict)
    """Seconds a character, by extractor."""
    overhead: float = OVERHEAD

    def sparing(self, name: str) -> int:
        """How many characters an extractor must be spared to be called once more for that."""
        rate = self.extraction.get(name)
        return REMOVED_CHARACTERS if not rate else min(int(CALL / rate), MOST_SPARED)


class Choice(NamedTuple):
    """How an extractor's changed pages are worked on, and what each way would take."""

    matcher: str
    from_size: int
    estimates: dict[str, float]


def choose(extractors: Sequence[str], sizes: NDArray[np.int64], rates: Rates) -> dict[str, Choice]:
    """The cheapest way for each extractor; all that match share one matching."""
    best: tuple[float, dict[str, Choice]] | None = None
    for matcher in CANDIDATES:
        total, choices = _with_matcher(matcher, extractors, sizes, rates)
        if best is None or total < best[0]:
            best = total, choices
    assert best is not None
    return best[1]


def fixed(
    matcher: str, extractors: Sequence[str], sizes: NDArray[np.int64], rates: Rates
) -> dict[str, Choice]:
    """One matcher for all, as the user says; with the same estimates beside it."""
    return {name: Choice(matcher, 0, _estimates(name, sizes, rates)) for name in extractors}


def _with_matcher(
    matcher: str, extractors: Sequence[str], sizes: NDArray[np.int64], rates: Rates
) -> tuple[float, dict[str, Choice]]:
    choices = {}
    total = 0.0
    matched_from = None
    for name in extractors:
        whole = rates.extraction.get(name, 0.0)
        share = _share(name, matcher, rates)
        spared = whole * (1 - share) - rates.matching[matcher]
        estimates = _estimates(name, sizes, rates)
        from_size = int(rates.overhead / spared) + 1 if spared > 0 else None
        if from_size is None or not np.any(sizes >= from_size):
            choices[name] = Choice("none", 0, estimates)
            total += estimates["none"]
            continue
        large = sizes[sizes >= from_size]
        total += whole * float(sizes.sum() - large.sum()) + rates.overhead * len(large)
        total += whole * share * float(large.sum())
        matched_from = from_size if matched_from is None else min(matched_from, from_size)
        choices[name] = Choice(matcher, from_size, estimates)
    if matched_from is not None:
        total += rates.matching[matcher] * float(sizes[sizes >= matched_from].sum())
    return total, choices


def _estimates(name: str, sizes: NDArray[np.int64], rates: Rates) -> dict[str, float]:
    """Seconds of each way for all changed pages, alone."""
    size = float(sizes.sum())
    whole = rates.extraction.get(name, 0.0)
    found = {"none": whole * size}
    for matcher in (*CANDIDATES, "suffix"):
        again = whole * _share(name, "anchor" if matcher == "suffix" else matcher, rates)
        found[matcher] = (again + rates.matching[matcher]) * size + rates.overhead * len(sizes)
    return found


def _share(name: str, matcher: str, rates: Rates) -> float:
    return rates.shares.get(name, {}).get(matcher, SHARE)


def recalled(histories: Sequence[Mapping[str, object]]) -> Rates:
    """The rates that earlier runs measured, each the mean of those that know it."""
    rates = Rates()
    for name in ("extraction", "matching"):
        known: dict[str, list[float]] = {}
        for history in histories:
            given = history.get(name)
            if isinstance(given, dict):
                for key, value in given.items():
                    known.setdefault(key, []).append(float(value))
        getattr(rates, name).update({key: float(np.mean(all_)) for key, all_ in known.items()})
    for history in histories:
        shares = history.get("shares")
        if isinstance(shares, dict):
            for name, own in shares.items():
                rates.shares.setdefault(name, {}).update(own)
    overheads = [
        float(one) for history in histories if isinstance(one := history.get("overhead"), float)
    ]
    if overheads:
        rates.overhead = float(np.mean(overheads))
    return rates

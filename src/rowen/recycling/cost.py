"""The cost model: what matching costs against the extraction that it saves (section 7).

An example with one extractor and 1,000,000 characters of changed pages:

    extraction    1 µs per character               `none`    1.00 s
    `line`        6 ns per character, 30% left     `line`    0.30 s + 0.006 s + overhead
    `anchor`      1.5 ns per character, 20% left   `anchor`  0.20 s + 0.002 s + overhead    chosen

The overhead is paid per page, so that there is a size below which a page is cheaper to extract
than to recycle.

Departures. The paper estimates f, the fraction of pages with an old version. Digests and ids make
it exact before anything is decided, so that only the changed pages are left to estimate. The paper
runs all plans on a sample; here the extraction rate (its weight for extraction) comes from the last
W runs, and the sample is only matched to see what would be left to extract (its g). The costs of
reading and probing are nearly the same for all plans here, and are left out. Extractors may have
different plans; all that match share one matching.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.recycling.outcome import Tally
from rowen.recycling.regions import REMOVED_CHARACTERS

PLAN_RUNS = 4
"""How many earlier runs (the paper's W) rates are averaged over."""

MATCHING = {"line": 6e-9, "anchor": 1.5e-9, "suffix": 2e-7}
"""Seconds per character, until the first sample."""

SHARE = 0.2
"""The part of a changed page that is extracted again, until the first sample."""

OVERHEAD = 3e-4
"""Seconds per page that recycling takes in addition to matching and extraction."""

MOST_OVERHEAD = 3e-3
"""The most that one run can set the overhead to: so after a run on a busy machine large pages are
still recycled, and measured again."""

CALL = 2e-5
"""Seconds that a call of an extractor takes with hardly any text."""

MOST_SPARED = 4096
"""More saved characters than this are always worth a call."""

CANDIDATES = ("line", "anchor")
"""What `auto` chooses from, with `none`. `suffix` finds what `anchor` finds, but takes longer."""


@dataclass(slots=True)
class Rates:
    """What matching and recycling cost, and what they save, as far as it was measured."""

    matching: dict[str, float] = field(default_factory=lambda: dict(MATCHING))
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    """By extractor and matcher: the part of a changed page that is extracted again (g)."""
    extraction: dict[str, float] = field(default_factory=dict)
    """Seconds per character, by extractor."""
    overhead: float = OVERHEAD

    def sparing(self, name: str) -> int:
        """How many characters must be saved to be worth one more call of an extractor."""
        rate = self.extraction.get(name)
        return REMOVED_CHARACTERS if not rate else min(int(CALL / rate), MOST_SPARED)

    def to_dict(self, extractors: Sequence[str]) -> dict[str, Any]:
        """The rates as a report has them, with the extraction rates of these extractors."""
        extraction = {name: self.extraction[name] for name in extractors if name in self.extraction}
        return {
            "extraction": extraction,
            "matching": self.matching,
            "shares": self.shares,
            "overhead": self.overhead,
        }


class Choice(NamedTuple):
    """How an extractor's changed pages are worked on, and estimates of each way in seconds."""

    matcher: str
    from_size: int
    estimates: dict[str, float]


def choose(extractors: Sequence[str], sizes: NDArray[np.int64], rates: Rates) -> dict[str, Choice]:
    """The cheapest way for each extractor. All that match share one matching."""
    # A page is matched once for all extractors. So one matcher is chosen for all that match, and
    # each extractor may still do without.
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
    """The matcher that the user asks for, for all extractors, with the same estimates."""
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
        saved = whole * (1 - share) - rates.matching[matcher]
        estimates = _estimates(name, sizes, rates)
        # From this size on, what a page saves is more than the overhead of recycling it.
        from_size = int(rates.overhead / saved) + 1 if saved > 0 else None
        if from_size is None or not np.any(sizes >= from_size):
            choices[name] = Choice("none", 0, estimates)
            total += estimates["none"]
            continue
        large = sizes[sizes >= from_size]
        total += whole * float(sizes.sum() - large.sum()) + rates.overhead * len(large)
        total += whole * share * float(large.sum())
        # The extractor that matches the smallest pages pays for the matching of all others, too.
        matched_from = from_size if matched_from is None else min(matched_from, from_size)
        choices[name] = Choice(matcher, from_size, estimates)
    if matched_from is not None:
        total += rates.matching[matcher] * float(sizes[sizes >= matched_from].sum())
    return total, choices


def _estimates(name: str, sizes: NDArray[np.int64], rates: Rates) -> dict[str, float]:
    """Seconds that each way takes for all changed pages, if this is the only extractor."""
    size = float(sizes.sum())
    whole = rates.extraction.get(name, 0.0)
    estimates = {"none": whole * size}
    for matcher in (*CANDIDATES, "suffix"):
        # `suffix` finds the regions that `anchor` finds, so that as much is left to extract.
        left = whole * _share(name, "anchor" if matcher == "suffix" else matcher, rates)
        estimates[matcher] = (left + rates.matching[matcher]) * size + rates.overhead * len(sizes)
    return estimates


def _share(name: str, matcher: str, rates: Rates) -> float:
    return rates.shares.get(name, {}).get(matcher, SHARE)


def average_rates(histories: Sequence[Mapping[str, object]]) -> Rates:
    """The rates that earlier runs measured: the mean of those that have a value (section 7)."""
    rates = Rates()
    for name in ("extraction", "matching"):
        measured: dict[str, list[float]] = {}
        for history in histories:
            values = history.get(name)
            if isinstance(values, dict):
                for key, value in values.items():
                    measured.setdefault(key, []).append(float(value))
        means = {key: float(np.mean(values)) for key, values in measured.items()}
        getattr(rates, name).update(means)
    # Shares follow the kind of changes, which differs from night to night: the newest count.
    for history in histories:
        shares = history.get("shares")
        if isinstance(shares, dict):
            for name, own in shares.items():
                rates.shares.setdefault(name, {}).update(own)
    overheads = [
        overhead for history in histories if isinstance(overhead := history.get("overhead"), float)
    ]
    if overheads:
        rates.overhead = float(np.mean(overheads))
    return rates


def measured_rates(
    rates: Rates, tallies: Mapping[str, Tally], characters: int
) -> tuple[Rates, float]:
    """The rates after a run, and the seconds that extraction from scratch would take.

    `characters` is the size of the whole snapshot.
    """
    extraction = dict(rates.extraction)
    scratch = reused = 0.0
    recycled_pages = 0
    for name, tally in tallies.items():
        # A few changed pages are no sample of all pages: then the known rate stays.
        least = characters / 20 if name in extraction else 10_000
        if tally.whole_characters > least:
            # Processor time, as of matching: a busy machine must not make reuse look cheap.
            extraction[name] = tally.whole_cost / tally.whole_characters
        rate = extraction.get(name, 0.0)
        scratch += rate * characters
        # Copying and packing are timed with extraction: all that its characters don't explain.
        spent = tally.extract_seconds - tally.whole_seconds
        explained = rate * (tally.extracted_characters - tally.whole_characters)
        reused += tally.reuse_seconds + max(spent - explained, 0.0)
        recycled_pages += tally.recycled_pages
    overhead = rates.overhead
    if recycled_pages:
        overhead = min(reused / recycled_pages + 1e-4, MOST_OVERHEAD)
    return replace(rates, extraction=extraction, overhead=overhead), scratch

"""Which checks a run can pay for.

Each extractor may spend a share of what the run is expected to cost. The share is divided among
the rings of `rotation`. Each ring has its own savings, for what could not be spent because the next
page was too expensive:

    budget of the run         8 ms     savings of ring `all`: 5 ms
    ring `changed`            1 ms     1/8
    ring `all`                7 ms     7/8; with its savings 12 ms
    next pages of `all`       a: 6 ms   b: 4 ms   c: 3 ms
    chosen                    a, b     2 ms are saved for c in the next run
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.records.numbers import without
from rowen.recycling.verification.rotation import TURN_RUNS, State

CHECKED_SHARE = 0.02
"""The part of a run's cost that goes into checking copies, unless the user sets a share of pages.
"""

LEAST_SECONDS = 0.001
"""What is spent in any case, for all extractors together: else very short runs check nothing."""

_SHARES = {"changed": 1 / 8, "all": 7 / 8}
"""How the time is divided if whole pages go around the ring in `TURN_RUNS`, ..."""

_SHARES_IN_PARTS = {"changed": 1 / 8, "all": 1 / 4, "parts": 5 / 8}
"""... and if they don't."""

_LEAST_STRETCH = 128
"""The least length of a stretch: in shorter ones, contexts and calls cost more than the text."""

_RATE = 1e-6
"""Seconds per character of extraction, until a run has measured it."""

_PAGE = 2e-4
"""Seconds per page for the comparison, until a run has measured it."""

_PART = 4e-4
"""Seconds per stretch for its plan, until a run has measured it."""

_READ = 5e-3
"""Seconds per page whose text is not in memory: texts are compressed in groups."""

_MOST_DEBT = 20
"""After checks that cost more than expected, at most this many runs go without checks."""

_NOTHING = np.empty(0, np.intp)


def affordable(work: float, shared: float, extractors: int) -> float:
    """Seconds that one extractor may spend, given its own work and what all extractors share."""
    return max(CHECKED_SHARE * (work + shared / extractors), LEAST_SECONDS / extractors)


class Copied(NamedTuple):
    """The pages of a run, and which of them have copied records."""

    places: NDArray[np.uint64]
    """The position of each page of the snapshot on the ring."""
    sizes: NDArray[np.int64]
    pages: NDArray[np.intp]
    """The pages with copied records, ..."""
    changed: NDArray[np.intp]
    """... and those of them that were recycled with changes."""
    held: NDArray[np.bool_]
    """Which pages of the snapshot have their texts in memory."""


class Price(NamedTuple):
    """What checking costs, in seconds; None where no run has measured it."""

    character: float | None
    page: float | None
    part: float | None = None
    """What a stretch costs in addition to a whole page of its length."""

    def of(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The estimated cost of checking pages of these sizes, whose texts are in memory."""
        page = _PAGE if self.page is None else self.page
        character = _RATE if self.character is None else self.character
        return page + sizes.astype(np.float64) * character

    def of_parts(self, sizes: NDArray[np.int64], length: int) -> NDArray[np.float64]:
        """The estimated cost of checking a stretch of each; short pages are checked whole."""
        part = np.where(sizes > length, _PART if self.part is None else self.part, 0.0)
        return part + self.of(np.minimum(sizes, length))


@dataclass(frozen=True, slots=True)
class Check:
    """What one extractor is checked on in a run."""

    pages: NDArray[np.intp]
    """Pages to extract as a whole, ..."""
    parts: NDArray[np.intp] = field(default_factory=_NOTHING.copy)
    """... and pages of which one stretch is extracted, ..."""
    length: int = 0
    """... this many characters long ..."""
    turn: int = 0
    """... and at another place in each turn."""
    seconds: float = 0.0
    """What all this may cost."""
    paid: dict[str, float] = field(default_factory=dict)
    """The estimated cost, by ring."""
    runs: float | None = None
    """About how many runs like this one it takes to check all pages as a whole."""
    part_runs: float | None = None
    """About how many runs it takes to check a stretch of each."""


def choose_share(state: State, copied: Copied, share: float) -> Check:
    """A share of the pages, rounded up."""
    count = math.ceil(share * len(copied.pages))
    return Check(state.advance("all", copied.places, copied.pages, count))


def choose_within(
    state: State, copied: Copied, price: Price, seconds: float, *, in_parts: bool
) -> Check:
    """As many pages as `seconds` and the savings of earlier runs allow.

    `in_parts` says that the extractor's locality allows extracting a stretch of a page alone.
    """
    if not len(copied.pages):
        return Check(_NOTHING)
    costs = price.of(copied.sizes)
    total = float(costs[copied.pages].sum())
    shares = _shares(copied, price, seconds, total, in_parts=in_parts)
    for ring, share in shares.items():
        state.saved[ring] += share * seconds
    changed = _buy(state, "changed", copied, copied.changed, costs)
    # A page that both rings reach is extracted once and paid for once.
    unchosen = without(copied.pages, changed.pages)
    rotating = _buy(state, "all", copied, unchosen, costs)
    pages = np.concatenate((changed.pages, rotating.pages))
    paid = {"changed": changed.paid, "all": rotating.paid}
    budget = shares["all"] * seconds
    # The next page at least is to be in memory, however little is saved for it.
    affordable_share = max((state.saved["all"] + budget) / total, 2 / len(copied.pages))
    state.reach["all"] = min(affordable_share, 1.0)
    if "parts" not in shares:
        state.reach["parts"] = state.saved["parts"] = 0.0
        return Check(pages, seconds=seconds, paid=paid, runs=total / budget)
    turn, count = state.turn, math.ceil(len(copied.pages) / TURN_RUNS)
    next_pages = state.order("parts", copied.places, copied.pages)[:count]
    reading = 0.0 if copied.held[next_pages[0]] else _READ
    length = _stretch((state.saved["parts"] - reading) / count, price)
    costs = price.of_parts(copied.sizes, length)
    before = state.places["parts"]
    parts = _buy(state, "parts", copied, next_pages, costs)
    # If the ring goes around within a run, the first pages have the stretch of the turn that ends,
    # and that of the next turn when it ends: no page misses a stretch.
    state.turn += len(parts.pages) > 0 and state.places["parts"] <= before
    state.reach["parts"] = min(max(count, 2) / len(copied.pages), 1.0)
    part_total = float(costs[copied.pages].sum())
    return Check(
        pages,
        without(parts.pages, pages),
        length,
        turn,
        seconds,
        {**paid, "parts": parts.paid},
        total / budget,
        max(part_total / (shares["parts"] * seconds), len(copied.pages) / count),
    )


def _shares(
    copied: Copied, price: Price, seconds: float, total: float, *, in_parts: bool
) -> dict[str, float]:
    """How the time is divided among the rings, if checking all pages costs `total`."""
    shares = _SHARES
    if in_parts and total > TURN_RUNS * _SHARES["all"] * seconds:
        least = float(price.of_parts(copied.sizes, _LEAST_STRETCH)[copied.pages].sum())
        # Stretches must go around sooner with their share than whole pages with all of it.
        if least * _SHARES["all"] < total * _SHARES_IN_PARTS["parts"]:
            shares = _SHARES_IN_PARTS
    if not len(copied.changed):
        shares = {**shares, "changed": 0.0, "all": shares["changed"] + shares["all"]}
    return shares


def settle(state: State, check: Check, spent: float) -> None:
    """Correct the savings by what the checks really cost: later runs have more or less."""
    expected = sum(check.paid.values())
    for ring, paid in check.paid.items():
        if paid:
            # Only the sum was measured: each ring bears its part of the error.
            saved = state.saved[ring] + paid - spent * paid / expected
            state.saved[ring] = max(saved, -_MOST_DEBT * check.seconds)


def _stretch(seconds: float, price: Price) -> int:
    """The longest stretch that can be checked in this many seconds."""
    # The price is linear in the length: two lengths give the rest.
    sizes = np.array([_LEAST_STRETCH, 2 * _LEAST_STRETCH])
    least, twice = price.of_parts(sizes, _LEAST_STRETCH)[1], price.of(sizes)[1] - price.of(sizes)[0]
    more = (seconds - float(least)) / max(float(twice), 1e-12)
    return _LEAST_STRETCH + int(min(max(more, 0.0), 1e9) * _LEAST_STRETCH)


class _Purchase(NamedTuple):
    pages: NDArray[np.intp]
    paid: float


def _buy(
    state: State,
    ring: str,
    copied: Copied,
    candidates: NDArray[np.intp],
    costs: NDArray[np.float64],
) -> _Purchase:
    """The next pages of a ring that its savings can pay for.

    The first page is read if its text is not in memory. A later page without its text ends the
    choice: the next run will have it in memory.
    """
    savings = state.saved[ring]
    order = state.order(ring, copied.places, candidates)
    not_held = np.flatnonzero(~copied.held[order])
    if len(not_held):
        order = order[: max(int(not_held[0]), 1)]
    total = np.cumsum(costs[order] + np.where(copied.held[order], 0.0, _READ))
    # Sums of fractions are not exact: savings that just suffice must suffice.
    count = int(np.searchsorted(total, savings * (1 + 1e-9), "right"))
    paid = float(total[count - 1]) if count else 0.0
    # A ring that was paid for as a whole has nothing to save for.
    all_paid = count > 0 and count == len(candidates) and ring != "parts"
    state.saved[ring] = 0.0 if all_paid else savings - paid
    return _Purchase(state.advance(ring, copied.places, candidates, count), paid)

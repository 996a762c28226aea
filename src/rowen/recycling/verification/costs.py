"""What a run costs, as far as it can be known before it works: checks get a share of it."""

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rowen.recycling.cost import PLAN_RUNS
from rowen.recycling.verification.budget import Price
from rowen.storage.snapshots.manifest import Manifest

_MOST_START = 1.0
"""Seconds that the start of a process can have taken. If more were spent, it was other work."""

_MEASURED_CHARACTERS = 20_000
"""How much must have been checked to know what a character costs."""


class Processor:
    """The cost of a run in processor time: other processes or a slow disk don't change it.

    The first run in a process has to bear its start: Python, and all that was imported.
    """

    _started = False

    def __init__(self) -> None:
        self._begin = time.process_time()
        self._clock = time.perf_counter()
        self._start = 0.0 if Processor._started else min(self._begin, _MOST_START)
        Processor._started = True

    def before_work(self, earlier: list[Manifest], extractors: Sequence[str]) -> "Expenses":
        """What this run has cost so far, and what the next steps cost in the last runs."""
        last = earlier[-1].report.get("seconds", {}) if earlier else {}
        shared = self._spent(_sum(last, "read", "copy", "write", "commit"))
        return Expenses(shared, {name: _price(name, earlier[-PLAN_RUNS:]) for name in extractors})

    def _spent(self, more: float) -> float:
        """The processor time so far, and of steps that took `more` by the clock in the last run."""
        own = time.process_time() - self._begin
        # By the clock, a step takes longer on a busy machine: this run's share of the processor so
        # far says how much longer.
        busy = own / max(time.perf_counter() - self._clock, 1e-9)
        return self._start + own + more * min(busy, 1.0)


class Expenses(NamedTuple):
    """What runs cost, as far as it is known before this one works."""

    shared: float
    """Seconds of this run that belong to no extractor."""
    prices: dict[str, Price]
    """What checking costs, by extractor."""


def _price(name: str, earlier: list[Manifest]) -> Price:
    """What checks cost in the last runs; extraction from scratch where little was checked."""
    tallies = [
        tally
        for manifest in earlier
        if isinstance(tally := manifest.report.get("tallies", {}).get(name), dict)
        and "compare_seconds" in tally  # runs of earlier versions say less
    ]

    def total(*names: str) -> float:
        return sum(_sum(tally, *names) for tally in tallies)

    seconds, characters = total("check_seconds"), total("check_characters")
    if characters < _MEASURED_CHARACTERS:
        seconds, characters = seconds + total("whole_cost"), characters + total("whole_characters")
    character = seconds / characters if characters else None
    pages, parts = total("checked", "checked_in_part"), total("checked_in_part")
    part = None
    if parts:
        part = (
            max(total("part_seconds") - total("part_characters") * (character or 0.0), 0.0) / parts
        )
    return Price(character, total("compare_seconds") / pages if pages else None, part)


def _sum(tally: Mapping[str, object], *names: str) -> float:
    # A manifest may have been written by anybody: what is no number counts as 0.
    values = [tally.get(name, 0.0) for name in names]
    return float(sum(value for value in values if isinstance(value, int | float)))

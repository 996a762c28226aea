"""Which pages of a snapshot each extractor is checked on in a run."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.locality import WholePage
from rowen.recycling.cost import Choice, Rates
from rowen.recycling.identities import was_too_narrow
from rowen.recycling.intake import Intake
from rowen.recycling.page_changes import Changes, Fate
from rowen.recycling.verification.budget import (
    Check,
    Copied,
    affordable,
    choose_share,
    choose_within,
)
from rowen.recycling.verification.costs import Expenses
from rowen.recycling.verification.rotation import State, positions
from rowen.recycling.verification.sample import Sample
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index

_NONE = np.empty(0, np.intp)


class Selection:
    """Chooses the pages to check, once it is known what becomes of each page."""

    def __init__(
        self,
        intake: Intake,
        changes: Changes,
        plan: Mapping[str, Choice],
        states: Mapping[str, State],
    ) -> None:
        """`states` has the extractors with old results: others copy nothing."""
        self._intake = intake
        self._fates = changes.fates
        self._plan = plan
        self._states = states

    def by_share(self, extractors: Sequence[Extractor], share: float) -> dict[str, Check]:
        """The share of pages that the user asks for, by extractor."""
        copied = self._copied(extractors)
        return {
            name: choose_share(self._states[name], pages, share) for name, pages in copied.items()
        }

    def by_cost(
        self, extractors: Sequence[Extractor], previous: Manifest, rates: Rates, expenses: Expenses
    ) -> dict[str, Check]:
        """What 2% of the expected cost of this run allow, by extractor."""
        checks = {}
        copied = self._copied(extractors)
        for extractor in extractors:
            name = extractor.name
            if name not in copied:
                continue
            price = expenses.prices[name]
            # Only what an extractor's locality allows can be extracted from a stretch alone.
            local = not isinstance(grain_of(extractor), WholePage)
            checks[name] = choose_within(
                self._states[name],
                copied[name],
                price,
                affordable(
                    self._work(name, rates, price.character), expenses.shared, len(self._states)
                ),
                in_parts=local and not was_too_narrow(previous, extractor),
            )
        return checks

    def _work(self, name: str, rates: Rates, measured: float | None) -> float:
        """The seconds that an extractor's own work is expected to take in this run."""
        choice = self._plan[name]
        by_clock = rates.extraction.get(name, 0.0)
        character = by_clock if measured is None else measured
        new_characters = float(self._intake.index.sizes[self._fates == Fate.NEW].sum())
        # Estimates are by the clock: on a busy machine they are more than the work costs.
        busy = min(character / by_clock, 1.0) if by_clock else 1.0
        return character * new_characters + busy * choice.estimates.get(choice.matcher, 0.0)

    def _copied(self, extractors: Sequence[Extractor]) -> dict[str, Copied]:
        """The pages with copied records, by extractor."""
        index = self._intake.index
        places, held = positions(index.keys), _held(self._intake)
        unchanged = np.flatnonzero(np.isin(self._fates, (Fate.UNCHANGED, Fate.RENAMED)))
        with_old_text = np.isin(self._fates, (Fate.CHANGED, Fate.MOVED))
        copied = {}
        for extractor in extractors:
            if extractor.name not in self._states:
                continue
            choice = self._plan[extractor.name]
            recycled = with_old_text & (index.sizes >= choice.from_size)
            changed = np.flatnonzero(recycled) if choice.matcher != "none" else _NONE
            # New pages, and those extracted as a whole, have no copied records that could be wrong.
            pages = np.concatenate((unchanged, changed))
            copied[extractor.name] = Copied(places, index.sizes, pages, changed, held)
        return copied


def samples_in(partition: int, index: Index, checks: Mapping[str, Check]) -> dict[str, Sample]:
    """The part of the checks that lies in one partition, by extractor."""

    def rows(pages: NDArray[np.intp]) -> NDArray[np.intp]:
        own: NDArray[np.intp] = index.rows[pages[index.partitions[pages] == partition]]
        return own.astype(np.intp)

    return {
        name: Sample(rows(check.pages), rows(check.parts), check.length, check.turn)
        for name, check in checks.items()
        if len(check.pages) or len(check.parts)
    }


def _held(intake: Intake) -> NDArray[np.bool_]:
    """Which pages have their texts in memory."""
    index = intake.index
    held = np.zeros(index.count, np.bool_)
    for number, fresh in enumerate(intake.fresh):
        own = np.flatnonzero(index.partitions == number)
        held[own] = np.isin(index.rows[own], np.fromiter(fresh, np.int64, len(fresh)))
    return held

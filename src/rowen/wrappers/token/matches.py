"""Matches: which of some tags stand at a landmark, for many landmarks of the same tokens."""

from collections.abc import Sequence

import numpy as np

from rowen.wrappers.token.context import Choice, Shared
from rowen.wrappers.token.outline import Flags, Outline, Tags


class Matches:
    """Tags of pages, and for each choice of tokens around them those that it lets through.

    What one token lets through is found once, and so is each sequence of them.
    """

    def __init__(
        self,
        pages: Sequence[tuple[Outline, Tags]],
        *,
        back: Sequence[Shared],
        ahead: Sequence[Shared],
    ) -> None:
        self.pages = pages
        self._sides = {False: back, True: ahead}
        self._told: dict[tuple[Shared, frozenset[object], int | None, int | None], Flags] = {}
        self._running: dict[tuple[object, bool, int], Flags] = {}

    def at(self, choice: Choice) -> Flags:
        """Which tags stand at the choice's landmark, page after page."""
        found = self._run(choice, choice.before, forward=False)
        if choice.after:
            found = found & self._run(choice, choice.after, forward=True)
        return found

    def _run(self, choice: Choice, count: int, *, forward: bool) -> Flags:
        """Which tags the first so many tokens of a side let through."""
        key = (choice.detail, forward, count)
        if key not in self._running:
            told = self._tell(self._sides[forward][count - 1], choice)
            if count > 1:
                told = told & self._run(choice, count - 1, forward=forward)
            self._running[key] = told
        return self._running[key]

    def _tell(self, shared: Shared, choice: Choice) -> Flags:
        pairs = choice.detail.pairs(shared) if shared.name is not None else frozenset()
        slot = choice.detail.slot(shared) if shared.name is None else None
        at = choice.detail.place(shared)
        key = (shared, frozenset(pairs), slot, at)
        if key not in self._told:
            parts = []
            for outline, tags in self.pages:
                place = tags + shared.by
                there = (place >= 0) & (place < outline.size)
                safe = np.where(there, place, 0)
                if shared.name is not None:
                    there = there & (outline.names[safe] == np.uint64(shared.name))
                    for pair in pairs:
                        there = there & outline.having(pair)[safe]
                    if at is not None:
                        there = there & (outline.places[safe] == at)
                elif slot is not None:
                    there = there & (outline.slots[safe] == np.uint64(slot))
                parts.append(there)
            self._told[key] = np.concatenate(parts)
        return self._told[key]

"""Trials: which landmarks tell marked tags from all others that might be confused with them."""

from functools import cached_property

import numpy as np

from rowen.wrappers.token import context
from rowen.wrappers.token.context import Choice, Shared
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.matches import Matches
from rowen.wrappers.token.occurrence import Occurrence
from rowen.wrappers.token.outline import Flags, Outline, Tags
from rowen.wrappers.token.sample import Sample
from rowen.wrappers.token.wrapper import Take

COVERAGE = 8.0
"""What a rule may cost more if it finds something in all unmarked records instead of in none."""


class Trial:
    """All tags that a landmark might confuse with the marked ones, and which tokens tell them."""

    def __init__(
        self,
        sample: Sample,
        name: str,
        occurrences: list[Occurrence],
        cut: Cut,
        *,
        back: list[Shared],
        ahead: list[Shared],
        inside: list[tuple[tuple[int, int], tuple[int, int]]] | None = None,
    ) -> None:
        self.back, self.ahead, self.occurrences = back, ahead, occurrences
        self.pages: list[tuple[Outline, Tags]] = []
        marked, stretch_of = [], []
        positives = {(one.page, one.tag) for one in occurrences}
        number = 0
        for page, outline in enumerate(sample.outlines):
            stretches = (
                sample.known_stretches(page, name)
                if inside is None
                else [(low, high, True) for (of, _), (low, high) in inside if of == page]
            )
            tags, numbers = _candidates(outline, back[0], cut, stretches)
            self.pages.append((outline, tags))
            marked.append(np.array([(page, tag) in positives for tag in tags.tolist()], bool))
            stretch_of.append(numbers + number)
            number += len(stretches)
        self.marked = np.concatenate(marked)
        self.stretch = np.concatenate(stretch_of)
        self.complete = int(self.marked.sum()) == len(positives) == len(occurrences)
        self.sample = sample
        self.listed = sample.listed
        if inside is None and any(sample.unmarked):
            self._open(sample, cut)
        self.matches = Matches(self.pages, back=back, ahead=ahead)

    def _open(self, sample: Sample, cut: Cut) -> None:
        """Add the tags of stretches where records may be: they count for nothing but coverage."""
        stretch = int(self.stretch.max(initial=-1)) + 1
        more = [self.stretch]
        for page, stretches in enumerate(sample.unmarked):
            outline, _ = self.pages[page]
            known = [(low, high, False) for low, high in stretches]
            others, numbers = _candidates(outline, self.back[0], cut, known)
            self.pages.append((outline, others))
            more.append(numbers + stretch)
            stretch += len(stretches)
        self.stretch = np.concatenate(more)

    def cheapest(self, take: Take) -> Choice | None:
        """The first choice that finds exactly what is marked.

        Where a page is marked in part, a somewhat dearer one wins that finds more in the rest.
        """
        if not self.complete:
            return None
        self.sample.check_time()
        best: tuple[float, Choice] | None = None
        known = len(self.marked)
        for choice in self._choices:
            if best is not None and choice.price >= best[0]:
                break
            found = self.matches.at(choice)
            if not self._fits(found[:known], take):
                continue
            if len(self.stretch) == known:
                return choice
            places = self.stretch[known:]
            share = len(np.unique(places[found[known:]])) / max(len(np.unique(places)), 1)
            price = choice.price + COVERAGE * (1 - share)
            if best is None or price < best[0]:
                best = (price, choice)
        return None if best is None else best[1]

    @cached_property
    def _choices(self) -> list[Choice]:
        return context.choices(self.back, self.ahead, self.occurrences, listed=self.listed)

    def _fits(self, found: Flags, take: Take) -> bool:
        if take == "all":
            return not bool((found & ~self.marked).any())
        places = np.flatnonzero(found)
        if take == "last":
            places = places[::-1]
        _, firsts = np.unique(self.stretch[: len(found)][places], return_index=True)
        chosen = places[firsts]
        return bool(self.marked[chosen].all()) and len(chosen) == int(self.marked.sum())


def _candidates(
    outline: Outline, token: Shared, cut: Cut, stretches: list[tuple[int, int, bool]]
) -> tuple[Tags, Tags]:
    """The tags of that name in the stretches at which the cut gives a value; and whose they are."""
    assert token.name is not None
    tags = np.flatnonzero(outline.names == np.uint64(token.name))
    numbers = np.full(len(tags), -1)
    for number, (low, high, _) in enumerate(stretches):
        numbers[np.searchsorted(tags, low) : np.searchsorted(tags, high)] = number
    tags, numbers = tags[numbers >= 0], numbers[numbers >= 0]
    if cut == Cut():
        full = outline.slots[tags] != 0
    else:
        full = np.array([cut.value(outline, tag) is not None for tag in tags.tolist()], bool)
    return tags[full], numbers[full]

"""Trials: which landmarks distinguish the marked tags from all others of the same name.

    tags named td on the page     1 2 3 4 5 6       marked: 1 3 5
    choice: td class=n            1 . 3 . 5 .       fits
    choice: any td                1 2 3 4 5 6       does not fit

What each HTML token of a landmark lets through is an array of flags (`Matches`), computed once for
all landmarks, so that a landmark is a few logical operations.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from rowen.landmarks import context
from rowen.landmarks.context import Choice, Shared
from rowen.landmarks.occurrence import Occurrence
from rowen.landmarks.sample import Sample
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.outline import Flags, Outline, Tags
from rowen.wrappers.token.wrapper import Take

COVERAGE = 8.0
"""A rule may cost this much more if it finds something in all unmarked records, not in none."""


class Trial:
    """The tags that a landmark might confuse with the marked ones, and the landmarks to try."""

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
        marked: Sequence[Occurrence] | None = None,
    ) -> None:
        """`marked` is all that may be found, where it is more than the occurrences."""
        self.back, self.ahead, self.occurrences = back, ahead, occurrences
        self.pages: list[tuple[Outline, Tags]] = []
        flags, stretch_of = [], []
        positives = {(each.page, each.tag) for each in marked or occurrences}
        number = 0
        for page, outline in enumerate(sample.outlines):
            stretches = (
                sample.known_stretches(page, name)
                if inside is None
                else [(low, high, True) for (of, _), (low, high) in inside if of == page]
            )
            tags, numbers = _candidates(outline, back[0], cut, stretches)
            self.pages.append((outline, tags))
            flags.append(np.array([(page, tag) in positives for tag in tags.tolist()], bool))
            stretch_of.append(numbers + number)
            number += len(stretches)
        self.marked = np.concatenate(flags)
        self.stretch = np.concatenate(stretch_of)
        self.complete = int(self.marked.sum()) == len(positives) == len(occurrences)
        self.sample = sample
        self.listed = sample.listed
        if inside is None and any(sample.unmarked):
            self._open(sample, cut)
        self.matches = Matches(self.pages, back=back, ahead=ahead)

    def _open(self, sample: Sample, cut: Cut) -> None:
        """Add the tags of stretches that may be records: they count only for coverage."""
        stretch = int(self.stretch.max(initial=-1)) + 1
        more = [self.stretch]
        for page, stretches in enumerate(sample.unmarked):
            outline, _ = self.pages[page]
            unmarked = [(low, high, False) for low, high in stretches]
            tags, numbers = _candidates(outline, self.back[0], cut, unmarked)
            self.pages.append((outline, tags))
            more.append(numbers + stretch)
            stretch += len(stretches)
        self.stretch = np.concatenate(more)

    def cheapest(self, take: Take) -> Choice | None:
        """The first choice that finds exactly what is marked.

        Where a page is marked in part, a somewhat dearer one wins that finds more beside the marked
        records.
        """
        if not self.complete:
            return None
        self.sample.check_time()
        best: tuple[float, Choice] | None = None
        marked_count = len(self.marked)
        for choice in self._choices:
            # Choices come by price, and coverage only adds to it: none that follows can be better.
            if best is not None and choice.price >= best[0]:
                break
            flags = self.matches.at(choice)
            if not self._fits(flags[:marked_count], take):
                continue
            if len(self.stretch) == marked_count:
                return choice
            places = self.stretch[marked_count:]
            share = len(np.unique(places[flags[marked_count:]])) / max(len(np.unique(places)), 1)
            price = choice.price + COVERAGE * (1 - share)
            if best is None or price < best[0]:
                best = (price, choice)
        return None if best is None else best[1]

    def varied(self, limit: float) -> Iterator[Choice]:
        """The cheapest choices that find nothing else, one for each basis, below a price.

        A basis is what a landmark rests on: names of things, labels, what follows the value.
        """
        seen = set()
        choices = context.choices(
            self.back, self.ahead, self.occurrences, listed=self.listed, limit=limit
        )
        for choice in choices:
            basis = self._basis(choice)
            if basis not in seen and self._fits(self.matches.at(choice), "all"):
                seen.add(basis)
                yield choice

    def _basis(self, choice: Choice) -> tuple[bool, ...]:
        before, after = self.back[: choice.before], self.ahead[: choice.after]
        is_named = any(
            choice.detail.pairs(token) for token in (*before, *after) if token.name is not None
        )
        labels = (any(_has_text(choice, token) for token in side) for side in (before, after))
        return is_named, *labels, choice.after > 0

    @cached_property
    def _choices(self) -> list[Choice]:
        return context.choices(self.back, self.ahead, self.occurrences, listed=self.listed)

    def _fits(self, flags: Flags, take: Take) -> bool:
        if take == "all":
            return not bool((flags & ~self.marked).any())
        places = np.flatnonzero(flags)
        if take == "last":
            places = places[::-1]
        _, firsts = np.unique(self.stretch[: len(flags)][places], return_index=True)
        chosen = places[firsts]
        return bool(self.marked[chosen].all()) and len(chosen) == int(self.marked.sum())


def _has_text(choice: Choice, token: Shared) -> bool:
    return token.name is None and bool(token.text) and choice.detail.slot(token) is not None


class Matches:
    """Tags of pages, and for each choice of tokens around them the tags that it lets through.

    The flags of each token, and of each sequence of tokens, are computed once.
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
        self._flags: dict[tuple[Shared, frozenset[object], int | None, int | None], Flags] = {}
        self._running: dict[tuple[object, bool, int], Flags] = {}

    def at(self, choice: Choice) -> Flags:
        """Which tags are at the choice's landmark, page after page."""
        flags = self._run(choice, choice.before, forward=False)
        if choice.after:
            flags = flags & self._run(choice, choice.after, forward=True)
        return flags

    def _run(self, choice: Choice, count: int, *, forward: bool) -> Flags:
        """Which tags the first `count` tokens of a side let through."""
        key = (choice.detail, forward, count)
        if key not in self._running:
            flags = self._flags_of(self._sides[forward][count - 1], choice)
            if count > 1:
                flags = flags & self._run(choice, count - 1, forward=forward)
            self._running[key] = flags
        return self._running[key]

    def _flags_of(self, shared: Shared, choice: Choice) -> Flags:
        pairs = choice.detail.pairs(shared) if shared.name is not None else frozenset()
        slot = choice.detail.slot(shared) if shared.name is None else None
        at = choice.detail.place(shared)
        key = (shared, frozenset(pairs), slot, at)
        if key not in self._flags:
            parts = []
            for outline, tags in self.pages:
                place = tags + shared.by
                fits = (place >= 0) & (place < outline.size)
                # Tags near the ends of a page have no neighbour there: any index will do for them.
                safe = np.where(fits, place, 0)
                if shared.name is not None:
                    fits = fits & (outline.names[safe] == np.uint64(shared.name))
                    for pair in pairs:
                        fits = fits & outline.having(pair)[safe]
                    if at is not None:
                        fits = fits & (outline.places[safe] == at)
                elif slot is not None:
                    fits = fits & (outline.slots[safe] == np.uint64(slot))
                parts.append(fits)
            self._flags[key] = np.concatenate(parts)
        return self._flags[key]


def _candidates(
    outline: Outline, token: Shared, cut: Cut, stretches: list[tuple[int, int, bool]]
) -> tuple[Tags, Tags]:
    """The tags of that name at which the cut gives a value, and the number of their stretch."""
    assert token.name is not None
    tags = np.flatnonzero(outline.names == np.uint64(token.name))
    numbers = np.full(len(tags), -1)
    for number, (low, high, _) in enumerate(stretches):
        numbers[np.searchsorted(tags, low) : np.searchsorted(tags, high)] = number
    tags, numbers = tags[numbers >= 0], numbers[numbers >= 0]
    if cut == Cut():
        full = outline.slots[tags] != 0
    elif cut == Cut(phrase=True):  # where the slot is empty, the text may be in the next tag
        full = outline.slots[tags] != 0
        for index in np.flatnonzero(~full).tolist():
            full[index] = cut.value(outline, int(tags[index])) is not None
    else:
        full = np.array([cut.value(outline, tag) is not None for tag in tags.tolist()], bool)
    return tags[full], numbers[full]

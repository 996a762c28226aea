r"""Recycling a chain: each step reuses its own old records (Delex, section 4).

The first step reads the page, and is recycled as any extractor. A later step reads texts that the
step before it found. With lines between bars, and then names in them:

    old page    Ada Lovelace wrote it. | Seen by Bob.
    new page    Note. | Ada Lovelace wrote it. | Seen by Bob Ross.
    texts       "Note."                     extracted
                "Ada Lovelace wrote it."    an old text: its records are copied
                "Seen by Bob Ross."         recycled against the old text in its place, by the
                                            locality of the step

The store keeps the records of each step, so that the texts of the old page are known. A step whose
locality is the whole page, such as a model, then still reads only the texts that changed.

Departure: Delex chooses a matcher for each step by its cost. Here one matching of the page serves
all steps: places of texts lead back to the page, so that its old regions are those of the texts.
"""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.chain import (
    Chain,
    StepResult,
    inputs_of,
    parts_of,
    placed,
    results_of_steps,
    steps_of,
)
from rowen.extractors.locality import Segments, WholePage
from rowen.model import ExtractionError, Page
from rowen.records import Records
from rowen.records.packed import NOWHERE, Packed, Shapes, join
from rowen.recycling.page_regions import Table
from rowen.recycling.recycle import Recycled, apply, copy_records
from rowen.recycling.regions import (
    REMOVED_CHARACTERS,
    SHORTEST_MATCH,
    derive_regions,
    useful_length,
)


def extract_steps(chain: Chain, page: Page, shapes: list[Shapes]) -> Recycled:
    """All steps from scratch."""
    results = results_of_steps(chain, page, shapes)
    return _outcome(chain, results, len(page.text), page)


def recycle_steps(
    chain: Chain,
    matches: Table,
    old: str,
    old_records: Sequence[Packed],
    page: Page,
    *,
    shapes: list[Shapes],
    sparing: int = REMOVED_CHARACTERS,
) -> Recycled:
    """The records of a page, given the old regions and the old records of each step."""
    first = chain.steps[0].extractor
    regions = derive_regions(grain_of(first), matches, old, page.text, sparing=sparing)
    recycled = apply(first, regions, old_records[0], page, shapes[0])
    results = [StepResult(recycled.records, recycled.failure)]
    extracted, total = recycled.extracted, len(page.text)
    for number, step in enumerate(chain.steps[1:], 1):
        olds = _OldTexts(chain, number, old, old_records, shapes)
        texts = inputs_of(chain, number, results[-1].records, shapes[number - 1], page)
        result, again = _recycle_step(step.extractor, texts, olds, matches, page, sparing)
        results.append(result)
        extracted += again
        total += sum(end - start for start, end in texts)
    return _outcome(chain, results, _part(len(page.text), extracted, total), page)


def _part(size: int, extracted: int, total: int) -> int:
    """How much of a page counts as extracted: as much as of all that its steps would read."""
    return -(-size * min(extracted, total) // total) if total else 0


def _recycle_step(  # noqa: PLR0917  # what is read, what is known, and where
    step: Extractor,
    texts: Sequence[tuple[int, int]],
    olds: "_OldTexts",
    matches: Table,
    page: Page,
    sparing: int,
) -> tuple[StepResult, int]:
    """What a step finds in its texts, and how many characters it read for that."""
    copies: list[tuple[int, int, int]] = []
    read: list[tuple[Records, int, int]] = []
    parts: list[Packed] = []
    failure, extracted = None, 0
    is_local = not isinstance(grain_of(step), WholePage)
    for start, end in texts:
        content = page.text[start:end]
        same = olds.by_text.get(content)
        if same is not None:
            copies.append((*same, start - same[0]))
            continue
        text = Page(content, id=page.id)
        recycled = _recycle_text(step, text, start, olds, matches, sparing) if is_local else None
        if recycled is None:
            read.append((step.extract(text), start, end))
            failure = failure or read[-1][0].failure
            extracted += end - start
        else:
            parts.append(recycled.records.shift(start))
            failure = failure or recycled.failure
            extracted += recycled.extracted
    # Of all copied texts and of all others at once: most texts are short.
    if copies:
        copied = copy_records(np.array(copies, np.int64), olds.records)
        assert copied is not None  # else no old text would be known
        parts.append(copied)
    if read:
        parts.append(placed(step, read, page, olds.shapes))
    return StepResult(join(parts), failure), extracted


def _outcome(chain: Chain, results: Sequence[StepResult], extracted: int, page: Page) -> Recycled:
    """The records of the last step, with those of the others."""
    failure = next((result.failure for result in results if result.failure is not None), None)
    for step, result in zip(chain.steps, results, strict=True):
        if not result.records.fits(len(page.text)):
            reason = f"gave spans outside the page, which has {len(page.text):,} characters"
            raise ExtractionError(step.extractor.name, page.id, reason)
    steps = tuple(result.records for result in results[:-1])
    copied = len(page.text) - extracted
    return Recycled(results[-1].records, extracted, copied, failure, steps)


def is_reusable(extractor: Extractor) -> bool:
    """Whether changed pages can be of use: a chain at least compares the texts that steps read."""
    return bool(steps_of(extractor)) or not isinstance(grain_of(extractor), WholePage)


def least_match(extractor: Extractor) -> int:
    """The least length of an old region that is worth finding for an extractor."""
    lengths = [
        useful_length(grain)
        for part in parts_of(extractor)
        if not isinstance(grain := grain_of(part), WholePage)
    ]
    return min(lengths, default=SHORTEST_MATCH)


def estimate_left(extractor: Extractor, matches: Table, old: str, new: str, *, sparing: int) -> int:
    """How many characters an extractor would read again, of a chain the step that reads most.

    Nothing is extracted for that, so the texts of later steps are not known: that a step without a
    locality reads the changed lines is a guess.
    """
    grains = [grain_of(part) for part in parts_of(extractor)]
    if len(grains) > 1:
        grains = [Segments("\n") if isinstance(grain, WholePage) else grain for grain in grains]
    return max(derive_regions(grain, matches, old, new, sparing=sparing).left for grain in grains)


class _OldTexts:
    """The texts that a step read on the old page, and what it found in each."""

    def __init__(
        self, chain: Chain, number: int, old: str, records: Sequence[Packed], shapes: list[Shapes]
    ) -> None:
        self.text = old
        self.shapes = shapes[number]
        self.records = records[number]
        starts, ends = self.records.extents()
        order = np.argsort(starts, kind="stable")
        self.records = self.records.take(order)
        self.starts, self.ends = starts[order], ends[order]
        places = inputs_of(chain, number, records[number - 1], shapes[number - 1], Page(old))
        # A record without a place belongs to no text in particular.
        self.places = [] if np.any(starts == NOWHERE) else self._own(places)
        self.by_text = {old[start:end]: (start, end) for start, end in self.places}
        self.begins = [start for start, _ in self.places]

    def _own(self, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The texts whose records are certain: those that share no place with another text."""
        # A record of no length between two texts may be of either.
        between = set(self.starts[self.starts == self.ends].tolist())
        own, furthest = [], -1
        for at, (start, end) in enumerate(places):
            follower = places[at + 1][0] if at + 1 < len(places) else len(self.text) + 1
            apart_before = furthest < start or (furthest == start and start not in between)
            apart_after = end < follower or (end == follower and end not in between)
            if apart_before and apart_after:
                own.append((start, end))
            furthest = max(furthest, end)
        return own

    def within(self, start: int, end: int) -> Packed:
        """What was found in one of the texts, with places in that text."""
        first = int(np.searchsorted(self.starts, start))
        last = int(np.searchsorted(self.starts, end, "right"))
        rows: NDArray[np.intp] = np.arange(first, last)[self.ends[first:last] <= end]
        return self.records.take(rows).shift(-start)

    def around(self, place: int) -> tuple[int, int] | None:
        """The text that covers a place of the old page."""
        at = bisect_right(self.begins, place) - 1
        return self.places[at] if at >= 0 and place < self.places[at][1] else None


def _recycle_text(  # noqa: PLR0917  # as above
    step: Extractor, page: Page, start: int, olds: _OldTexts, matches: Table, sparing: int
) -> Recycled | None:
    """What a step finds in one text, which begins at `start` of the new page.

    None if no old text is in its place.
    """
    inside = _clipped(matches, (start, start + len(page.text)))
    before = None
    if len(inside):
        longest = inside[int(np.argmax(inside[:, 2]))]
        before = olds.around(int(longest[1]))
    if before is None:
        return None
    old = olds.text[before[0] : before[1]]
    inside = _clipped(inside[:, [1, 0, 2]], before)[:, [1, 0, 2]] - np.array([start, before[0], 0])
    regions = derive_regions(grain_of(step), _rising(inside), old, page.text, sparing=sparing)
    return apply(step, regions, olds.within(*before), page, olds.shapes)


def _clipped(matches: Table, span: tuple[int, int]) -> Table:
    """The parts of regions within a span of the page whose starts come first."""
    first = np.maximum(matches[:, 0], span[0])
    last = np.minimum(matches[:, 0] + matches[:, 2], span[1])
    cut = np.stack((first, matches[:, 1] + first - matches[:, 0], last - first), axis=1)
    return cut[cut[:, 2] > 0]


def _rising(matches: Table) -> Table:
    """Without the regions inside others, which clipping may leave."""
    ends = matches[:, 0] + matches[:, 2]
    before = np.concatenate(([-1], np.maximum.accumulate(ends)[:-1])) if len(ends) else ends
    return matches[ends > before]

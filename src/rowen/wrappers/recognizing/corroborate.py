"""Corroboration: which labels of a page its recognizers allow (chapter 6).

`corrob` is the thesis' Corrob (figure 6.1), made lazy; `corrob_star` its Corrob* (6.6). Both rest
on one observation: the instances of a perfect recognizer, the anchors, cut a page into gaps, and in
each gap every field has at most one cell. Gaps don't depend on each other, so that all labels are
kept as the choices of each gap, and their number never matters.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import TypeAlias

from rowen.limits import CORROBORATED_FIELDS
from rowen.model import InputError, Page, UsageError
from rowen.wrappers import budget
from rowen.wrappers.placing.whereabouts import Place
from rowen.wrappers.recognizing.recognizers import Recognizer, Soundness

Choice: TypeAlias = Place | None
"""What a cell may hold; None is the thesis' "?": nothing is known of it."""


@dataclass(frozen=True, slots=True)
class Instances:
    """What all recognizers of one field say of a page."""

    certain: frozenset[Place]
    """True for sure: from perfect and incomplete recognizers."""
    possible: frozenset[Place]
    """Those, and the ones that may be true."""
    complete: bool
    """Whether all true instances are possible: from perfect and unsound recognizers."""

    @property
    def perfect(self) -> bool:
        """Whether nothing is left open."""
        return self.complete and self.certain == self.possible


@dataclass(frozen=True, slots=True)
class PartialLabel:
    """A table of places; its columns are in page order, as are its rows."""

    order: tuple[str, ...]
    rows: tuple[tuple[Choice, ...], ...]

    def records(self) -> list[dict[str, Place]]:
        """The rows as examples take them: what is unknown is left out."""
        return [
            {name: place for name, place in zip(self.order, row, strict=True) if place is not None}
            for row in self.rows
        ]


def recognize(page: Page, recognizers: Sequence[Recognizer]) -> dict[str, Instances]:
    """Run all recognizers on a page; several of one field complete each other (6.7).

    What an incomplete one finds is true; what any unsound one misses is not, so that only instances
    stay possible on which the unsound ones agree. Unreliable ones only count beside no better one.
    """
    found: dict[str, dict[Soundness, list[frozenset[Place]]]] = {}
    for recognizer in recognizers:
        budget.check()
        spans = frozenset((span.start, span.end) for span in recognizer.find(page))
        kinds = found.setdefault(recognizer.field, {})
        kinds.setdefault(Soundness(recognizer.soundness), []).append(spans)
    return {name: _combined(kinds) for name, kinds in found.items()}


def _combined(kinds: Mapping[Soundness, list[frozenset[Place]]]) -> Instances:
    perfect = kinds.get(Soundness.PERFECT)
    if perfect:
        return Instances(perfect[0], perfect[0], complete=True)
    nothing: frozenset[Place] = frozenset()
    certain = nothing.union(*kinds.get(Soundness.INCOMPLETE, ()))
    if unsound := kinds.get(Soundness.UNSOUND):
        agreed = unsound[0].intersection(*unsound[1:])
        return Instances(certain, certain | agreed, complete=True)
    guessed = nothing.union(*kinds.get(Soundness.UNRELIABLE, ()))
    return Instances(certain, certain | guessed, complete=False)


@dataclass(frozen=True, slots=True)
class Gap:
    """The cells between two anchors, in page order, with what each may hold."""

    cells: tuple[tuple[int, str], ...]
    """Row and field of each."""
    choices: tuple[tuple[Choice, ...], ...]

    def solutions(self) -> Iterator[tuple[Choice, ...]]:
        """All ways to fill the cells so that each value stands after the one before."""
        yield from _fill(self.choices, 0)

    def count(self) -> int:
        """How many solutions there are; without listing them."""
        ways: dict[int, int] = {0: 1}
        for options in self.choices:
            following: dict[int, int] = {}
            for reached, number in ways.items():
                for option in options:
                    if option is None or option[0] >= reached:
                        end = reached if option is None else option[1]
                        following[end] = following.get(end, 0) + number
            ways = following
        return sum(ways.values())

    def feasible(self) -> "Gap":
        """The same gap with only the choices that are part of a solution."""
        first = _reachable(self.choices)
        mirrored = [[_mirror(one) for one in options] for options in reversed(first)]
        last = [[_mirror(one) for one in options] for options in reversed(_reachable(mirrored))]
        return Gap(self.cells, tuple(tuple(options) for options in last))


def _fill(choices: Sequence[Sequence[Choice]], reached: int) -> Iterator[tuple[Choice, ...]]:
    if not choices:
        yield ()
        return
    for option in choices[0]:
        if option is None or option[0] >= reached:
            for rest in _fill(choices[1:], reached if option is None else option[1]):
                yield (option, *rest)


def _reachable(choices: Sequence[Sequence[Choice]]) -> list[list[Choice]]:
    """The choices before which all cells can be filled: an early end is always best."""
    found: list[list[Choice]] = []
    reached: float = -math.inf
    for options in choices:
        fitting = [one for one in options if one is None or one[0] >= reached]
        found.append(fitting)
        ends = [reached if one is None else max(reached, one[1]) for one in fitting]
        reached = min(ends, default=math.inf)
    return found


def _mirror(choice: Choice) -> Choice:
    return None if choice is None else (-choice[1], -choice[0])


@dataclass(frozen=True, slots=True)
class Ordering:
    """One order of the fields with which a page can be labelled, and all labels that have it."""

    order: tuple[str, ...]
    anchors: tuple[Place, ...]
    anchor_field: str
    gaps: tuple[Gap, ...]

    def count(self) -> int:
        """How many labels there are."""
        return math.prod(gap.count() for gap in self.gaps)

    def labels(self) -> Iterator[PartialLabel]:
        """All labels; there may be very many, so take only what you need."""
        for chosen in _combinations(self.gaps):
            pairs = zip(self.gaps, chosen, strict=True)
            yield self.label([dict(zip(gap.cells, one, strict=True)) for gap, one in pairs])

    def label(self, filled: Sequence[Mapping[tuple[int, str], Choice]]) -> PartialLabel:
        """The label in which the gaps are filled like that."""
        cells: dict[tuple[int, str], Choice] = {}
        for one in filled:
            cells.update(one)
        for row, anchor in enumerate(self.anchors):
            cells[row, self.anchor_field] = anchor
        return PartialLabel(
            self.order,
            tuple(
                tuple(cells.get((row, name)) for name in self.order)
                for row in range(len(self.anchors))
            ),
        )


def _combinations(gaps: Sequence[Gap]) -> Iterator[tuple[tuple[Choice, ...], ...]]:
    """One solution of each gap in all combinations; unlike `itertools.product` keeps no lists."""
    running = [gap.solutions() for gap in gaps]
    chosen = [next(one) for one in running]  # each gap has a solution
    while True:
        yield tuple(chosen)
        for index in range(len(gaps) - 1, -1, -1):
            following = next(running[index], None)
            if following is not None:
                chosen[index] = following
                break
            running[index] = gaps[index].solutions()
            chosen[index] = next(running[index])
        else:
            return


def corrob(page: Page | str, recognizers: Sequence[Recognizer]) -> Iterator[PartialLabel]:
    """Corrob: all labels consistent with the recognizers, in all orders of the fields.

    As in the thesis at least one recognizer must be perfect (assumption 6.1); beyond it, unreliable
    ones may take part, whose cells may stay unknown.
    """
    for ordering in orderings(recognize(Page.of(page), recognizers)):
        yield from ordering.labels()


def orderings(instances: Mapping[str, Instances]) -> Iterator[Ordering]:
    """The consistent orders of the fields, each with its labels in compact form.

    What two fields and the anchors exclude, no order of all fields has: that is tried first.
    """
    if len(instances) > CORROBORATED_FIELDS:
        raise UsageError(f"at most {CORROBORATED_FIELDS} fields can be put in order by trying all")
    anchor = _anchor(instances)
    others = [name for name in instances if name != anchor]
    triples = {
        triple
        for pair in combinations(others, 2)
        for triple in permutations((anchor, *pair))
        if ordering({name: instances[name] for name in triple}, triple) is not None
    }
    for order in _orders(tuple(instances), anchor, triples):
        found = ordering(instances, order)
        if found is not None:
            yield found


def _orders(
    names: Sequence[str], anchor: str, triples: set[tuple[str, ...]], prefix: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """The orders of which each two fields stand to each other and to the anchor as in a triple."""
    if len(prefix) == len(names):
        yield prefix
    for name in names:
        longer = (*prefix, name)
        if name not in prefix and all(
            tuple(one for one in longer if one in {anchor, first, second}) in triples
            for first, second in combinations([one for one in longer if one != anchor], 2)
            if anchor in longer and name in {anchor, first, second}
        ):
            yield from _orders(names, anchor, triples, longer)


def _anchor(instances: Mapping[str, Instances]) -> str:
    """The field whose instances tell records apart: the first that is recognized perfectly."""
    for name, one in instances.items():
        if one.perfect:
            return name
    raise InputError(
        "no field has a perfect recognizer: corroboration needs one to tell records apart; declare "
        "one with soundness = 'perfect'"
    )


def ordering(instances: Mapping[str, Instances], order: Sequence[str]) -> Ordering | None:
    """The labels with the fields in this order; None where there is none."""
    anchor = _anchor(instances)
    anchors = tuple(sorted(instances[anchor].certain))
    split = order.index(anchor)
    before, after = order[:split], order[split + 1 :]
    gaps: list[Gap] = []
    pools = {name: sorted(one.possible) for name, one in instances.items() if name != anchor}
    low = 0
    for number in range(len(anchors) + 1):
        budget.check()
        high = anchors[number][0] if number < len(anchors) else math.inf
        cells = [(number - 1, name) for name in after] if number else []
        cells += [(number, name) for name in before] if number < len(anchors) else []
        gap = _gap(instances, pools, cells, low, high)
        if gap is None:
            return None
        gaps.append(gap)
        if number < len(anchors):
            if anchors[number][0] < low:
                return None  # anchors that overlap
            low = anchors[number][1]
    if any(not _inside(anchors, one) for name in pools for one in instances[name].certain):
        return None
    return Ordering(tuple(order), anchors, anchor, tuple(gaps))


def _inside(anchors: Sequence[Place], place: Place) -> bool:
    """Whether a place lies in a gap, rather than across an anchor."""
    index = bisect_right(anchors, place[0], key=lambda one: one[0])
    before_fits = index == 0 or anchors[index - 1][1] <= place[0]
    return before_fits and (index == len(anchors) or place[1] <= anchors[index][0])


def _gap(
    instances: Mapping[str, Instances],
    pools: Mapping[str, list[Place]],
    cells: list[tuple[int, str]],
    low: int,
    high: float,
) -> Gap | None:
    """What the cells of a gap may hold; None where it can't be filled."""
    wanted = {name for _, name in cells}
    choices: dict[str, tuple[Choice, ...]] = {}
    for name, pool in pools.items():
        found: list[Place] = []
        for index in range(bisect_left(pool, (low, 0)), len(pool)):
            if pool[index][0] >= high:
                break
            if pool[index][1] <= high:
                found.append(pool[index])
        certain = [one for one in found if one in instances[name].certain]
        if len(certain) > 1 or (certain and name not in wanted):
            return None
        open_choices: tuple[Choice, ...] = tuple(certain or found)
        if not certain and not instances[name].complete:
            open_choices = (*open_choices, None)
        choices[name] = open_choices
    gap = Gap(tuple(cells), tuple(choices[name] for _, name in cells)).feasible()
    return gap if all(gap.choices) else None


@dataclass(frozen=True, slots=True)
class CompactLabel:
    """All labels of Corrob* for one order: each cell is chosen by itself (6.6.2)."""

    order: tuple[str, ...]
    rows: tuple[tuple[tuple[Choice, ...], ...], ...]
    """The choices of each cell, the most likely first; `(None,)` where nothing is known."""

    def count(self) -> int:
        """How many labels there are."""
        return math.prod(len(cell) for row in self.rows for cell in row)

    def labels(self, limit: int | None = None) -> Iterator[PartialLabel]:
        """The labels, in proximity order: those whose choices are nearest to their anchors first.

        Nearness counts by rank, as in the thesis: the sum of the ranks grows.
        """
        cells = [cell for row in self.rows for cell in row]
        width = len(self.order)
        for chosen in islice(_by_rank([len(cell) for cell in cells]), limit):
            places = [cell[rank] for cell, rank in zip(cells, chosen, strict=True)]
            rows = [tuple(places[at : at + width]) for at in range(0, len(places), width)]
            yield PartialLabel(self.order, tuple(rows))


def _by_rank(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All choices of one rank a cell, by their sum."""
    for total in range(sum(size - 1 for size in sizes) + 1):
        yield from _with_sum(sizes, total)


def _with_sum(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Choices whose ranks have that sum; without recursion, as a page may have thousands."""
    open_cells = [index for index, size in enumerate(sizes) if size > 1]
    room = [0]
    for index in reversed(open_cells):
        room.append(room[-1] + sizes[index] - 1)
    room.reverse()
    stack: list[tuple[int, int, tuple[int, ...]]] = [(0, total, ())]
    while stack:
        depth, left, ranks = stack.pop()
        if depth == len(open_cells):
            if not left:
                filled = [0] * len(sizes)
                for index, rank in zip(open_cells, ranks, strict=True):
                    filled[index] = rank
                yield tuple(filled)
            continue
        low = max(0, left - room[depth + 1])
        high = min(left, sizes[open_cells[depth]] - 1)
        stack += [(depth + 1, left - rank, (*ranks, rank)) for rank in range(low, high + 1)]


def corrob_star(
    page: Page | str, recognizers: Sequence[Recognizer], order: Sequence[str]
) -> CompactLabel | None:
    """Corrob*: the labels with this order of the fields, less what is strongly ambiguous.

    None where no label has this order. Each of its labels is one of Corrob's in which cells were
    made unknown, and each of Corrob's labels, with the same cells made unknown, is among them: so
    where the recognizers are what they are declared to be, the true label is, too.
    """
    found = ordering(recognize(Page.of(page), recognizers), order)
    return None if found is None else compact(found)


def compact(found: Ordering) -> CompactLabel:
    """Keep one field of each cluster of strongly ambiguous cells, so that the rest is independent.

    Departing from 6.6.3, nearness is that to the anchor of the same record, on whichever side.
    """
    cells: dict[tuple[int, str], tuple[Choice, ...]] = {
        (row, found.anchor_field): (anchor,) for row, anchor in enumerate(found.anchors)
    }
    for gap in found.gaps:
        kept = _weak(gap)
        for (row, name), options in zip(gap.cells, kept, strict=True):
            anchor = found.anchors[row]
            cells[row, name] = tuple(sorted(options, key=lambda one: _farness(one, anchor)))
    rows = tuple(
        tuple(cells[row, name] for name in found.order) for row in range(len(found.anchors))
    )
    return CompactLabel(found.order, rows)


def _farness(choice: Choice, anchor: Place) -> float:
    if choice is None:
        return math.inf
    return max(choice[0] - anchor[1], anchor[0] - choice[1])


def _weak(gap: Gap) -> list[tuple[Choice, ...]]:
    """The choices of a gap's cells, of which those that depend on each other are given up.

    Two cells are in one cluster where a choice of the one excludes a choice of the other. The
    thesis keeps any one of a cluster's fields; here it is that with the fewest choices.
    """
    kept = list(gap.choices)
    cluster = list(range(len(kept)))
    for first in range(len(kept)):
        end = max((one[1] for one in kept[first] if one is not None), default=None)
        for second in range(first + 1, len(kept)):
            start = min((one[0] for one in kept[second] if one is not None), default=None)
            if end is not None and start is not None and start < end:
                old, new = cluster[second], cluster[first]
                cluster = [new if one == old else one for one in cluster]
    for name in set(cluster):
        members = [index for index, one in enumerate(cluster) if one == name]
        best = min(members, key=lambda index: len(gap.choices[index]))
        for index in members:
            if index != best:
                kept[index] = (None,)
    return kept

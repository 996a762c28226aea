"""Corroboration: which labels of a page its recognizers allow (Corrob, section 6.4, figure 6.1).

The instances of a perfect recognizer, the anchors, cut a page into gaps, and in each gap every
field has at most one cell. Gaps don't depend on each other. So, other than in the thesis, labels
are not listed but kept as the choices of each gap, and their number never matters.

    page          Congo 242 Egypt 20 Next          code is recognized perfectly: 242, 20
    country       Congo, Egypt, Next (unsound)
    order (country, code)
      gaps        [Congo] 242 [Egypt] 20 []        one label; Next is in no record
    order (code, country)
      gaps        [] 242 [Egypt] 20 [Next]         one label; here Congo is in none

A gap may have several cells. They are filled in their order on the page:

    cells         x, then y                        choices of both: A or B, A before B on the page
    solutions     x = A, y = B                     B in x leaves nothing for y
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TypeAlias

from rowen.induction import budget
from rowen.learning.recognizers.recognizer import Instances, Recognizer, recognize
from rowen.model import InputError, Page, UsageError
from rowen.records.positions import Position

CORROBORATED_FIELDS = 8
"""Limit: at most this many fields are put in order by trying all orders, which are 40,320."""


Choice: TypeAlias = Position | None
"""What a cell may hold; None is the thesis' "?": nothing is known of it."""


@dataclass(frozen=True, slots=True)
class PartialLabel:
    """A table of positions; its columns and its rows are in page order."""

    order: tuple[str, ...]
    rows: tuple[tuple[Choice, ...], ...]

    def records(self) -> list[dict[str, Position]]:
        """The rows as examples take them: what is unknown is left out."""
        return [
            {
                name: choice
                for name, choice in zip(self.order, row, strict=True)
                if choice is not None
            }
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class Gap:
    """The cells between two anchors, in page order, with what each may hold."""

    cells: tuple[tuple[int, str], ...]
    """Row and field of each."""
    choices: tuple[tuple[Choice, ...], ...]

    def solutions(self) -> Iterator[tuple[Choice, ...]]:
        """All ways to fill the cells so that each value comes after the one before."""
        yield from _fill(self.choices, 0)

    def count(self) -> int:
        """How many solutions there are; without listing them."""
        # By how far the cells filled so far reach: more is not needed to know what fits next.
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
        # A choice is part of a solution if the cells before it can be filled and, read backwards,
        # the cells after it can.
        first = _reachable(self.choices)
        mirrored = [[_mirror(option) for option in options] for options in reversed(first)]
        last = [
            [_mirror(option) for option in options] for options in reversed(_reachable(mirrored))
        ]
        return Gap(self.cells, tuple(tuple(options) for options in last))


def _fill(choices: Sequence[Sequence[Choice]], reached: int) -> Iterator[tuple[Choice, ...]]:
    if not choices:
        yield ()
        return
    for option in choices[0]:
        if option is None or option[0] >= reached:
            for following in _fill(choices[1:], reached if option is None else option[1]):
                yield (option, *following)


def _reachable(choices: Sequence[Sequence[Choice]]) -> list[list[Choice]]:
    """The choices before which all cells can be filled: an early end is always best."""
    reachable: list[list[Choice]] = []
    reached: float = -math.inf
    for options in choices:
        fitting = [option for option in options if option is None or option[0] >= reached]
        reachable.append(fitting)
        ends = [reached if option is None else max(reached, option[1]) for option in fitting]
        reached = min(ends, default=math.inf)
    return reachable


def _mirror(choice: Choice) -> Choice:
    return None if choice is None else (-choice[1], -choice[0])


@dataclass(frozen=True, slots=True)
class Ordering:
    """One order of the fields with which a page can be labelled, and all labels that have it."""

    order: tuple[str, ...]
    anchors: tuple[Position, ...]
    anchor_field: str
    gaps: tuple[Gap, ...]

    def count(self) -> int:
        """How many labels there are."""
        return math.prod(gap.count() for gap in self.gaps)

    def labels(self) -> Iterator[PartialLabel]:
        """All labels; there may be very many, so take only what you need."""
        for chosen in _combinations(self.gaps):
            pairs = zip(self.gaps, chosen, strict=True)
            yield self.label(
                [dict(zip(gap.cells, solution, strict=True)) for gap, solution in pairs]
            )

    def label(self, filled: Sequence[Mapping[tuple[int, str], Choice]]) -> PartialLabel:
        """The label in which the gaps are filled with these cells."""
        cells: dict[tuple[int, str], Choice] = {}
        for cells_of_gap in filled:
            cells.update(cells_of_gap)
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
    """All combinations of one solution per gap; unlike `itertools.product`, keeps no lists."""
    running = [gap.solutions() for gap in gaps]
    chosen = [next(solutions) for solutions in running]  # each gap has a solution
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

    An order of all fields is possible only if its order of each two fields and the anchor is: these
    triples are tried first.
    """
    if len(instances) > CORROBORATED_FIELDS:
        raise UsageError(
            f"recognizers for more than {CORROBORATED_FIELDS} fields have too many orders to try"
        )
    anchor = _anchor(instances)
    others = [name for name in instances if name != anchor]
    triples = {
        triple
        for pair in combinations(others, 2)
        for triple in permutations((anchor, *pair))
        if ordering({name: instances[name] for name in triple}, triple) is not None
    }
    # Eight fields have 40,320 orders, but only 126 triples with the anchor; most orders fail there.
    for order in _orders(tuple(instances), anchor, triples):
        consistent = ordering(instances, order)
        if consistent is not None:
            yield consistent


def _orders(
    names: Sequence[str], anchor: str, triples: set[tuple[str, ...]], prefix: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """The orders in which each two fields and the anchor are in the order of one of the triples."""
    if len(prefix) == len(names):
        yield prefix
    for name in names:
        longer = (*prefix, name)
        if name not in prefix and all(
            tuple(field for field in longer if field in {anchor, first, second}) in triples
            for first, second in combinations([field for field in longer if field != anchor], 2)
            if anchor in longer and name in {anchor, first, second}
        ):
            yield from _orders(names, anchor, triples, longer)


def _anchor(instances: Mapping[str, Instances]) -> str:
    """The field whose instances separate records: the first that is recognized perfectly."""
    for name, page_instances in instances.items():
        if page_instances.perfect:
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
    pools = {
        name: sorted(position.possible) for name, position in instances.items() if name != anchor
    }
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
            # Records can't be separated by what overlaps.
            if anchors[number][0] < low:
                return None  # anchors that overlap
            low = anchors[number][1]
    if any(
        not _inside(anchors, position) for name in pools for position in instances[name].certain
    ):
        return None
    return Ordering(tuple(order), anchors, anchor, tuple(gaps))


def _inside(anchors: Sequence[Position], position: Position) -> bool:
    """Whether a position lies in a gap, rather than across an anchor."""
    index = bisect_right(anchors, position[0], key=lambda anchor: anchor[0])
    before_fits = index == 0 or anchors[index - 1][1] <= position[0]
    return before_fits and (index == len(anchors) or position[1] <= anchors[index][0])


def _gap(
    instances: Mapping[str, Instances],
    pools: Mapping[str, list[Position]],
    cells: list[tuple[int, str]],
    low: int,
    high: float,
) -> Gap | None:
    """What the cells of a gap may hold; None where it can't be filled."""
    names = {name for _, name in cells}
    choices: dict[str, tuple[Choice, ...]] = {}
    for name, pool in pools.items():
        inside: list[Position] = []
        for index in range(bisect_left(pool, (low, 0)), len(pool)):
            if pool[index][0] >= high:
                break
            if pool[index][1] <= high:
                inside.append(pool[index])
        certain = [position for position in inside if position in instances[name].certain]
        # A gap has one cell per field, so two true instances, or one without a cell, exclude the
        # order.
        if len(certain) > 1 or (certain and name not in names):
            return None
        open_choices: tuple[Choice, ...] = tuple(certain or inside)
        if not certain and not instances[name].complete:
            open_choices = (*open_choices, None)
        choices[name] = open_choices
    gap = Gap(tuple(cells), tuple(choices[name] for _, name in cells)).feasible()
    return gap if all(gap.choices) else None

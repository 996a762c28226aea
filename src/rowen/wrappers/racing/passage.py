"""The way over unknown values, for records with missing fields: M-LR and M-HLRT (6.5.1).

A cell of a label is known, missing or unknown; an unknown one may be missing, too. Which fields
begin a record is then open as well: each choice that can begin all records is tried, the smallest
first. Pages are run with all lengths of all delimiters at once: see `unknown.splitting` and
`crossing`. Complete within the budget.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from rowen.model import NoConsistentWrapper, SearchCutShort
from rowen.wrappers.racing.crossing import Crossing
from rowen.wrappers.racing.laps import Lap, Turn, check_transitions, longest_lefts, right_bounds
from rowen.wrappers.racing.liking import left_lengths, right_length, right_lengths
from rowen.wrappers.racing.missing import (
    GONE,
    Cell,
    Labels,
    missing_rule,
)
from rowen.wrappers.racing.propagation import Bounds, Conflict, Gaps
from rowen.wrappers.racing.race import Rule
from rowen.wrappers.racing.unbounded import choose_lengths, inconsistent
from rowen.wrappers.tabular.table import Table, TablePage
from rowen.wrappers.unknown.outskirts import Outskirts
from rowen.wrappers.unknown.splitting import Box, Side, solve


class Passage(NamedTuple):
    """Delimiters that give all known values back, and the fields that begin a record."""

    left: list[str]
    right: list[str]
    first: list[str]
    head: str
    tail: str


def find_passage(labels: Labels, *, framed: bool) -> Passage:
    """Delimiters that give all known values back, or `NoConsistentWrapper`."""
    search = _Search(labels, framed=framed)
    trouble: NoConsistentWrapper | None = None
    for first in _beginners(labels):
        try:
            found = next(search.solutions(first), None)
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
            continue
        if found is not None:
            return found
    raise trouble or NoConsistentWrapper(
        "some values are unknown, and nothing that gives the others back gets past them",
        pages=tuple(
            lap.page.id
            for lap, rows in zip(labels.laps, labels.tables, strict=True)
            if any(None in row for row in rows)
        ),
    )


def _beginners(labels: Labels) -> Iterator[tuple[int, ...]]:
    """The fields that may begin all records: fewer first, since they race after each value."""
    wanted = [_leading(row) for rows in labels.tables for row in rows]
    sure = {one for fields in wanted if len(fields) == 1 for one in fields}
    others = sorted(set().union(*wanted) - sure)
    for count in range(len(others) + 1):
        for more in combinations(others, count):
            first = sure.union(more)
            if all(first & fields for fields in wanted):
                yield tuple(sorted(first))


def _leading(row: Sequence[Cell]) -> set[int]:
    """The fields that a record may begin with."""
    found = set()
    for field, cell in enumerate(row):
        if cell != GONE:
            found.add(field)
        if cell not in {None, GONE}:
            break
    return found


def _sure_turns(lap: Lap, rows: Sequence[Sequence[Cell]]) -> Iterator[Turn]:
    """The races of which is known where they start: not after an unknown value."""
    turns = iter(lap.turns())
    sure = True
    for row in rows:
        for cell in row:
            if cell is None:
                sure = False
            elif cell != GONE:
                turn = next(turns)
                if sure:
                    yield turn
                sure = True


class _Search:
    def __init__(self, labels: Labels, *, framed: bool) -> None:
        self._labels = labels
        self._framed = framed
        self._count = len(labels.fields)
        self._longest = longest_lefts(labels.laps, labels.fields)
        self._rights = right_bounds(labels.laps, labels.fields)
        self._sure = [
            turn
            for lap, rows in zip(labels.laps, labels.tables, strict=True)
            for turn in _sure_turns(lap, rows)
            if turn.before >= 0 or not framed
        ]
        self._outer = Outskirts(_table(labels)) if framed else None
        self._heads = ("",) if self._outer is None else self._outer.heads()
        self._tails = None if self._outer is None else self._outer.tails(everywhere=True)

    def solutions(self, first: Sequence[int]) -> Iterator[Passage]:
        """All that differ in what they do, with these fields as those that begin a record."""
        rule = missing_rule(self._count, first, self._labels.seen)
        names = [self._labels.fields[one] for one in first]
        best = str if self._outer is None else self._outer.best
        for start in dict.fromkeys(self._boxes(rule)):
            run = Crossing(self._labels, rule, start.tails)
            for box in solve(start, run.pass_pages):
                for head, tail, fitting in run.ends(box):
                    sides = fitting.chosen()
                    left, right = sides[: self._count], sides[self._count :]
                    yield Passage(left, right, names, best(head), best(tail))

    def _boxes(self, rule: Rule) -> Iterator[Box]:
        """What there is to choose from, as far as the sure turns leave it; the best of it first."""
        fields = self._labels.fields
        check_transitions(self._sure, rule, fields)
        bounds = Bounds([1] * self._count, map(len, self._longest))
        gaps = Gaps(self._sure, rule, self._longest)
        try:
            gaps.narrow(bounds)
            gaps.settle(bounds)
        except Conflict as conflict:
            raise inconsistent(conflict, fields) from None
        sides = (
            *(Side(one, is_left=True, rank=left_lengths) for one in self._longest),
            *(Side(one, is_left=False, rank=right_lengths) for one, _ in self._rights),
        )
        ranges = (
            *zip(bounds.low, bounds.high, strict=True),
            *((low, len(longest)) for longest, low in self._rights),
        )
        lengths = [
            *choose_lengths(gaps, bounds, self._longest),
            *(right_length(longest, low) if longest else 0 for longest, low in self._rights),
        ]
        box = Box(sides, ranges, heads=self._heads, tails=self._tails)
        yield replace(box.likely(), ranges=tuple((one, one) for one in lengths))
        yield box.likely()
        yield box


def _table(labels: Labels) -> Table:
    """The pages as a table, in which what is missing is as good as unknown."""
    pages = []
    for lap, rows in zip(labels.laps, labels.tables, strict=True):
        known = tuple(tuple(None if cell == GONE else cell for cell in row) for row in rows)
        pages.append(TablePage(lap.page.id, lap.page.text, known, lap.partial))
    return Table(tuple(labels.fields), tuple(pages))

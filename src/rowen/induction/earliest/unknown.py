"""Learning M-LR and M-HLRT from labels with unknown values (thesis, section 6.5.1).

A cell of a label is known, missing or unknown; an unknown one may be missing, too. Which fields
begin a record is then open as well: each choice that can begin all records is tried, the smallest
first. Pages are run with all lengths of all delimiters at once: see `unknown.splitting` and
`box_scan`. Complete within the budget.

    <b>Ada</b> (12) <b>Alan</b>: (3)        {name: Ada, phone: 12}, {name: Alan}

    Whether Alan has a phone is unknown. From Ada's phone on nothing but a name may come, which
    narrows the lengths first: see `_sure_steps`. After Alan the page is run with all lengths of
    "</b> (" at once: 1 and 2 find the value 3, 3 to 6 find none. Both agree with the label.

It departs from the thesis, which learns each delimiter from the known values alone: that they lead
past the unknown ones, too, is a constraint of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from rowen.induction.earliest.box_scan import BoxScan
from rowen.induction.earliest.labels import (
    PageLabel,
    Step,
    check_transitions,
    longest_lefts,
    right_bounds,
)
from rowen.induction.earliest.missing import Cell, Sample
from rowen.induction.earliest.preference import left_lengths, right_length, right_lengths
from rowen.induction.earliest.propagation import Bounds, Conflict, Gaps
from rowen.induction.earliest.whole_page import choose_lengths, inconsistent
from rowen.induction.tabular.table import Table, TablePage
from rowen.induction.unknown.boundaries import Boundaries
from rowen.induction.unknown.splitting import Box, Side, solve
from rowen.model import NoConsistentWrapper, SearchCutShort
from rowen.wrappers.earliest import Rule
from rowen.wrappers.mlr import GONE, missing_rule


class Delimiters(NamedTuple):
    """Delimiters that reproduce all known values, and the fields that begin a record."""

    left: list[str]
    right: list[str]
    first: list[str]
    head: str
    tail: str


def find_delimiters(sample: Sample, *, framed: bool) -> Delimiters:
    """Delimiters that reproduce all known values, or `NoConsistentWrapper`."""
    search = _Search(sample, framed=framed)
    trouble: NoConsistentWrapper | None = None
    for first in _beginners(sample):
        try:
            solution = next(search.solutions(first), None)
        # A search that ends at a limit proves nothing of the other choices: it must not be hidden.
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
            continue
        if solution is not None:
            return solution
    raise trouble or NoConsistentWrapper(
        "some values are unknown, and no delimiters reproduce all the others",
        pages=tuple(
            label.page.id
            for label, rows in zip(sample.labels, sample.tables, strict=True)
            if any(None in row for row in rows)
        ),
    )


def _beginners(sample: Sample) -> Iterator[tuple[int, ...]]:
    """The fields that may begin all records.

    Fewer come first: each may come after any value, and makes delimiters harder to find.
    """
    leading = [_leading(row) for rows in sample.tables for row in rows]
    sure = {field for fields in leading if len(fields) == 1 for field in fields}
    open_ = sorted(set().union(*leading) - sure)
    for count in range(len(open_) + 1):
        for more in combinations(open_, count):
            first = sure.union(more)
            if all(first & fields for fields in leading):
                yield tuple(sorted(first))


def _leading(row: Sequence[Cell]) -> set[int]:
    """The fields that a record may begin with."""
    fields = set()
    for field, cell in enumerate(row):
        if cell != GONE:
            fields.add(field)
        if cell not in {None, GONE}:
            break
    return fields


def _sure_steps(label: PageLabel, rows: Sequence[Sequence[Cell]]) -> Iterator[Step]:
    """The steps of which it is known where they start: not after an unknown value."""
    steps = iter(label.steps())
    sure = True
    for row in rows:
        for cell in row:
            if cell is None:
                sure = False
            elif cell != GONE:
                step = next(steps)
                # After an unknown value nobody knows where the cursor is.
                if sure:
                    yield step
                sure = True


class _Search:
    def __init__(self, sample: Sample, *, framed: bool) -> None:
        self._sample = sample
        self._framed = framed
        self._count = len(sample.fields)
        self._longest = longest_lefts(sample.labels, sample.fields)
        self._rights = right_bounds(sample.labels, sample.fields)
        self._sure = [
            step
            for label, rows in zip(sample.labels, sample.tables, strict=True)
            for step in _sure_steps(label, rows)
            if step.before >= 0 or not framed
        ]
        self._outer = Boundaries(_table(sample)) if framed else None
        self._heads = ("",) if self._outer is None else self._outer.heads()
        # With a head and a tail the scan of each page ends at the tail, also of a partial one.
        self._tails = None if self._outer is None else self._outer.tails(everywhere=True)

    def solutions(self, first: Sequence[int]) -> Iterator[Delimiters]:
        """All delimiters that differ in what they find, with these fields to begin a record."""
        rule = missing_rule(self._count, first, self._sample.seen)
        names = [self._sample.fields[number] for number in first]
        best = str if self._outer is None else self._outer.best
        for start in dict.fromkeys(self._boxes(rule)):
            run = BoxScan(self._sample, rule, start.tails)
            for box in solve(start, run.pass_pages):
                for head, tail, fitting in run.ends(box):
                    sides = fitting.chosen()
                    left, right = sides[: self._count], sides[self._count :]
                    yield Delimiters(left, right, names, best(head), best(tail))

    def _boxes(self, rule: Rule) -> Iterator[Box]:
        """The candidates that the sure steps leave: first the preferred ones alone, at last all."""
        fields = self._sample.fields
        check_transitions(self._sure, rule, fields)
        bounds = Bounds([1] * self._count, map(len, self._longest))
        # What the sure steps ask for is necessary: it narrows the box before the search starts.
        gaps = Gaps(self._sure, rule, self._longest)
        try:
            gaps.narrow(bounds)
            gaps.settle(bounds)
        except Conflict as conflict:
            raise inconsistent(conflict, fields) from None
        sides = (
            *(Side(longest, is_left=True, rank=left_lengths) for longest in self._longest),
            *(Side(longest, is_left=False, rank=right_lengths) for longest, _ in self._rights),
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
        # The lengths that would be taken without unknown values are tried alone: they mostly do.
        yield replace(box.likely(), ranges=tuple((length, length) for length in lengths))
        yield box.likely()
        yield box


def _table(sample: Sample) -> Table:
    """The pages as a table, in which what is missing is as good as unknown."""
    pages = []
    for label, rows in zip(sample.labels, sample.tables, strict=True):
        cells = tuple(tuple(None if cell == GONE else cell for cell in row) for row in rows)
        pages.append(TablePage(label.page.id, label.page.text, cells, label.partial))
    return Table(tuple(sample.fields), tuple(pages))

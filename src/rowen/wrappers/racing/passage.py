"""The way over unknown values, for records with missing fields: M-LR and M-HLRT (6.5.1).

A cell of a label is known, missing or unknown; an unknown one may be missing, too. Which fields
begin a record is then open as well: each choice that can begin all records is tried, the smallest
first. Pages are run with all lengths of all delimiters at once (`unknown.splitting`). With a
delimiter of length `n[k]` found with its end at `e[k]`, field k wins against field j where

    n[k] - n[j] >= e[k] - e[j]  (+ 1, where j wins ties).

Where the label leaves one field to win, bounds are narrowed by that; where they don't decide it, or
the label leaves several, they are split. Heads are told apart where they lead to different places,
tails are dropped where they would end a page too soon or too late. Complete within the budget.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from rowen.model import NoConsistentWrapper, SearchCutShort
from rowen.wrappers import budget
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
from rowen.wrappers.unknown.splitting import Astray, Box, Side, Split, solve
from rowen.wrappers.unknown.stops import Stops


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
            run = _Run(self._labels, rule, start.tails)
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


class _Stand(NamedTuple):
    """How far a page has been run: the last value's field, its record, and its end."""

    cursor: int
    before: int
    row: int


class _Run:
    """The race over pages with all delimiters of a box at once."""

    def __init__(self, labels: Labels, rule: Rule, tails: Sequence[str] | None) -> None:
        self._labels = labels
        self._rule = rule
        self._count = len(labels.fields)
        self._stops = Stops(tails)
        self._known_starts: dict[str, dict[str, int]] = {}
        self._pages = [
            (lap, rows)
            for lap, rows in zip(labels.laps, labels.tables, strict=True)
            if rows or not lap.partial
        ]

    def pass_pages(self, box: Box) -> Box:
        """The box as far as it gives the known values of all pages back."""
        for lap, rows in self._pages:
            budget.check()
            box = self._pass_page(box, lap, rows)
        return box

    def _pass_page(self, box: Box, lap: Lap, rows: Sequence[Sequence[Cell]]) -> Box:
        text = lap.page.text
        box = self._start(box, text)
        stand = _Stand(text.find(box.heads[0]), -1, -1)
        places: dict[int, int] = {}
        left = len(lap.values)
        inside = (lap.values[0].end, lap.values[-1].start) if lap.values else (0, 0)
        while left or not lap.partial:
            found = self._found(box, text, stand, places)
            allowed = {one for one, start in found.items() if _allows(rows, stand, one, start)}
            may_end = not left and stand.row == len(rows) - 1
            if not allowed:
                if not may_end:
                    raise Astray
                return _ended(box, text, stand, found)
            wanted = allowed if box.tails is None or not may_end else set(found)
            box, winner = self._winner(box, stand, found, wanted)
            tails: Sequence[str] = box.tails or ()
            if inside[0] <= stand.cursor and found[winner] <= inside[1]:
                tails = self._stops.between(text, *inside, tails)
            box, goes_on = _raced(
                box, text, stand, winner, found[winner], tails=tails, may_end=may_end
            )
            if not goes_on:
                return box
            if winner not in allowed:
                raise Astray
            row = stand.row + (winner <= stand.before or stand.row < 0)
            end = box.find(self._count + winner, text, found[winner])
            cell = rows[row][winner]
            if end < 0 or (cell is not None and end != cell[1]):
                raise Astray
            left -= cell is not None
            stand = _Stand(end, winner, row)
        return box

    def _start(self, box: Box, text: str) -> Box:
        """The box, if all heads lead to the same places."""
        if len(box.heads) == 1:
            return box
        places: dict[int, int] = {}
        leads = {
            head: tuple(self._found(box, text, _Stand(start, -1, -1), places).items())
            for start, heads in self._starts(box.heads, text)
            for head in heads
        }
        groups: dict[tuple[tuple[int, int], ...], list[str]] = {}
        for head in box.heads:
            groups.setdefault(leads[head], []).append(head)
        if len(groups) > 1:
            raise Split([replace(box, heads=tuple(heads)) for heads in groups.values()])
        return box

    def _starts(self, heads: Sequence[str], text: str) -> list[tuple[int, list[str]]]:
        """Where heads are first found, in order."""
        known = self._known_starts.setdefault(text, {})
        found: dict[int, list[str]] = {}
        for head in heads:
            if head not in known:
                known[head] = text.find(head)
            found.setdefault(known[head], []).append(head)
        return sorted(found.items())

    def _found(self, box: Box, text: str, stand: _Stand, places: dict[int, int]) -> dict[int, int]:
        """Where the values would start that race; `places` are those known from earlier races."""
        found = {}
        for field in self._rule.entrants(stand.before):
            place = places.get(field, 0)
            if 0 <= place < stand.cursor + box.ranges[field][1]:
                places[field] = place = box.find(field, text, stand.cursor)
            if place >= 0:
                found[field] = place
        return found

    def _winner(
        self, box: Box, stand: _Stand, found: Mapping[int, int], wanted: set[int]
    ) -> tuple[Box, int]:
        """The field that wins with all delimiters of the box, if one does that may."""
        if len(wanted) == 1:
            (field,) = wanted
            for rival in found:
                if rival != field:
                    box = self._decide(box, field, rival, self._lead(stand, found, field, rival))
            return box, field
        best = next(iter(found))
        for rival in found:
            if rival != best:
                lead = self._lead(stand, found, best, rival)
                (low, high), (least, most) = box.ranges[best], box.ranges[rival]
                if high - least < lead:
                    best = rival
                elif low - most < lead:
                    raise _undecided(box, best, rival, lead)
        return box, best

    def _lead(self, stand: _Stand, found: Mapping[int, int], field: int, rival: int) -> int:
        """By how much the field's delimiter must be longer than the rival's to win."""
        behind = found[field] - found[rival]
        ahead = self._rule.ahead(stand.before, rival, field)
        return behind + self._rule.wins_tie(overhang=-behind, ahead=ahead)

    def _decide(self, box: Box, field: int, rival: int, lead: int) -> Box:
        """The box in which the field wins, whatever the lengths."""
        (low, high), (least, most) = box.ranges[field], box.ranges[rival]
        low, most = max(low, least + lead), min(most, high - lead)
        if low > high or least > most:
            raise Astray
        box = box.within(field, (low, high)).within(rival, (least, most))
        if low - most < lead:
            raise box.split(field, most + lead - 1)
        return box

    def ends(self, box: Box) -> Iterator[tuple[str, str, Box]]:
        """The heads that go together with tails, with the lengths that do."""
        if box.tails is None:
            yield "", "", box
            return
        for head in box.heads:
            budget.check()
            for tail in box.tails:
                fitting = self._together(box, head, tail)
                if fitting is not None:
                    yield head, tail, fitting

    def _together(self, box: Box, head: str, tail: str) -> Box | None:
        """The box in which a tail stops no page before its first record, and those without."""
        for lap, rows in self._pages:
            if lap.partial and not lap.values:
                continue
            text = lap.page.text
            stand = _Stand(text.find(head), -1, -1)
            found = self._found(box, text, stand, {})
            stop = text.find(tail, stand.cursor)
            if rows:
                _, winner = self._winner(box, stand, found, set(found))
                low, high = box.ranges[winner]
                low = low if stop < 0 else max(low, found[winner] - stop + 1)
                if low > high:
                    return None
                box = box.within(winner, (low, high))
                continue
            if stop < 0:
                return None
            for field, place in found.items():
                low, high = box.ranges[field]
                high = min(high, place - stop)
                if low > high:
                    return None
                box = box.within(field, (low, high))
        return box


def _allows(rows: Sequence[Sequence[Cell]], stand: _Stand, field: int, start: int) -> bool:
    """Whether the label has the field next, with a value that starts there."""
    row = stand.row
    passed: list[Cell] = []
    before = stand.before
    if field <= before or row < 0:
        passed.extend(rows[row][before + 1 :] if row >= 0 else ())
        row, before = row + 1, -1
    if row >= len(rows):
        return False
    passed.extend(rows[row][before + 1 : field])
    cell = rows[row][field]
    return all(one in {None, GONE} for one in passed) and (cell is None or cell[0] == start)


def _undecided(box: Box, field: int, rival: int, lead: int) -> Split:
    """The box in parts, in one of which it is decided which of the two wins."""
    (low, high), (least, most) = box.ranges[field], box.ranges[rival]
    if most + lead <= high:
        return box.split(field, most + lead - 1)
    if low - lead >= least:
        return box.split(rival, low - lead)
    return box.split(field, (low + high) // 2)


def _raced(
    box: Box,
    text: str,
    stand: _Stand,
    winner: int,
    place: int,
    *,
    tails: Sequence[str],
    may_end: bool,
) -> tuple[Box, bool]:
    """The box without the tails that end the page before the winner; or if it may end there, with
    these or the others alone, and which they are. Only `tails` come into question.
    """
    if box.tails is None or stand.row < 0:
        return box, True
    low, high = box.ranges[winner]
    ended = set()
    for tail in tails:
        stop = text.find(tail, stand.cursor, place - low + len(tail))
        if stop >= 0:
            if stop > place - high:
                raise box.split(winner, place - stop)
            ended.add(tail)
    if not ended:
        return box, True
    passed = [tail for tail in box.tails if tail not in ended]
    if not may_end:
        return _kept(box, passed), True
    if passed:
        raise Split([_kept(box, passed), _kept(box, [one for one in box.tails if one in ended])])
    return box, False


def _ended(box: Box, text: str, stand: _Stand, found: Mapping[int, int]) -> Box:
    """The tails that end the page where the label does."""
    if box.tails is None:
        if found:
            raise Astray
        return box
    if stand.row < 0:
        return box
    kept = []
    for tail in box.tails:
        stop = text.find(tail, stand.cursor)
        if stop >= 0 and all(stop <= at - box.ranges[one][0] for one, at in found.items()):
            for field, place in found.items():
                if stop > place - box.ranges[field][1]:
                    raise box.split(field, place - stop)
            kept.append(tail)
    return _kept(box, kept)


def _kept(box: Box, tails: list[str]) -> Box:
    if not tails:
        raise Astray
    return replace(box, tails=tuple(tails))

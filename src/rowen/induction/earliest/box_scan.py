"""The scan of pages with unknown values, run with all delimiters of a box at once.

With a delimiter of length `n[k]` found with its end at `e[k]`, field k comes before field j where

    n[k] - n[j] >= e[k] - e[j]  (+ 1, where j wins ties).

Where the label allows only one field next, the ranges of lengths are narrowed to those with which
it comes first. Where the ranges don't decide it, or the label allows several fields, the box is
split. So are heads that lead to different places. Tails are dropped where they would end a page too
soon or too late.

    <b>Ada</b><i>12</i><b>Alan</b>        fields name, phone; labels {name: Ada}, {name: Alan}

    After Ada the label allows a phone, or the next name: whether there is a phone is unknown.
    name    lengths 1 to 3 of "<b>" end at Alan, all of them: one place
    phone   no value is known, so that it has no candidates: the next field is a name
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rowen.induction import budget
from rowen.induction.earliest.labels import PageLabel
from rowen.induction.earliest.missing import Cell, Sample
from rowen.induction.unknown.splitting import Box, Infeasible, InnerTails, Split
from rowen.wrappers.earliest import Rule
from rowen.wrappers.mlr import GONE


class _State(NamedTuple):
    """Where the scan of a page is: the end of the last value, its field, its record."""

    cursor: int
    before: int
    row: int


class BoxScan:
    """Runs pages with all delimiters of a box."""

    def __init__(self, sample: Sample, rule: Rule, tails: Sequence[str] | None) -> None:
        self._sample = sample
        self._rule = rule
        self._count = len(sample.fields)
        self._inner_tails = InnerTails(tails)
        self._head_starts: dict[str, dict[str, int]] = {}
        # A partial page without records says nothing: its first record may be anywhere.
        self._pages = [
            (label, rows)
            for label, rows in zip(sample.labels, sample.tables, strict=True)
            if rows or not label.partial
        ]

    def pass_pages(self, box: Box) -> Box:
        """The part of the box that reproduces the known values of all pages."""
        for label, rows in self._pages:
            budget.check()
            box = self._pass_page(box, label, rows)
        return box

    def _pass_page(self, box: Box, label: PageLabel, rows: Sequence[Sequence[Cell]]) -> Box:
        text = label.page.text
        box = self._start(box, text)
        state = _State(text.find(box.heads[0]), -1, -1)
        places: dict[int, int] = {}
        remaining = len(label.values)
        # Between the first and the last known value only tails that occur there can end the page.
        inside = (label.values[0].end, label.values[-1].start) if label.values else (0, 0)
        while remaining or not label.partial:
            starts = self._starts(box, text, state, places)
            allowed = {field for field, at in starts.items() if _allows(rows, state, field, at)}
            may_end = not remaining and state.row == len(rows) - 1
            if not allowed:
                if not may_end:
                    raise Infeasible
                return _ended(box, text, state, starts)
            # Where the page may end, a field that isn't allowed is no harm if the tail comes first.
            possible = allowed if box.tails is None or not may_end else set(starts)
            box, winner = self._winner(box, state, starts, possible)
            tails: Sequence[str] = box.tails or ()
            if inside[0] <= state.cursor and starts[winner] <= inside[1]:
                tails = self._inner_tails.between(text, *inside, tails)
            box, goes_on = _pass_tails(
                box, text, state, winner, starts[winner], tails=tails, may_end=may_end
            )
            if not goes_on:
                return box
            if winner not in allowed:
                raise Infeasible
            # The rule of M-LR: a field at or before the last one begins the next record.
            row = state.row + (winner <= state.before or state.row < 0)
            end = box.find(self._count + winner, text, starts[winner])
            cell = rows[row][winner]
            if end < 0 or (cell is not None and end != cell[1]):
                raise Infeasible
            remaining -= cell is not None
            state = _State(end, winner, row)
        return box

    def _start(self, box: Box, text: str) -> Box:
        """The box, if all heads lead to the same places."""
        if len(box.heads) == 1:
            return box
        places: dict[int, int] = {}
        leads = {
            head: tuple(self._starts(box, text, _State(start, -1, -1), places).items())
            for start, heads in self._found_heads(box.heads, text)
            for head in heads
        }
        groups: dict[tuple[tuple[int, int], ...], list[str]] = {}
        for head in box.heads:
            groups.setdefault(leads[head], []).append(head)
        if len(groups) > 1:
            raise Split([replace(box, heads=tuple(heads)) for heads in groups.values()])
        return box

    def _found_heads(self, heads: Sequence[str], text: str) -> list[tuple[int, list[str]]]:
        """Where heads are first found, in order."""
        cache = self._head_starts.setdefault(text, {})
        by_start: dict[int, list[str]] = {}
        for head in heads:
            if head not in cache:
                cache[head] = text.find(head)
            by_start.setdefault(cache[head], []).append(head)
        return sorted(by_start.items())

    def _starts(self, box: Box, text: str, state: _State, places: dict[int, int]) -> dict[int, int]:
        """Where the next value of each candidate field would start.

        `places` holds those of earlier steps: a place after the cursor is still the next one.
        """
        starts = {}
        for field in self._rule.candidates(state.before):
            place = places.get(field, 0)
            # A place is where the value starts, after the delimiter: the longest one must fit after
            # the cursor.
            if 0 <= place < state.cursor + box.ranges[field][1]:
                places[field] = place = box.find(field, text, state.cursor)
            if place >= 0:
                starts[field] = place
        return starts

    def _winner(
        self, box: Box, state: _State, starts: Mapping[int, int], possible: set[int]
    ) -> tuple[Box, int]:
        """The field that comes first with all delimiters of the box; `Split` where it differs."""
        if len(possible) == 1:
            (field,) = possible
            for rival in starts:
                if rival != field:
                    box = self._decide(box, field, rival, self._lead(state, starts, field, rival))
            return box, field
        # The label allows several fields: the lengths must decide by themselves, or be split.
        best = next(iter(starts))
        for rival in starts:
            if rival != best:
                lead = self._lead(state, starts, best, rival)
                (low, high), (least, most) = box.ranges[best], box.ranges[rival]
                if high - least < lead:
                    best = rival
                elif low - most < lead:
                    raise _undecided(box, best, rival, lead)
        return box, best

    def _lead(self, state: _State, starts: Mapping[int, int], field: int, rival: int) -> int:
        """By how much the field's delimiter must be longer than the rival's to come first."""
        behind = starts[field] - starts[rival]
        preferred = self._rule.prefers(state.before, rival, field)
        return behind + self._rule.wins_tie(longer_by=-behind, preferred=preferred)

    def _decide(self, box: Box, field: int, rival: int, lead: int) -> Box:
        """The part of the box in which the field comes first, whatever the lengths."""
        (low, high), (least, most) = box.ranges[field], box.ranges[rival]
        low, most = max(low, least + lead), min(most, high - lead)
        if low > high or least > most:
            raise Infeasible
        # Lengths that are too short for any length of the other side are ruled out; if the rest
        # still leaves it open, the box is cut where every length of the field wins.
        box = box.within(field, (low, high)).within(rival, (least, most))
        if low - most < lead:
            raise box.split(field, most + lead - 1)
        return box

    def ends(self, box: Box) -> Iterator[tuple[str, str, Box]]:
        """The heads and tails that go together, with the lengths that go with both."""
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
        """The part of the box in which the tail does not end a page before its first record.

        A page without records it has to end before any value is found.
        """
        for label, rows in self._pages:
            if label.partial and not label.values:
                continue
            text = label.page.text
            state = _State(text.find(head), -1, -1)
            starts = self._starts(box, text, state, {})
            stop = text.find(tail, state.cursor)
            if rows:
                _, winner = self._winner(box, state, starts, set(starts))
                low, high = box.ranges[winner]
                low = low if stop < 0 else max(low, starts[winner] - stop + 1)
                if low > high:
                    return None
                box = box.within(winner, (low, high))
                continue
            if stop < 0:
                return None
            for field, place in starts.items():
                low, high = box.ranges[field]
                high = min(high, place - stop)
                if low > high:
                    return None
                box = box.within(field, (low, high))
        return box


def _allows(rows: Sequence[Sequence[Cell]], state: _State, field: int, start: int) -> bool:
    """Whether the label has the field next, with a value that starts there."""
    row = state.row
    passed: list[Cell] = []
    before = state.before
    # A new record: what the last one still had to come must not be known.
    if field <= before or row < 0:
        passed.extend(rows[row][before + 1 :] if row >= 0 else ())
        row, before = row + 1, -1
    if row >= len(rows):
        return False
    passed.extend(rows[row][before + 1 : field])
    cell = rows[row][field]
    return all(skipped in {None, GONE} for skipped in passed) and (cell is None or cell[0] == start)


def _undecided(box: Box, field: int, rival: int, lead: int) -> Split:
    """The box in parts, in one of which it is decided which of the two comes first."""
    (low, high), (least, most) = box.ranges[field], box.ranges[rival]
    if most + lead <= high:
        return box.split(field, most + lead - 1)
    if low - lead >= least:
        return box.split(rival, low - lead)
    return box.split(field, (low + high) // 2)


def _pass_tails(
    box: Box,
    text: str,
    state: _State,
    winner: int,
    place: int,
    *,
    tails: Sequence[str],
    may_end: bool,
) -> tuple[Box, bool]:
    """The box without the tails that end the page before the winner, and whether the scan goes on.

    Where the page may end there, tails that end it and tails that don't are run by themselves. Only
    `tails` come into question.
    """
    # Before the first record the tail depends on the head: `ends` compares them pair by pair.
    if box.tails is None or state.row < 0:
        return box, True
    low, high = box.ranges[winner]
    ended = set()
    for tail in tails:
        stop = text.find(tail, state.cursor, place - low + len(tail))
        if stop >= 0:
            # With the longest left delimiters the value comes first, with the shortest the tail.
            if stop > place - high:
                raise box.split(winner, place - stop)
            ended.add(tail)
    if not ended:
        return box, True
    passed = [tail for tail in box.tails if tail not in ended]
    if not may_end:
        return _with_tails(box, passed), True
    if passed:
        ending = [tail for tail in box.tails if tail in ended]
        raise Split([_with_tails(box, passed), _with_tails(box, ending)])
    return box, False


def _ended(box: Box, text: str, state: _State, starts: Mapping[int, int]) -> Box:
    """The box with the tails that end the page where the label ends."""
    if box.tails is None:
        if starts:
            raise Infeasible
        return box
    if state.row < 0:
        return box
    ending = []
    for tail in box.tails:
        stop = text.find(tail, state.cursor)
        if stop >= 0 and all(stop <= at - box.ranges[field][0] for field, at in starts.items()):
            for field, place in starts.items():
                if stop > place - box.ranges[field][1]:
                    raise box.split(field, place - stop)
            ending.append(tail)
    return _with_tails(box, ending)


def _with_tails(box: Box, tails: list[str]) -> Box:
    if not tails:
        raise Infeasible
    return replace(box, tails=tuple(tails))

"""The race over pages with unknown values, run with all delimiters of a box at once.

With a delimiter of length `n[k]` found with its end at `e[k]`, field k wins against field j where

    n[k] - n[j] >= e[k] - e[j]  (+ 1, where j wins ties).

Where the label leaves one field to win, bounds are narrowed by that; where they don't decide it, or
the label leaves several, they are split. Heads are told apart where they lead to different places,
tails are dropped where they would end a page too soon or too late.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rowen.wrappers import budget
from rowen.wrappers.racing.laps import Lap
from rowen.wrappers.racing.missing import GONE, Cell, Labels
from rowen.wrappers.racing.race import Rule
from rowen.wrappers.unknown.splitting import Astray, Box, Split
from rowen.wrappers.unknown.stops import Stops


class _Stand(NamedTuple):
    """How far a page has been run: the last value's field, its record, and its end."""

    cursor: int
    before: int
    row: int


class Crossing:
    """Runs pages with all delimiters of a box."""

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

"""Learning the wrappers that race between a head and a tail: N-HLRT and M-HLRT.

For a given head the cursor's first place on each page is known, and the first turns are like all
others. The tails that start at one place of an example's tail are ordered by length:
a longer one is found later. With *shorter* taken as *greater*, what ties it to the lengths of left
delimiters has the form that `propagation` solves, `x >= g(y)`:

- no tail before a value:  n[k] >= b - (where the tail is first found) + 1, a function of the tail;
- no left delimiter before the tail at the end: the tail is no longer than a function of n[j].

So for each head and each start of a tail, propagation decides. A head matters by the places where
it is first found on the pages alone, and one that is found later everywhere is at least as good as
long as it leaves each left delimiter room; such heads rule out those before them. With H places for
a head and T for a tail, learning takes at most O(H T) propagations, each of a few scans of the
examples; where a wrapper exists mostly a few, since likely heads and tails are tried first, and
where none does, T + H as soon as one side is at fault alone. Complete, therefore, within the
limits that keep hostile pages from taking all day: `FRAME_CHARACTERS`, `FRAME_WORK` and
`FRAME_PAIRS`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from rowen.limits import FRAME_CHARACTERS, FRAME_PAIRS
from rowen.model import NoConsistentWrapper
from rowen.wrappers import budget
from rowen.wrappers.racing.heads import LIKELY, TOO_LONG, Head, heads, places_within
from rowen.wrappers.racing.laps import Lap, check_transitions, least, longest_lefts
from rowen.wrappers.racing.liking import left_lengths, right_lengths
from rowen.wrappers.racing.propagation import Bounds, Conflict, Gaps
from rowen.wrappers.racing.race import Rule
from rowen.wrappers.racing.unbounded import inconsistent, learn_rights


class Framed(NamedTuple):
    """A head, a tail, and a left and a right delimiter a field."""

    head: str
    tail: str
    left: list[str]
    right: list[str]


def learn_framed(laps: Sequence[Lap], rule: Rule, fields: Sequence[str]) -> Framed:
    """Delimiters that run every lap, or `NoConsistentWrapper` where there are none."""
    laps = [lap for lap in laps if lap.values or not lap.partial]  # others tell nothing
    check_transitions((turn for lap in laps for turn in lap.turns()), rule, fields)
    right = learn_rights(laps, fields)
    longest = longest_lefts(laps, fields)
    course = _Course(laps, rule, longest)
    try:
        bounds = course.relaxed()
    except Conflict as conflict:
        raise inconsistent(conflict, fields) from None
    tails = _Tails(course, bounds)
    if tails.none:
        raise NoConsistentWrapper(
            "no text after the last records ends them without ending others too soon",
            pages=tuple(lap.page.id for lap in laps),
        )
    found = _search(course, bounds, tails)
    if found is None:
        raise NoConsistentWrapper(
            "no text before the first records leads to them and leaves a tail to end them",
            field=fields[laps[course.with_values[0]].values[0].field],
            pages=tuple(lap.page.id for lap in laps),
        )
    run, tail = found
    left = [text[len(text) - n :] for text, n in zip(longest, run.bounds.high, strict=True)]
    return Framed(run.head.text, tail, left, right)


class _Course:
    """The examples, and what all heads and tails have in common."""

    def __init__(self, laps: Sequence[Lap], rule: Rule, longest: Sequence[str]) -> None:
        self.laps = laps
        self.rule = rule
        self.longest = longest
        self.with_values = [number for number, lap in enumerate(laps) if lap.values]
        self._cursors = [[0, *(value.end for value in lap.values)] for lap in laps]
        turns = [turn for lap in laps for turn in lap.turns()]
        self._first = [(n, laps[n].turns()[0]) for n in self.with_values]
        self._rest = Gaps([turn for turn in turns if turn.before >= 0], rule, longest)

    def relaxed(self) -> Bounds:
        """What the turns ask for that don't depend on the head."""
        bounds = Bounds([1] * len(self.longest), map(len, self.longest))
        self._rest.narrow(bounds)
        self._rest.settle(bounds)
        return bounds

    def openings(self, starts: Sequence[int]) -> Gaps:
        """The first turns, from these places on."""
        turns = [turn._replace(cursor=starts[number]) for number, turn in self._first]
        return Gaps(turns, self.rule, self.longest)

    def settle(
        self,
        bounds: Bounds,
        *,
        first: Gaps | None,
        starts: Sequence[int] | None,
        tail: str = "",
        length: int = 0,
    ) -> int:
        """Settle everything; the least length of the tail that does, from `length` on."""
        while True:
            budget.check()
            before = list(bounds.high), length
            self._rest.settle(bounds)
            if first is not None:
                first.settle(bounds)
            if tail:
                length = self._lengthen(bounds, starts, tail, length)
                self._end(bounds, starts, tail[:length])
            if before == (bounds.high, length):
                return length

    def _lengthen(
        self, bounds: Bounds, starts: Sequence[int] | None, tail: str, length: int
    ) -> int:
        if self._stays_out(bounds, starts, tail[:length]):
            return length
        if not self._stays_out(bounds, starts, tail):
            raise Conflict(0, "the tail comes too soon", ())
        return least(len(tail), lambda n: n > length and self._stays_out(bounds, starts, tail[:n]))

    def _stays_out(self, bounds: Bounds, starts: Sequence[int] | None, tail: str) -> bool:
        """Whether the tail starts nowhere between a cursor and the left delimiter after it."""
        for number in self.with_values:
            lap, cursors = self.laps[number], self._cursors[number]
            find, values = lap.page.text.find, lap.values
            place = find(tail, cursors[1] if starts is None else starts[number])
            while 0 <= place < cursors[-1]:
                turn = bisect_right(cursors, place) - 1
                value = values[turn]
                if place <= value.start - bounds.high[value.field]:
                    return False
                place = find(tail, cursors[turn + 1])
        return True

    def _end(self, bounds: Bounds, starts: Sequence[int] | None, tail: str) -> None:
        """Shorten left delimiters until none is found before the tail after the last value."""
        for number, lap in enumerate(self.laps):
            if not lap.values and starts is None:
                continue
            text = lap.page.text
            cursor = lap.cursor if lap.values or starts is None else starts[number]
            stop = text.find(tail, cursor)
            if stop < 0:
                raise Conflict(0, "the tail isn't there", [lap.page.id])
            for field in () if lap.partial else self.rule.entrants(lap.last):
                self._shorten(bounds, field, text, cursor, stop)

    def _shorten(self, bounds: Bounds, field: int, text: str, cursor: int, stop: int) -> None:
        longest, high = self.longest[field], bounds.high
        while True:
            length = high[field]
            place = text.find(longest[len(longest) - length :], cursor, stop - 1 + length)
            if place < 0:
                return
            high[field] = place + length - stop
            if high[field] < bounds.low[field]:
                raise Conflict(field, "it comes again before the tail", ())


class _Tails:
    """The texts that may end the records, by where they start in one example's tail."""

    def __init__(self, course: _Course, bounds: Bounds) -> None:
        self._course = course
        self._bounds = bounds
        laps = course.laps
        nearest = min(laps, key=lambda lap: (lap.partial, len(lap.page.text) - lap.cursor))
        self._rest = nearest.page.text[nearest.cursor :]
        self._others = [(lap.page.text, lap.cursor) for lap in laps if lap is not nearest]
        # Where nobody marked the last record, the tail that comes last cuts off the fewest.
        self._backwards = nearest.partial
        self._found: list[str] = []
        self._more = self._search()
        self.none = next(iter(self), None) is None

    def __iter__(self) -> Iterator[str]:
        """The longest tail from each start that isn't ruled out by itself, likely ones first."""
        number = 0
        while True:
            while number < len(self._found):
                yield self._found[number]
                number += 1
            tail = next(self._more, None)
            if tail is None:
                return
            self._found.append(tail)

    def _search(self) -> Iterator[str]:
        """Tails of which one tag is enough, then those that start with one, then all others."""
        tags = self._tags()
        later = []
        for place in islice(tags, LIKELY):
            tail = self._common(place)
            length = self._alone(place, tail)
            if 0 < length <= tail.find(">") + 1:
                yield tail
            elif length:
                later.append(tail)
        yield from later
        others = (place for place, char in enumerate(self._rest) if char != "<")
        size = sum(len(lap.page.text) for lap in self._course.laps)
        places = chain(tags, others)
        for place in islice(places, places_within(size)):
            tail = self._common(place)
            if self._alone(place, tail):
                yield tail
        if next(places, None) is not None:
            budget.leave_untried("tails far after the records were left untried")

    def _tags(self) -> Iterator[int]:
        rest = self._rest
        place = rest.rfind("<") if self._backwards else rest.find("<")
        while place >= 0:
            yield place
            place = rest.rfind("<", 0, place) if self._backwards else rest.find("<", place + 1)

    def _common(self, place: int) -> str:
        """The longest text from there that all tails have."""
        rest = self._rest[place : place + FRAME_CHARACTERS]
        for text, cursor in self._others:
            low, high = 0, len(rest)
            while low < high:
                middle = (low + high + 1) // 2
                if text.find(rest[:middle], cursor) >= 0:
                    low = middle
                else:
                    high = middle - 1
            rest = rest[:low]
        if len(rest) == FRAME_CHARACTERS:
            budget.leave_untried(TOO_LONG)
        return rest

    def _alone(self, place: int, tail: str) -> int:
        """How long it must be without any head; 0 where it can't be, or was seen before."""
        if not tail or self._rest.find(tail) != place:
            return 0
        bounds = self._bounds.copy()
        try:
            return self._course.settle(bounds, first=None, starts=None, tail=tail, length=1)
        except Conflict:
            return 0


class _Run(NamedTuple):
    """A head with which the examples can be run."""

    course: _Course
    head: Head
    first: Gaps
    bounds: Bounds

    def settle(self, bounds: Bounds, tail: str, length: int) -> int:
        """As the course does, from this head on."""
        return self.course.settle(
            bounds, first=self.first, starts=self.head.starts, tail=tail, length=length
        )


def _search(course: _Course, bounds: Bounds, tails: _Tails) -> tuple[_Run, str] | None:
    failed: list[tuple[int, ...]] = []
    pairs = 0
    for head in heads(course.laps, bounds, course.longest):
        if any(_rules_out(course, bounds, other, head.starts) for other in failed):
            continue
        run = _open(course, bounds, head)
        if run is not None:
            for tail in tails:
                found = _choose(run, tail)
                if found is not None:
                    return found
                pairs += 1
                if pairs > FRAME_PAIRS:
                    raise budget.cut_short("too many pairs of a head and a tail to try")
        if _rules_out(course, bounds, head.starts, head.starts):
            failed.append(head.starts)
    return None


def _rules_out(
    course: _Course, bounds: Bounds, failed: tuple[int, ...], starts: tuple[int, ...]
) -> bool:
    """Whether all that could be done from `starts` could be done from where it failed."""
    for lap, other, start in zip(course.laps, failed, starts, strict=True):
        if lap.values:
            value = lap.values[0]
            if not start <= other <= value.start - bounds.high[value.field]:
                return False
        elif other != start:
            return False
    return True


def _open(course: _Course, bounds: Bounds, head: Head) -> _Run | None:
    run = _Run(course, head, course.openings(head.starts), bounds.copy())
    try:
        run.first.narrow(run.bounds)
        run.settle(run.bounds, "", 0)
    except Conflict:
        return None
    return run


def _choose(run: _Run, tail: str) -> tuple[_Run, str] | None:
    """The best lengths with this head and a start of this tail, if there are any."""
    bounds = run.bounds.copy()
    try:
        length = run.settle(bounds, tail, 1)
    except Conflict:
        return None
    for field, longest in enumerate(run.course.longest):
        if longest:
            bounds, length = _fix(run, bounds, field, tail, length)
    for better in right_lengths(tail, length, len(tail)):
        try:
            if run.settle(bounds.copy(), tail, better) == better:
                length = better
                break
        except Conflict:
            continue
    return run._replace(bounds=bounds), tail[:length]


def _fix(run: _Run, bounds: Bounds, field: int, tail: str, length: int) -> tuple[Bounds, int]:
    longest = run.course.longest[field]
    for wanted in left_lengths(longest, bounds.low[field], bounds.high[field]):
        attempt = bounds.fixed(field, wanted)
        try:
            return attempt, run.settle(attempt, tail, length)
        except Conflict:
            continue
    raise AssertionError("the greatest solution is one")

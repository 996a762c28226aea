"""Learning the classes whose scan runs between a head and a tail: N-HLRT and M-HLRT.

For a given head the cursor's first place on each page is known, and the first steps are like all
others. The tails that start at one place of an example's tail are ordered by length: a longer one
is found later. With *shorter* taken as *greater*, what ties it to the lengths of left delimiters
has the form that `propagation` solves, `x >= g(y)`:

- no tail before a value:  n[k] >= b - (where the tail is first found) + 1, a function of the tail;
- no left delimiter before the tail at the end: the tail is no longer than a function of n[j].

So for each head and each start of a tail, propagation decides. Of a head only the places matter
where it is first found on the pages. One that is found later everywhere is at least as good, as
long as it leaves each left delimiter room; such heads rule out those before them. With H places for
a head and T for a tail, learning takes at most O(H T) propagations, each of a few scans of the
examples. Where a wrapper exists, mostly a few are enough, since likely heads and tails are tried
first; where none exists, T + H as soon as one side is at fault alone. Complete, therefore, within
the limits that keep hostile pages from taking all day: `FRAME_CHARACTERS`, `FRAME_WORK` and
`FRAME_PAIRS`.

    <h1>Authors</h1><p><h1>Ada</h1><b>Notes</b><b>Letters</b><hr><b>Help</b>     author > book

    head   "<p>" is first found after Authors: from there on "<h1>" is first found before Ada. With
           "<h1>" as head the scan would find it before Authors.
    tail   the candidates start after Letters. "</b>" comes after Notes, too, before the next "<b>":
           it would end the records there. "<hr>" comes only before Help.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from rowen.induction import budget
from rowen.induction.earliest.heads import (
    FRAME_CHARACTERS,
    LIKELY,
    TOO_LONG,
    Head,
    heads,
    places_within,
)
from rowen.induction.earliest.labels import PageLabel, check_transitions, longest_lefts
from rowen.induction.earliest.preference import left_lengths, right_lengths
from rowen.induction.earliest.propagation import Bounds, Conflict, Gaps
from rowen.induction.earliest.whole_page import inconsistent, learn_rights
from rowen.induction.lengths import greatest_length, least_length
from rowen.model import NoConsistentWrapper
from rowen.wrappers.earliest import Rule

FRAME_PAIRS = 20_000
"""Limit: how many pairs of a head and a tail N-HLRT and M-HLRT try; only pages that were made to be
hard need more."""


class Framed(NamedTuple):
    """A head, a tail, and a left and a right delimiter per field."""

    head: str
    tail: str
    left: list[str]
    right: list[str]


def learn_framed(labels: Sequence[PageLabel], rule: Rule, fields: Sequence[str]) -> Framed:
    """Delimiters that reproduce every label, or `NoConsistentWrapper` where there are none."""
    labels = [label for label in labels if label.values or not label.partial]  # others say nothing
    check_transitions((step for label in labels for step in label.steps()), rule, fields)
    right = learn_rights(labels, fields)
    longest = longest_lefts(labels, fields)
    constraints = _Constraints(labels, rule, longest)
    try:
        bounds = constraints.relaxed()
    except Conflict as conflict:
        raise inconsistent(conflict, fields) from None
    tails = _Tails(constraints, bounds)
    if tails.none:
        raise NoConsistentWrapper(
            "no text after the last records can be the tail: each also occurs where more records "
            "follow",
            pages=tuple(label.page.id for label in labels),
        )
    solution = _search(constraints, bounds, tails)
    if solution is None:
        raise NoConsistentWrapper(
            "no text before the first records can be the head with any possible tail",
            field=fields[labels[constraints.with_values[0]].values[0].field],
            pages=tuple(label.page.id for label in labels),
        )
    trial, tail = solution
    left = [text[len(text) - n :] for text, n in zip(longest, trial.bounds.high, strict=True)]
    return Framed(trial.head.text, tail, left, right)


class _Constraints:
    """The examples, and what all heads and tails have in common."""

    def __init__(self, labels: Sequence[PageLabel], rule: Rule, longest: Sequence[str]) -> None:
        self.labels = labels
        self.rule = rule
        self.longest = longest
        # Pages without values have no steps: they only ask that the tail comes before any left
        # delimiter.
        self.with_values = [number for number, label in enumerate(labels) if label.values]
        self._cursors = [[0, *(value.end for value in label.values)] for label in labels]
        steps = [step for label in labels for step in label.steps()]
        self._first = [(n, labels[n].steps()[0]) for n in self.with_values]
        # Where a page's first step starts depends on the head; all other steps start at a value.
        self._later = Gaps([step for step in steps if step.before >= 0], rule, longest)

    def relaxed(self) -> Bounds:
        """The bounds by the steps that don't depend on the head: all but the first of each page."""
        bounds = Bounds([1] * len(self.longest), map(len, self.longest))
        self._later.narrow(bounds)
        self._later.settle(bounds)
        return bounds

    def first_gaps(self, starts: Sequence[int]) -> Gaps:
        """What the first steps ask for, with the cursor at these places."""
        steps = [step._replace(cursor=starts[number]) for number, step in self._first]
        return Gaps(steps, self.rule, self.longest)

    def settle(
        self,
        bounds: Bounds,
        *,
        first: Gaps | None,
        starts: Sequence[int] | None,
        tail: str = "",
        length: int = 0,
    ) -> int:
        """Lower the bounds until all constraints hold.

        Returns the least length of the tail, from `length` on, with which they do. `starts` is
        where the head is found on each page, None where no head is chosen yet.
        """
        while True:
            budget.check()
            # Each constraint only lowers a length or lengthens the tail, so that the loop ends:
            # nothing that was ruled out comes back.
            before = list(bounds.high), length
            self._later.settle(bounds)
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
        # A longer tail is found later or at the same place, never earlier: if the whole one is
        # found too soon, so are all of its prefixes.
        if self._stays_out(bounds, starts, tail[:length]):
            return length
        if not self._stays_out(bounds, starts, tail):
            raise Conflict(0, "the tail comes too soon", ())
        return least_length(
            length + 1, len(tail), lambda n: self._stays_out(bounds, starts, tail[:n])
        )

    def _stays_out(self, bounds: Bounds, starts: Sequence[int] | None, tail: str) -> bool:
        """Whether the tail starts nowhere between a cursor and the left delimiter after it."""
        for number in self.with_values:
            label, cursors = self.labels[number], self._cursors[number]
            find, values = label.page.text.find, label.values
            place = find(tail, cursors[1] if starts is None else starts[number])
            # Only the first occurrence after each cursor counts: from the next cursor on the scan
            # looks again.
            while 0 <= place < cursors[-1]:
                step = bisect_right(cursors, place) - 1
                value = values[step]
                if place <= value.start - bounds.high[value.field]:
                    return False
                place = find(tail, cursors[step + 1])
        return True

    def _end(self, bounds: Bounds, starts: Sequence[int] | None, tail: str) -> None:
        """Shorten left delimiters until none is found before the tail after the last value."""
        for number, label in enumerate(self.labels):
            if not label.values and starts is None:
                continue
            text = label.page.text
            cursor = label.cursor if label.values or starts is None else starts[number]
            stop = text.find(tail, cursor)
            if stop < 0:
                raise Conflict(0, "the tail is missing", [label.page.id])
            # On a partial page records go on after the last marked one, and left delimiters may
            # follow.
            for field in () if label.partial else self.rule.candidates(label.last):
                self._shorten(bounds, field, text, cursor, stop)

    def _shorten(self, bounds: Bounds, field: int, text: str, cursor: int, stop: int) -> None:
        longest, high = self.longest[field], bounds.high
        while True:
            length = high[field]
            # An occurrence that starts before the tail does. The longest delimiter that ends there
            # and starts with or after the tail is the next candidate: shorter ones end at the same
            # place or earlier.
            place = text.find(longest[len(longest) - length :], cursor, stop - 1 + length)
            if place < 0:
                return
            high[field] = place + length - stop
            if high[field] < bounds.low[field]:
                raise Conflict(field, "it occurs again before the tail", ())


class _Tails:
    """The texts that may end the records, by where they start in one example's tail."""

    def __init__(self, constraints: _Constraints, bounds: Bounds) -> None:
        self._constraints = constraints
        self._bounds = bounds
        labels = constraints.labels
        # Each tail is a substring of every example's tail: the shortest one has the fewest.
        shortest = min(
            labels, key=lambda label: (label.partial, len(label.page.text) - label.cursor)
        )
        self._text = shortest.page.text[shortest.cursor :]
        self._others = [
            (label.page.text, label.cursor) for label in labels if label is not shortest
        ]
        # Where nobody marked the last record, the tail that comes last cuts off the fewest.
        self._backwards = shortest.partial
        self._cache: list[str] = []
        # Tails are found once and kept: every head is tried with all of them.
        self._more = self._search()
        self.none = next(iter(self), None) is None

    def __iter__(self) -> Iterator[str]:
        """The longest tail from each start that isn't ruled out by itself, likely ones first."""
        number = 0
        while True:
            while number < len(self._cache):
                yield self._cache[number]
                number += 1
            tail = next(self._more, None)
            if tail is None:
                return
            self._cache.append(tail)

    def _search(self) -> Iterator[str]:
        """Tails of which one tag is enough, then those that start with one, then all others."""
        tags = self._tags()
        later = []
        for place in islice(tags, LIKELY):
            tail = self._common(place)
            length = self._alone(place, tail)
            # A tail of which a single tag is enough is what people would write: it comes first.
            if 0 < length <= tail.find(">") + 1:
                yield tail
            elif length:
                later.append(tail)
        yield from later
        others = (place for place, char in enumerate(self._text) if char != "<")
        size = sum(len(label.page.text) for label in self._constraints.labels)
        places = chain(tags, others)
        for place in islice(places, places_within(size)):
            tail = self._common(place)
            if self._alone(place, tail):
                yield tail
        if next(places, None) is not None:
            budget.leave_untried("tails far after the records were left untried")

    def _tags(self) -> Iterator[int]:
        text = self._text
        place = text.rfind("<") if self._backwards else text.find("<")
        while place >= 0:
            yield place
            place = text.rfind("<", 0, place) if self._backwards else text.find("<", place + 1)

    def _common(self, place: int) -> str:
        """The longest text from there that all tails have."""
        tail = self._text[place : place + FRAME_CHARACTERS]
        for text, cursor in self._others:
            length = greatest_length(
                len(tail),
                lambda n, longest=tail, within=text, at=cursor: within.find(longest[:n], at) >= 0,  # type: ignore[misc]  # mypy can't infer defaults
            )
            tail = tail[:length]
        if len(tail) == FRAME_CHARACTERS:
            budget.leave_untried(TOO_LONG)
        return tail

    def _alone(self, place: int, tail: str) -> int:
        """How long it must be without any head; 0 where it can't be, or was seen before."""
        if not tail or self._text.find(tail) != place:
            return 0
        # Without a head only the later steps constrain the tail: what fails here fails with every
        # head.
        bounds = self._bounds.copy()
        try:
            return self._constraints.settle(bounds, first=None, starts=None, tail=tail, length=1)
        except Conflict:
            return 0


class _HeadTrial(NamedTuple):
    """A head with which the first steps can be reproduced, and the bounds that it leaves."""

    constraints: _Constraints
    head: Head
    first: Gaps
    bounds: Bounds

    def settle(self, bounds: Bounds, tail: str, length: int) -> int:
        """As `_Constraints.settle`, from this head on."""
        return self.constraints.settle(
            bounds, first=self.first, starts=self.head.starts, tail=tail, length=length
        )


def _search(
    constraints: _Constraints, bounds: Bounds, tails: _Tails
) -> tuple[_HeadTrial, str] | None:
    failed: list[tuple[int, ...]] = []
    pairs = 0
    for head in heads(constraints.labels, bounds, constraints.longest):
        if any(_rules_out(constraints, bounds, starts, head.starts) for starts in failed):
            continue
        trial = _try_head(constraints, bounds, head)
        if trial is not None:
            for tail in tails:
                solution = _choose(trial, tail)
                if solution is not None:
                    return solution
                # Each pair costs a propagation: a hostile page must not make them all be tried.
                pairs += 1
                if pairs > FRAME_PAIRS:
                    raise budget.cut_short("too many pairs of a head and a tail to try")
        if _rules_out(constraints, bounds, head.starts, head.starts):
            failed.append(head.starts)
    return None


def _rules_out(
    constraints: _Constraints, bounds: Bounds, failed: tuple[int, ...], starts: tuple[int, ...]
) -> bool:
    """Whether all delimiters that work from `starts` would work from where the search failed.

    They would if each cursor was later there, and left the longest left delimiter room.
    """
    for label, later, start in zip(constraints.labels, failed, starts, strict=True):
        if label.values:
            value = label.values[0]
            if not start <= later <= value.start - bounds.high[value.field]:
                return False
        elif later != start:
            return False
    return True


def _try_head(constraints: _Constraints, bounds: Bounds, head: Head) -> _HeadTrial | None:
    trial = _HeadTrial(constraints, head, constraints.first_gaps(head.starts), bounds.copy())
    try:
        trial.first.narrow(trial.bounds)
        trial.settle(trial.bounds, "", 0)
    except Conflict:
        return None
    return trial


def _choose(trial: _HeadTrial, tail: str) -> tuple[_HeadTrial, str] | None:
    """The best lengths with this head and a start of this tail, if there are any."""
    bounds = trial.bounds.copy()
    try:
        length = trial.settle(bounds, tail, 1)
    except Conflict:
        return None
    for field, longest in enumerate(trial.constraints.longest):
        if longest:
            bounds, length = _fix(trial, bounds, field, tail, length)
    # The left delimiters are fixed; of the lengths that still work with them the preferred one is
    # taken.
    for better in right_lengths(tail, length, len(tail)):
        try:
            if trial.settle(bounds.copy(), tail, better) == better:
                length = better
                break
        except Conflict:
            continue
    return trial._replace(bounds=bounds), tail[:length]


def _fix(
    trial: _HeadTrial, bounds: Bounds, field: int, tail: str, length: int
) -> tuple[Bounds, int]:
    """The bounds with the field's best length that leaves the others any, and the tail's length."""
    longest = trial.constraints.longest[field]
    for left_length in left_lengths(longest, bounds.low[field], bounds.high[field]):
        attempt = bounds.fixed(field, left_length)
        try:
            return attempt, trial.settle(attempt, tail, length)
        except Conflict:
            continue
    raise AssertionError("the greatest solution is one")

r"""Whether matches of an expression can overlap, and how many in a row.

`finditer` tries every place from left to right and continues where a match ended. What it finds at
a place depends only on the text around that place; whether the place is tried at all depends on the
matches before it. Call what would be found at a place, if it were tried, a candidate. A candidate
is a match unless it begins strictly inside a match, which is itself a candidate that begins inside
no match, and so on. So a candidate depends on chains of candidates to its left, each of which
begins strictly inside the one before it. If no text has a chain of more than k overlaps, all
candidates that decide about one begin within k * (most - 1) characters to its left, where `most` is
the length of the longest match. With `\d{3}` chains are endless, and one more digit in front moves
every match; with `<b>[^<]{1,9}</b>` there are none.

    \d{3}    on  123456     candidates 123, 234, 345, 456     matches 123, 456
             on  0123456    candidates 012, 123, 234, ...     matches 012, 345

Take the shortest chain from one candidate to another. Of three neighbours in it, the first has
ended where the third begins; otherwise the third would begin inside the first, and the chain
without the second would be shorter. This module searches for such chains.

The candidates' texts are words of the expression's language, and a position automaton (Glushkov,
1961), with a state for each set of characters in the expression, accepts at least that language:
long repetitions count as endless ones, look-around of more than a character mostly as true. A state
q is *open* if a second candidate can begin behind it: both automata go over the same characters,
one on from q and one from the start, until one of them has ended. A step leads from an open state q
to an open state p if meanwhile the first comes to its end, there or earlier, and the second to p.
Each shortest chain is a path of such steps, so the longest path bounds the overlaps; where there is
a cycle, there may be no bound.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, TypeAlias

from rowen.extractors.expression import (
    ALL,
    ANYTHING,
    BEYOND,
    Branch,
    Characters,
    Group,
    Look,
    Node,
    Nowhere,
    Place,
    Reference,
    Repeat,
    Sequence,
    fold,
)
from rowen.extractors.reach import reach_of

STATES: Final = 250
"""Limit: the states of the largest automaton that is searched; more take tenths of a second."""

PAIRS: Final = 200_000
"""Limit: how many pairs of steps are compared: some hundredths of a second, once per pattern."""

COPIES: Final = 6
"""How many rounds of a repetition are distinguished at first; more seldom change the result."""

Condition: TypeAlias = tuple[int, int]
"""The sets that must contain the characters before and after a place."""

Ends: TypeAlias = frozenset[tuple[int, Condition]]
"""States at which a part begins or ends, with what must hold before or after them."""

_ALWAYS: Final = (ANYTHING, ANYTHING)
_NO_CONDITION: Final = frozenset({_ALWAYS})
_DONE: Final = -1
"""The state of a candidate that has ended."""


class _TooLargeError(Exception):
    """The automaton has more states or pairs than the limits allow."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part's first and last states, and the conditions under which it matches nothing."""

    first: Ends = frozenset()
    last: Ends = frozenset()
    empty: frozenset[Condition] = frozenset()


_NOTHING: Final = _Part(empty=_NO_CONDITION)


def most_overlaps(tree: Node) -> int | None:
    """How many overlaps a chain of candidates can have; None if no bound is found."""
    # With one copy, repetitions count as endless: a smaller automaton that accepts more, so that
    # its bound is still valid.
    for copies in (COPIES, 1):
        try:
            return _Chains(Automaton(tree, copies)).longest()
        except _TooLargeError:
            pass
        except RecursionError:
            break
    return None


def automaton_of(tree: Node) -> "Automaton | None":
    """The automaton of an expression; None if it is too large."""
    for copies in (COPIES, 1):
        try:
            return Automaton(tree, copies)
        except _TooLargeError:
            pass
        except RecursionError:
            break
    return None


@dataclass(slots=True)
class Automaton:
    """States are sets of characters; `steps` maps a state to others and the characters between."""

    tree: Node
    copies: int
    """A part that repeats more often counts as one that repeats without end."""
    masks: list[int] = field(default_factory=list)
    steps: list[dict[int, int]] = field(default_factory=list)
    starts: dict[int, list[Condition]] = field(default_factory=dict)
    """For each first state: what may be before it, and which characters lead there."""
    groups: dict[int, int] = field(default_factory=dict)
    """The characters that each group can hold."""
    ends: list[list[int]] = field(default_factory=list)
    """For each state: the sets that may follow if the match ends there."""

    def __post_init__(self) -> None:
        whole = self.build(self.tree)
        for state, (before, after) in whole.first:
            if self.masks[state] & after:
                self.starts.setdefault(state, []).append((before, self.masks[state] & after))
        self.ends = [[] for _ in self.masks]
        for state, (before, after) in whole.last:
            if self.masks[state] & before:
                self.ends[state].append(after)

    def build(self, node: Node) -> _Part:  # noqa: C901, PLR0911  # one case per kind of node
        """Add the states of a part."""
        match node:
            case Characters(mask):
                return self.one(mask)
            case Place(either):
                return _Part(empty=frozenset(either))
            case Sequence(parts):
                part = _NOTHING
                for following in parts:
                    part = self.then(part, self.build(following))
                return part
            case Branch(parts):
                return _either(map(self.build, parts))
            case Repeat(inner, least, most):
                return self.repeat(inner, least, most)
            case Group(inner, number):
                reach = reach_of(inner)
                held = ALL if reach is None else reach.first | reach.later
                self.groups[number] = self.groups.get(number, 0) | held
                return self.build(inner)
            case Reference(number, folded):
                # An upper bound of what the group held: any text of the same characters.
                held = self.groups.get(number, ALL)
                return self.loop(self.one(fold(held) if folded else held))
            case Look():
                return _Part(empty=_look(node))
            case Nowhere():
                return _Part()

    def one(self, mask: int) -> _Part:
        """A single character of a set."""
        state = len(self.masks)
        if state == STATES:
            raise _TooLargeError
        self.masks.append(mask)
        self.steps.append({})
        ends: Ends = frozenset({(state, _ALWAYS)})
        return _Part(ends, ends)

    def repeat(self, inner: Node, least: int, most: int | None) -> _Part:
        """A part several times; long repetitions count as endless."""
        part = _NOTHING
        for _ in range(min(least, self.copies)):
            part = self.then(part, self.build(inner))
        if most is None or most > self.copies:
            return self.then(part, self.loop(self.build(inner)))
        for _ in range(most - least):
            part = self.then(part, _either((self.build(inner), _NOTHING)))
        return part

    def loop(self, part: _Part) -> _Part:
        """A part any number of times; rounds that match nothing add nothing."""
        self.join(part.last, part.first)
        return _Part(part.first, part.last, _NO_CONDITION)

    def then(self, left: _Part, right: _Part) -> _Part:
        """One part after the other."""
        self.join(left.last, right.first)
        first = left.first | _under(right.first, left.empty)
        last = right.last | _under(left.last, right.empty)
        return _Part(first, last, _all_of(left.empty, right.empty))

    def join(self, lasts: Ends, firsts: Ends) -> None:
        """Lead from the ends of a part to the beginnings of the next."""
        for state, own in lasts:
            for following, theirs in firsts:
                before, after = _both(own, theirs)
                characters = self.masks[following] & after
                if characters and self.masks[state] & before:
                    steps = self.steps[state]
                    steps[following] = steps.get(following, 0) | characters


def _either(parts: Iterable[_Part]) -> _Part:
    parts = list(parts)
    return _Part(
        frozenset[tuple[int, Condition]]().union(*(part.first for part in parts)),
        frozenset[tuple[int, Condition]]().union(*(part.last for part in parts)),
        frozenset[Condition]().union(*(part.empty for part in parts)),
    )


def _all_of(left: frozenset[Condition], others: frozenset[Condition]) -> frozenset[Condition]:
    return frozenset(_both(first, second) for first in left for second in others)


def _under(ends: Ends, conditions: frozenset[Condition]) -> Ends:
    return frozenset(
        (state, _both(own, condition)) for state, own in ends for condition in conditions
    )


def _both(left: Condition, right: Condition) -> Condition:
    return left[0] & right[0], left[1] & right[1]


def _look(node: Look) -> frozenset[Condition]:
    """The conditions of look-around on the characters next to its place, as far as known.

    Dropping a condition accepts more texts, so it is always sound.
    """
    part = node.part
    while isinstance(part, Group) or (isinstance(part, Sequence) and len(part.parts) == 1):
        part = part.part if isinstance(part, Group) else part.parts[0]
    if isinstance(part, Branch):
        several = [_look(replace(node, part=branch)) for branch in part.parts]
        if node.positive:
            return frozenset[Condition]().union(*several)
        return reduce(_all_of, several)
    if isinstance(part, Place) and node.positive:
        return frozenset(part.either)
    reach = reach_of(part)
    if reach is None or not reach.least:
        return _NO_CONDITION
    # Exactly one character can be negated. Of several, only the first that look-ahead needs counts.
    exact = reach.most == reach.far == 1 and not reach.behind and not reach.seen
    if node.positive and (exact or not node.behind):
        required = reach.first
    elif exact:
        # Beyond ASCII a mask is an upper bound, so its complement must keep all of it.
        required = ANYTHING & ~reach.first | BEYOND
    else:
        return _NO_CONDITION
    return frozenset({(required, ANYTHING) if node.behind else (ANYTHING, required)})


Pair: TypeAlias = tuple[int, int]
"""The states of the second candidate and of the first."""


class _Chains:
    """Two candidates in parallel: the second begins before the first has ended."""

    def __init__(self, automaton: Automaton) -> None:
        self.of = automaton
        self.budget = PAIRS

    def longest(self) -> int | None:
        """The length of the longest path over open states."""
        entries = {
            state: pairs
            for state in range(len(self.of.masks))
            if (pairs := set(self.entries(state)))
        }
        alive = self.alive({pair for pairs in entries.values() for pair in pairs})
        entries = {
            state: pairs & alive for state, pairs in entries.items() if not pairs.isdisjoint(alive)
        }
        steps = {state: self.after_the_first(entries[state]) & entries.keys() for state in entries}
        return _longest_path(steps)

    def entries(self, state: int) -> Iterator[Pair]:
        """The pairs after the second candidate's first character, which follows this state."""
        onward = self.of.steps[state]
        before = self.of.masks[state]
        for second, conditions in self.of.starts.items():
            for preceding, characters in conditions:
                if preceding & before:
                    for first, common in onward.items():
                        if common & characters:
                            yield second, first

    def following(self, pair: Pair) -> set[Pair]:
        """The pairs after one more character."""
        second, first = pair
        steps = self.of.steps[second].items()
        self.budget -= 1 + len(steps) * (1 if first == _DONE else len(self.of.steps[first]))
        if self.budget <= 0:
            raise _TooLargeError
        if first == _DONE:
            return {(state, _DONE) for state, _ in steps}
        pairs = {
            (state, further)
            for further, common in self.of.steps[first].items()
            for state, characters in steps
            if characters & common
        }
        for after in self.of.ends[first]:
            pairs.update((state, _DONE) for state, characters in steps if characters & after)
        return pairs

    def completes(self, pair: Pair) -> bool:
        """Whether one of the two can end here, given how the other continues."""
        second, first = pair
        if first == _DONE:
            return True
        continuations = [*self.of.steps[second].values(), *self.of.ends[second]]
        theirs = [*self.of.steps[first].values(), *self.of.ends[first]]
        return any(
            ending & following for ending in self.of.ends[first] for following in continuations
        ) or any(ending & following for ending in self.of.ends[second] for following in theirs)

    def alive(self, entries: set[Pair]) -> set[Pair]:
        """The pairs from which one of the candidates can reach its end."""
        # Forward to all reachable pairs, then back from those that complete.
        sources: dict[Pair, set[Pair]] = {pair: set() for pair in entries}
        waiting = list(entries)
        while waiting:
            pair = waiting.pop()
            for successor in self.following(pair):
                if successor not in sources:
                    sources[successor] = set()
                    waiting.append(successor)
                sources[successor].add(pair)
        completing = {pair for pair in sources if self.completes(pair)}
        waiting = list(completing)
        while waiting:
            for pair in sources[waiting.pop()]:
                if pair not in completing:
                    completing.add(pair)
                    waiting.append(pair)
        return completing

    def after_the_first(self, entries: set[Pair]) -> set[int]:
        """The states of the second when the first has ended, or ends just there."""
        seen = set(entries)
        waiting = list(entries)
        while waiting:
            for successor in self.following(waiting.pop()):
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)
        return {second for second, first in seen if first == _DONE or self.of.ends[first]}


def _longest_path(steps: dict[int, set[int]]) -> int | None:
    """The number of states on the longest path; None if there is a cycle."""
    lengths: dict[int, int | None] = {}

    def length(state: int) -> int | None:
        if state not in lengths:
            lengths[state] = None  # for now: a path that comes back here has found a cycle
            longest = 0
            for target in steps[state]:
                onward = length(target)
                if onward is None:
                    return None
                longest = max(longest, onward)
            lengths[state] = longest + 1
        return lengths[state]

    longest = 0
    for state in steps:
        reached = length(state)
        if reached is None:
            return None
        longest = max(longest, reached)
    return longest

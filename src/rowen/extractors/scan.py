r"""Quiet places: where no match of an expression can cross, whatever the text before them.

`finditer` is a scan with a state: the place from which it searches on. After a change, the scan of
the new page may be in another state than that of the old page, and stay so for as long as matches
follow each other closely. But where no attempt to match can cross a place, both scans search on
from there, and from then on they find the same in the same text: they have met. Such a place needs
no record of what either scan did before.

    expression   <a [^>]*href="[^"]*"
    text         <p class="x">See <a href="/b">this</a>, or <a href="/c">that</a>.
    quiet        .............!!!!!......             !!!!!!                  !!!!!

An automaton (that of `overlap`) follows all attempts at once. It begins some way before: first with
all of its states, because any attempt may be under way there (with none, if no match is so long, or
at the page's edge), then with what is left of them after each character, and the attempts that
begin. It accepts at least what the engine follows: greedy, lazy and possessive repetitions look at
the same characters, only in another order; back-references count as any text of the characters
that the group can hold. A place is quiet if none of the attempts from before it can go on with the
character after it. Whatever an attempt from before it examines then ends `ahead` characters after
it, the longest look-ahead included.

Nothing is proved, and the locality remains the whole page, if matches may be empty (`finditer` has
special rules for these), if look-around has no bound or holds a field, or if the expression has
unknown parts.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.expression import (
    ALL,
    ASCII,
    BEYOND,
    Branch,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    read,
)
from rowen.extractors.locality import Either, Grain, Scan
from rowen.extractors.overlap import Automaton, automaton_of
from rowen.extractors.reach import UNBOUNDED, Reach

SEARCHED_CHARACTERS: Final = 16_384
"""Limit: how far a quiet place is searched from the end of an unchanged region. It takes
about 0.1 us per character, some ten times as long as matching."""

SETS: Final = 4_096
"""Limit: the sets of states that are kept for a pattern; above it, they are made anew."""

_WINDOW: Final = 256
"""How many characters are searched first; then twice as many, and so on."""


Attempts: TypeAlias = int
"""The states in which attempts from before a place may be, as bits."""


def attempts_at(scan: Scan, text: str, place: int) -> Attempts:
    """What may be under way at a place of a page, by the text before it."""
    bounded = scan.longest <= SEARCHED_CHARACTERS
    begin = max(place - (scan.longest if bounded else _WINDOW), 0)
    walker = _walker(scan.pattern)
    # What began before `begin` has ended, if no match is so long.
    known = bounded or begin == 0
    node = walker.node(0) if known else walker.unknown
    for kind in walker.kinds_of(text[begin:place]):
        node = (node.following[kind] or walker.follow(node, kind)).node
    return node.states


def first_quiet(scan: Scan, text: str, start: int, end: int, *, under_way: Attempts) -> int | None:
    """The first quiet place of a region whose attempts look back at nothing before it.

    `under_way` are the attempts that may go on at its start.
    """
    least = start + scan.behind
    walker = _walker(scan.pattern)
    node, done = walker.node(under_way), start
    end, since = min(end, least + SEARCHED_CHARACTERS), start
    while done < end:
        until = min(done + _WINDOW, end)
        for place, kind in enumerate(walker.kinds_of(text[done:until]), done):
            following = node.following[kind] or walker.follow(node, kind)
            if not following.crossed and place >= least:
                return place
            node = following.node
        done = until
        if done - since > 2 * scan.longest:
            # Long repetitions count as endless. Here all that began before `since` has ended.
            node, since = walker.node(attempts_at(scan, text, done)), done
    return None


def last_quiet(scan: Scan, text: str, start: int, end: int) -> int | None:
    """The last quiet place before `end`, if `start` is one, and nothing is known before it."""
    window = _WINDOW
    while True:
        begin = max(end - window, start)
        last = _last_quiet_from(scan, text, start, begin, end)
        if last is not None or begin == start or window >= SEARCHED_CHARACTERS:
            return last
        window *= 4


def _last_quiet_from(scan: Scan, text: str, start: int, begin: int, end: int) -> int | None:
    walker, last = _walker(scan.pattern), None
    # No attempt goes on over a quiet place. What began before the longest match has ended.
    before = max(begin - scan.longest, start)
    if before == start or scan.longest <= SEARCHED_CHARACTERS:
        node = walker.node(0)
    else:
        before, node = begin, walker.unknown
    for place, kind in enumerate(walker.kinds_of(text[before:end]), before):
        following = node.following[kind] or walker.follow(node, kind)
        if not following.crossed and place >= begin:
            last = place
        node = following.node
    return last


def prepare(grain: Grain) -> None:
    """Build the automaton of a scan, which takes some milliseconds, before anything is timed."""
    for option in grain.options if isinstance(grain, Either) else (grain,):
        if isinstance(option, Scan):
            _walker(option.pattern)


def derive_scan(pattern: str, tree: Node | None, reach: Reach | None) -> Scan | None:
    """The scan of a pattern, if it is certain to be followed."""
    if tree is None or reach is None or reach.fields is None or not reach.least:
        return None
    if max(reach.behind, reach.ahead) >= UNBOUNDED or _has_fields_in_look_around(tree):
        return None
    automaton = automaton_of(tree)
    if automaton is None or (reach.most > SEARCHED_CHARACTERS and _never_ends(automaton)):
        return None
    return Scan(pattern, reach.behind, reach.ahead + 1, reach.most)


def _never_ends(automaton: Automaton) -> bool:
    """Whether an attempt goes on over any text, as with `.*` under (?s)."""
    return any(
        steps.get(state, 0) & ALL == ALL and state in _reachable(automaton)
        for state, steps in enumerate(automaton.steps)
    )


def _reachable(automaton: Automaton) -> set[int]:
    seen = set(automaton.starts)
    waiting = list(seen)
    while waiting:
        for state in automaton.steps[waiting.pop()]:
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return seen


def _has_fields_in_look_around(node: Node, *, looking: bool = False) -> bool:
    match node:
        case Group(part, _, named):
            return (looking and named) or _has_fields_in_look_around(part, looking=looking)
        case Look(part):
            return _has_fields_in_look_around(part, looking=True)
        case Repeat(part):
            return _has_fields_in_look_around(part, looking=looking)
        case Sequence(parts) | Branch(parts):
            return any(_has_fields_in_look_around(part, looking=looking) for part in parts)
        case _:
            return False


class _Attempts:
    """A set of states in which attempts may be, and what follows each kind of character."""

    __slots__ = ("following", "states")

    def __init__(self, states: int, kinds: int) -> None:
        self.states = states
        self.following: list[_Following | None] = [None] * kinds


@dataclass(frozen=True, slots=True)
class _Following:
    crossed: bool
    """Whether an attempt goes on over this character."""
    node: _Attempts


class _Walker:
    """The automaton of a pattern, made deterministic as far as texts need it."""

    def __init__(self, automaton: Automaton) -> None:
        # Characters that no set of the automaton distinguishes are of one kind.
        starts: dict[int, int] = {}
        for state, conditions in automaton.starts.items():
            for _, characters in conditions:
                starts[state] = starts.get(state, 0) | characters
        masks = {mask for steps in automaton.steps for mask in steps.values()}
        masks.update(starts.values())
        signatures: dict[tuple[bool, ...], int] = {}
        kinds, samples = [], []
        for code in range(ASCII + 1):
            bit = 1 << code if code < ASCII else BEYOND
            signature = tuple(bool(mask & bit) for mask in masks)
            if signature not in signatures:
                signatures[signature] = len(signatures)
                samples.append(bit)
            kinds.append(signatures[signature])
        self.kinds = np.array(kinds, np.uint16)
        self.onward = [
            [
                sum(1 << target for target, mask in steps.items() if mask & bit)
                for steps in automaton.steps
            ]
            for bit in samples
        ]
        self.begun = [
            sum(1 << state for state, mask in starts.items() if mask & bit) for bit in samples
        ]
        self.known: dict[int, _Attempts] = {}
        self.unknown = self.node((1 << len(automaton.steps)) - 1)

    def node(self, states: int) -> _Attempts:
        if states not in self.known:
            self.known[states] = _Attempts(states, len(self.onward))
        return self.known[states]

    def follow(self, node: _Attempts, kind: int) -> _Following:
        if len(self.known) > SETS:
            self.known = {self.unknown.states: self.unknown}
            self.unknown.following = [None] * len(self.onward)
        states, left, onward = 0, node.states, self.onward[kind]
        while left:
            lowest = left & -left
            states |= onward[lowest.bit_length() - 1]
            left ^= lowest
        following = _Following(states != 0, self.node(states | self.begun[kind]))
        node.following[kind] = following
        return following

    def kinds_of(self, text: str) -> list[int]:
        codes: NDArray[np.uint32] = np.frombuffer(
            text.encode("utf-32-le", "surrogatepass"), np.uint32
        )
        kinds: list[int] = self.kinds[np.minimum(codes, ASCII)].tolist()
        return kinds


@lru_cache(maxsize=256)
def _walker(pattern: str) -> _Walker:
    tree = read(pattern)
    automaton = None if tree is None else automaton_of(tree)
    assert automaton is not None  # a Scan was derived from it
    return _Walker(automaton)

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

from functools import lru_cache
from typing import Final

from rowen._core import QuietPlaces
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
"""Limit: how far a quiet place is searched from the end of an unchanged region, by what is known
from this many characters before it. Where that is too little, the page is gone over once."""

SETS: Final = 4_096
"""Limit: the sets of states that are kept for a pattern; above it, they are made anew."""

WINDOW: Final = 256
"""How many characters are searched first; then four times as many, and so on."""


@lru_cache(maxsize=256)
def quiet_places(pattern: str) -> QuietPlaces:
    """What finds the quiet places of a pattern that a scan was derived from."""
    tree = read(pattern)
    automaton = None if tree is None else automaton_of(tree)
    assert automaton is not None
    return QuietPlaces(*steps_of(automaton), SETS)


def prepare(grain: Grain) -> None:
    """Build the automaton of a scan, which takes some milliseconds, before anything is timed."""
    for option in grain.options if isinstance(grain, Either) else (grain,):
        if isinstance(option, Scan):
            quiet_places(option.pattern)


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


def steps_of(automaton: Automaton) -> tuple[list[int], list[list[list[int]]], list[list[int]]]:
    """The kind of each character of ASCII, and of all others; steps by kind, and starts by kind.

    Characters that no set of the automaton distinguishes are of one kind.
    """
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
    onward = [
        [[target for target, mask in steps.items() if mask & bit] for steps in automaton.steps]
        for bit in samples
    ]
    begun = [[state for state, mask in starts.items() if mask & bit] for bit in samples]
    return kinds, onward, begun

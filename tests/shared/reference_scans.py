"""Quiet places in plain Python, one character after the other: what `quiet.hpp` does natively."""

from dataclasses import dataclass, field

from rowen.extractors.expression import ASCII, read
from rowen.extractors.locality import Scan
from rowen.extractors.overlap import Automaton, automaton_of
from rowen.extractors.scan import steps_of


@dataclass
class Walker:
    """Follows all attempts to match at once."""

    automaton: Automaton
    kinds: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds, self.onward, self.begun = steps_of(self.automaton)

    def step(self, states: frozenset[int], character: str) -> tuple[frozenset[int], bool]:
        """The states after a character, and whether an attempt goes on over it."""
        kind = self.kinds[min(ord(character), ASCII)]
        after = {target for state in states for target in self.onward[kind][state]}
        return frozenset(after | set(self.begun[kind])), bool(after)


def walker_of(pattern: str) -> Walker:
    tree = read(pattern)
    assert tree is not None
    automaton = automaton_of(tree)
    assert automaton is not None
    return Walker(automaton)


def quiet(pattern: str, text: str, start: int = 0) -> list[int]:
    """The quiet places of a text, if none of the attempts from before `start` goes on there."""
    walker, states, places = walker_of(pattern), frozenset[int](), []
    for place in range(start, len(text)):
        states, crossed = walker.step(states, text[place])
        if not crossed:
            places.append(place)
    return places


def copies(scan: Scan, old: str, new: str, matches: list[list[int]]) -> list[tuple[int, int, int]]:
    """For each region what may be copied at most: from its first quiet place to its last one.

    All of both texts is looked at for each region.
    """
    walker, rows, removed = walker_of(scan.pattern), [], 0
    for start, old_start, length in matches:
        if start + length <= removed:
            continue
        at_start = start == old_start == 0
        at_end = start + length == len(new) and old_start + length == len(old)
        end = start + length if at_end else start + length - scan.ahead
        states = _under_way(walker, new[:start]) | _under_way(walker, old[:old_start])
        places = [0] if at_start else []
        for place in range(start, start + length - scan.ahead):
            states, crossed = walker.step(states, new[place])
            if not crossed and place >= start + scan.behind:
                places.append(place)
        if not places:
            continue
        # From the first one on, no attempt from before it counts.
        first = places[0]
        later = [end] if at_end else quiet(scan.pattern, new[: max(end, first)], first)
        if later and later[-1] > first:
            shift = start - old_start
            rows.append((first - shift, later[-1] - shift, shift))
            removed = max(removed, later[-1])
    return rows


def _under_way(walker: Walker, text: str) -> frozenset[int]:
    states = frozenset[int]()
    for character in text:
        states, _ = walker.step(states, character)
    return states

"""Learning the wrappers that race from a page's start to its end: N-LR and M-LR.

Of a partial label the values are the page's first ones; nothing is asked of what comes after them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rowen.model import NoConsistentWrapper
from rowen.wrappers.racing.laps import Lap, check_transitions, longest_lefts, right_bounds
from rowen.wrappers.racing.liking import left_lengths, right_length
from rowen.wrappers.racing.propagation import Bounds, Conflict, Gaps, narrow_ends
from rowen.wrappers.racing.race import Rule


class Sides(NamedTuple):
    """A left and a right delimiter a field; empty for a field that no example has."""

    left: list[str]
    right: list[str]


def learn_sides(laps: Sequence[Lap], rule: Rule, fields: Sequence[str]) -> Sides:
    """Delimiters that run every lap, or `NoConsistentWrapper` where there are none."""
    turns = [turn for lap in laps for turn in lap.turns()]
    check_transitions(turns, rule, fields)
    right = learn_rights(laps, fields)
    longest = longest_lefts(laps, fields)
    gaps = Gaps(turns, rule, longest)
    bounds = Bounds([1] * len(fields), map(len, longest))
    try:
        gaps.narrow(bounds)
        narrow_ends(laps, rule, longest, bounds)
        gaps.settle(bounds)
    except Conflict as conflict:
        raise inconsistent(conflict, fields) from None
    lengths = choose_lengths(gaps, bounds, longest)
    return Sides([text[len(text) - n :] for text, n in zip(longest, lengths, strict=True)], right)


def learn_rights(laps: Sequence[Lap], fields: Sequence[str]) -> list[str]:
    """The right delimiters, each for itself."""
    return [
        longest[: right_length(longest, low)] if longest else ""
        for longest, low in right_bounds(laps, fields)
    ]


def inconsistent(conflict: Conflict, fields: Sequence[str]) -> NoConsistentWrapper:
    """The conflict in words, with the fields' names."""
    reason = conflict.reason
    for number, name in enumerate(fields):
        reason = reason.replace(f"{{{number}}}", f"values of {name!r}")
    return NoConsistentWrapper(reason, field=fields[conflict.field], pages=conflict.pages)


def choose_lengths(gaps: Gaps, bounds: Bounds, longest: Sequence[str]) -> list[int]:
    """The best lengths of left delimiters within bounds that are settled, one after the other."""
    for field, text in enumerate(longest):
        if text:
            bounds = _choose(gaps, bounds, field, text)
    return bounds.high


def _choose(gaps: Gaps, bounds: Bounds, field: int, longest: str) -> Bounds:
    """The bounds with the field's best length that leaves the others any."""
    for length in left_lengths(longest, bounds.low[field], bounds.high[field]):
        attempt = bounds.fixed(field, length)
        try:
            gaps.settle(attempt)
        except Conflict:
            continue
        return attempt
    raise AssertionError("the greatest solution is one")

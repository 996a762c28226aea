"""Learning the classes whose scan runs over the whole page: N-LR and M-LR.

The right delimiters are learned one by one. For the left ones `propagation` finds which lengths go
together; of these the preferred ones are taken, field by field.

The values of a partial label are the page's first ones; nothing is asked of what comes after them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rowen.induction.earliest.labels import (
    PageLabel,
    check_transitions,
    longest_lefts,
    right_bounds,
)
from rowen.induction.earliest.preference import left_lengths, right_length
from rowen.induction.earliest.propagation import Bounds, Conflict, Gaps, narrow_ends
from rowen.model import NoConsistentWrapper
from rowen.wrappers.earliest import Rule


class Sides(NamedTuple):
    """A left and a right delimiter per field; empty for a field that no example has."""

    left: list[str]
    right: list[str]


def learn_sides(labels: Sequence[PageLabel], rule: Rule, fields: Sequence[str]) -> Sides:
    """Delimiters that reproduce every label, or `NoConsistentWrapper` where there are none."""
    steps = [step for label in labels for step in label.steps()]
    check_transitions(steps, rule, fields)
    right = learn_rights(labels, fields)
    longest = longest_lefts(labels, fields)
    gaps = Gaps(steps, rule, longest)
    bounds = Bounds([1] * len(fields), map(len, longest))
    try:
        gaps.narrow(bounds)
        narrow_ends(labels, rule, longest, bounds)
        gaps.settle(bounds)
    except Conflict as conflict:
        raise inconsistent(conflict, fields) from None
    lengths = choose_lengths(gaps, bounds, longest)
    return Sides([text[len(text) - n :] for text, n in zip(longest, lengths, strict=True)], right)


def learn_rights(labels: Sequence[PageLabel], fields: Sequence[str]) -> list[str]:
    """The right delimiters, each for itself."""
    return [
        longest[: right_length(longest, low)] if longest else ""
        for longest, low in right_bounds(labels, fields)
    ]


def inconsistent(conflict: Conflict, fields: Sequence[str]) -> NoConsistentWrapper:
    """The conflict in words, with the fields' names."""
    reason = conflict.reason
    # A conflict knows fields by number: `{2}` stands for the field's name.
    for number, name in enumerate(fields):
        reason = reason.replace(f"{{{number}}}", f"values of {name!r}")
    return NoConsistentWrapper(reason, field=fields[conflict.field], pages=conflict.pages)


def choose_lengths(gaps: Gaps, bounds: Bounds, longest: Sequence[str]) -> list[int]:
    """The best lengths of left delimiters within bounds that are settled, one after the other."""
    # One field after the other: after each choice the others still have a solution, so that none is
    # taken back.
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

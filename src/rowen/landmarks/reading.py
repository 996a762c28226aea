"""What the rules of a field find on pages of one record, beside what is marked there."""

from collections.abc import Sequence
from typing import TypeAlias

from rowen._core import token_rows
from rowen.landmarks.sample import Sample
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule

Bounds: TypeAlias = tuple[tuple[int, int], ...]
Labels: TypeAlias = list[Bounds | None]
"""The values of a field in each marked record; None where they are unknown."""


def labels_of(sample: Sample, name: str) -> Labels:
    """What is marked of a field."""
    return [
        tuple((occurrence.start, occurrence.end) for occurrence in record.occurrences[name])
        if name in record.occurrences
        else None
        for record in sample.marked
    ]


def read_values(outline: Outline, rules: Sequence[Rule], *, several: bool) -> Bounds:
    """The values that a field's rules find on a page of one record."""
    field = (tuple(rule.compiled for rule in rules), rules[0].take, several, True)
    rows, is_flat = token_rows(outline.native, record=None, fields=(field,), required=0)
    if not rows:
        return ()
    ((cell,),) = rows
    return (cell,) if is_flat else cell


def is_sound(rule: Rule, sample: Sample, labels: Labels, *, several: bool) -> bool:
    """Whether a rule finds what is marked on each page, or nothing."""
    for record, label in zip(sample.marked, labels, strict=True):
        values = read_values(sample.outlines[record.page], [rule], several=several)
        if label is not None and values and sorted(values) != sorted(label):
            return False
    return True

"""Doubt: the few labels of a field that contradict all others.

People mark the wrong cell, and values that are looked up by their text are found in a place where
the same text stands by chance. Where no rule fits all labels of a field, those are kept that stand
alike, if they are most of them, and the others count as unknown.
"""

from collections import defaultdict
from collections.abc import Callable

from rowen.wrappers.token.field_search import FieldSearch, likeness
from rowen.wrappers.token.occurrence import Occurrence
from rowen.wrappers.token.sample import Sample
from rowen.wrappers.token.wrapper import Rule

DOUBT = 0.2
"""This share of a field's values may be doubted; more are not mistakes but another way."""


def learn_most(sample: Sample, name: str, *, several: bool) -> list[Rule]:
    """Rules for those values that stand alike, the others being doubted; none where few do."""
    before = frozenset(sample.doubted)
    records = [one for some in sample.believed(name) for one in some]
    for alike in _LIKENESSES:
        groups: dict[object, list[Occurrence]] = defaultdict(list)
        for one in records:
            groups[alike(sample, one)].append(one)
        most = max(groups.values(), key=len, default=[])
        if len(most) == len(records) or len(most) < (1 - DOUBT) * len(records):
            continue
        kept = {one.record for one in most}
        others = {one.record for one in records} - kept
        sample.doubted |= {(record, name) for record in others}
        rules = FieldSearch(sample, name, most).learn(several=several)
        if rules:
            return rules
        sample.doubted = set(before)
    return []


def _path(sample: Sample, one: Occurrence) -> object:
    """The elements from the record down to a value, each with its place among its like."""
    outline = one.outline
    first = sample.stretch_of(one)
    path = [(int(outline.names[one.tag]), int(outline.places[one.tag]))]
    around = int(outline.parents[one.tag])
    while around > first:
        path.append((int(outline.names[around]), int(outline.places[around])))
        around = int(outline.parents[around])
    return one.attribute, tuple(path)


def _level(level: int) -> Callable[[Sample, Occurrence], object]:
    return lambda _, one: likeness(one, level)


_LIKENESSES: tuple[Callable[[Sample, Occurrence], object], ...] = (
    _path,
    *(_level(level) for level in range(1, 6)),
)

"""Doubt: the labels of a field that contradict others.

People mark the wrong cell, and values that are looked up by their text are found in a place where
the same text stands by chance. Where no rule fits all labels of a field, those are kept that stand
alike, if they are most of them, and the others count as unknown. On pages that are one record each
there are too few for that: there the pages are believed whose rules agree best with all of them.
"""

from collections import defaultdict
from collections.abc import Callable
from operator import itemgetter

from rowen.wrappers.token.field_search import FieldSearch, likeness
from rowen.wrappers.token.occurrence import Occurrence
from rowen.wrappers.token.sample import Sample
from rowen.wrappers.token.wrapper import Rule, Token

DOUBT = 0.2
"""This share of a field's values may be doubted; more are not mistakes but another way."""

AGREED = 0.5
"""Rules of some pages have to give back so much of the field's labels on all of them (F1)."""


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
        rules = _rules_for(sample, name, most, several=several)
        if rules:
            return rules
        sample.doubted = set(before)
    return []


def learn_some(sample: Sample, name: str, *, several: bool) -> list[Rule]:
    """Rules for the pages that one rule fits, of all such groups the one that agrees best."""
    groups: list[tuple[list[Occurrence], list[Rule]]] = []
    before = frozenset(sample.doubted)
    for some in filter(None, sample.believed(name)):
        for number, group in enumerate([*(group for group, _ in groups), []]):
            rules = _rules_for(sample, name, [*group, *some], several=several)
            sample.doubted = set(before)
            if rules:
                groups[number : number + 1] = [([*group, *some], rules)]
                break
    found = [
        (_agreement(sample, name, rules, several=several), group, rules) for group, rules in groups
    ]
    agreed, group, rules = max(found, key=itemgetter(0), default=(0.0, [], []))
    if agreed < AGREED:
        return []
    _doubt_others(sample, name, group)
    return rules


def _rules_for(
    sample: Sample, name: str, believed: list[Occurrence], *, several: bool
) -> list[Rule]:
    _doubt_others(sample, name, believed)
    return FieldSearch(sample, name, believed).learn(several=several)


def _doubt_others(sample: Sample, name: str, believed: list[Occurrence]) -> None:
    kept = {one.record for one in believed}
    values = (one for some in sample.believed(name) for one in some)
    sample.doubted |= {(one.record, name) for one in values if one.record not in kept}


def _agreement(sample: Sample, name: str, rules: list[Rule], *, several: bool) -> float:
    """F1 of the values that rules find for one field, on pages that are one record each."""
    wrapper = Token([name], rules={name: rules}, several=[name] if several else [])
    right = found = wanted = 0
    for example in sample.examples:
        gives, wants = (
            {span for record in records for span in dict(record.items()).get(name, ())}
            for records in (wrapper.extract(example.page), example.records)
        )
        right += len(gives & wants)
        found += len(gives)
        wanted += len(wants)
    return 2 * right / max(found + wanted, 1)


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

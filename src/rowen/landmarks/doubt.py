"""Doubt: the labels of a field that contradict the others.

People mark the wrong cell, and texts are located where they occur by chance. Where no rule fits all
labels of a field, those with the same surroundings are believed, if they are most of them, and the
others count as unknown. Pages of one record each have too few labels for that: there, the pages are
believed whose rules agree best with all of them.

    <td>48</td> in 9 records, <th>51</th> in one      the rule <td> is learned, 51 is doubted
"""

from collections import defaultdict
from collections.abc import Callable
from operator import itemgetter

from rowen.landmarks.field_search import FieldSearch, likeness
from rowen.landmarks.occurrence import Occurrence
from rowen.landmarks.sample import Sample
from rowen.wrappers.token.wrapper import Rule, Token

DOUBT = 0.2
"""This share of a field's values may be doubted. More are not mistakes but another template."""

AGREED = 0.5
"""Rules of some pages have to reproduce this share of the field's labels on all of them (F1)."""


def learn_most(sample: Sample, name: str, *, several: bool) -> list[Rule]:
    """Rules for the values with the same surroundings, if they are most; the others are doubted."""
    before = frozenset(sample.doubted)
    records = [occurrence for of_record in sample.believed(name) for occurrence in of_record]
    # By the path of elements in the record first, then by ever more of the surroundings.
    for alike in _LIKENESSES:
        groups: dict[object, list[Occurrence]] = defaultdict(list)
        for occurrence in records:
            groups[alike(sample, occurrence)].append(occurrence)
        most = max(groups.values(), key=len, default=[])
        if len(most) == len(records) or len(most) < (1 - DOUBT) * len(records):
            continue
        rules = _rules_for(sample, name, most, several=several)
        if rules:
            return rules
        sample.doubted = set(before)
    return []


def learn_some(sample: Sample, name: str, *, several: bool) -> list[Rule]:
    """Rules for a group of pages that one rule fits: the group that agrees best with all labels."""
    groups: list[tuple[list[Occurrence], list[Rule]]] = []
    before = frozenset(sample.doubted)
    for of_record in filter(None, sample.believed(name)):
        for number, group in enumerate([*(group for group, _ in groups), []]):
            rules = _rules_for(sample, name, [*group, *of_record], several=several)
            sample.doubted = set(before)
            if rules:
                groups[number : number + 1] = [([*group, *of_record], rules)]
                break
    rated = [
        (_agreement(sample, name, rules, several=several), group, rules) for group, rules in groups
    ]
    agreed, group, rules = max(rated, key=itemgetter(0), default=(0.0, [], []))
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
    believed_records = {occurrence.record for occurrence in believed}
    values = (occurrence for of_record in sample.believed(name) for occurrence in of_record)
    sample.doubted |= {
        (occurrence.record, name)
        for occurrence in values
        if occurrence.record not in believed_records
    }


def _agreement(sample: Sample, name: str, rules: list[Rule], *, several: bool) -> float:
    """F1 of the values that rules find for one field, on pages of one record each."""
    wrapper = Token([name], rules={name: rules}, several=[name] if several else [])
    right = given_back = expected = 0
    for example in sample.examples:
        gives, wants = (
            {span for record in records for span in dict(record.items()).get(name, ())}
            for records in (wrapper.extract(example.page), example.records)
        )
        right += len(gives & wants)
        given_back += len(gives)
        expected += len(wants)
    return 2 * right / max(given_back + expected, 1)


def _path(sample: Sample, occurrence: Occurrence) -> object:
    """The elements from the record down to a value, each with its number among its siblings."""
    outline = occurrence.outline
    first = sample.stretch_of(occurrence)
    path = [(int(outline.names[occurrence.tag]), int(outline.places[occurrence.tag]))]
    around = int(outline.parents[occurrence.tag])
    while around > first:
        path.append((int(outline.names[around]), int(outline.places[around])))
        around = int(outline.parents[around])
    return occurrence.attribute, tuple(path)


def _level(level: int) -> Callable[[Sample, Occurrence], object]:
    return lambda _, occurrence: likeness(occurrence, level)


_LIKENESSES: tuple[Callable[[Sample, Occurrence], object], ...] = (
    _path,
    *(_level(level) for level in range(1, 6)),
)

"""Alternatives: further rules for a field of pages that are one record each.

The cheapest rule that fits a few marked pages may rest on what these pages share by chance, and
finds nothing elsewhere. Other rules fit them as well: by a label, by a class, by the tags alone, by
what follows, inside a container, or learned from fewer of the pages. They follow the chosen rule,
and each is tried only where those before it find nothing.

    <p>Cuisine: Thai</p><p>02116</p><b>12 Oak Street</b>      two marked pages of one ZIP code
    address      the text after 02116 </p> <b>
    otherwise    the text after <b>

An alternative never contradicts a label: on each marked page it finds what is marked, or nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rowen._core import token_rows
from rowen.induction import budget
from rowen.learning.token import context
from rowen.learning.token.field_search import FieldSearch
from rowen.learning.token.occurrence import Occurrence
from rowen.learning.token.sample import Sample, divide, read_sample
from rowen.records import Example
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule, Token

ALTERNATIVES = 3
"""Limit: a field has at most this many alternatives. Later ones hardly ever find a value."""

FEWER = 2.0
"""A rule that was learned from fewer pages than there are counts as this much dearer."""

SINGLES = 5
"""Limit: rules are learned from single pages for the first few of them."""


class Priced(NamedTuple):
    """A rule with its price."""

    price: float
    rule: Rule


def add_alternatives(wrapper: Token, examples: Sequence[Example]) -> Token:
    """The wrapper with alternatives for its fields; itself where pages have several records."""
    if wrapper.record is not None or any(len(example.records) != 1 for example in examples):
        return wrapper
    sample = read_sample(examples)
    divide(sample, None)
    rules = {
        name: (
            *wrapper.rules[name],
            *_alternatives(sample, name, wrapper.rules[name], several=name in wrapper.several),
        )
        for name in wrapper.fields
    }
    extended = Token(
        wrapper.fields,
        rules=rules,
        several=wrapper.several,
        required=wrapper.required,
        evidence=wrapper.evidence,
    )
    extended.reason = wrapper.reason
    return extended


def _alternatives(
    sample: Sample, name: str, chosen: Sequence[Rule], *, several: bool
) -> list[Rule]:
    """Rules that never contradict a label, the cheapest first."""
    if not chosen or budget.spent():
        return []
    labels = [
        tuple((occurrence.start, occurrence.end) for occurrence in record.occurrences[name])
        if name in record.occurrences
        else None
        for record in sample.marked
    ]
    alternatives: list[Rule] = []
    seen = {replace(rule, otherwise=False) for rule in chosen}
    for _, rule in sorted(set(_candidates(sample, name)), key=lambda priced: priced.price):
        candidate = replace(rule, take=chosen[0].take)
        if candidate in seen or not _is_sound(candidate, sample, labels, several=several):
            continue
        seen.add(candidate)
        alternatives.append(replace(candidate, otherwise=True))
        if len(alternatives) == ALTERNATIVES:
            break
    return alternatives


def _candidates(sample: Sample, name: str) -> Iterator[Priced]:
    """Rules of all kinds, from all pages with the field and from single ones."""
    by_record = [occurrences for occurrences in sample.believed(name) if occurrences]
    together = [occurrence for occurrences in by_record for occurrence in occurrences]
    search = FieldSearch(sample, name, together)
    for priced in (search.element(together), search.region(together)):
        if priced is not None and priced[0] < context.DATA:
            yield Priced(*priced)
    for price, rule in search.varied(together):
        yield Priced(price, rule)
    for occurrences in by_record[:SINGLES] if len(by_record) > 1 else ():
        for price, rule in search.varied(occurrences):
            yield Priced(price + FEWER, rule)


def _is_sound(
    rule: Rule,
    sample: Sample,
    labels: Sequence[tuple[tuple[int, int], ...] | None],
    *,
    several: bool,
) -> bool:
    """Whether a rule finds what is marked on each page, or nothing."""
    for record, label in zip(sample.marked, labels, strict=True):
        values = read_values(sample.outlines[record.page], [rule], several=several)
        if label is not None and values and sorted(values) != sorted(label):
            return False
    return True


def read_values(
    outline: Outline, rules: Sequence[Rule], *, several: bool
) -> tuple[tuple[int, int], ...]:
    """The values that a field's rules find on a page of one record."""
    field = (tuple(rule.compiled for rule in rules), rules[0].take, several, True)
    rows, is_flat = token_rows(outline.native, record=None, fields=(field,), required=0)
    if not rows:
        return ()
    ((cell,),) = rows
    return (cell,) if is_flat else cell

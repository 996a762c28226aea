"""Support: how many of a wrapper's records look like the marked ones.

Marks in part of a list leave open what else is a record. Of two wrappers that reproduce them, the
better one finds more records like them:

    marked Ada 36      hlrt finds Ada 36, Bob 41              support 2
                       region finds Ada 36, ..., Eve 29       support 40
"""

from collections.abc import Mapping, Sequence
from itertools import islice

from rowen.learning.likeness import likeness, worth
from rowen.model import Page
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper

LOOKED_AT = 300
"""Limit: so many records of a page are compared with the marked ones."""

ABSENT = -0.5
"""What a field counts that a record lacks, beside 1 for a value like the marked ones and -1 for one
unlike them."""


def support_of(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page] = ()) -> float:
    """The number of records like the marked ones, less those unlike them."""
    marked = _marked_texts(examples)
    seen = [*(example.page for example in examples), *pages]
    return sum(
        _worth(record, marked)
        for page in seen
        for record in islice(wrapper.extract(page), LOOKED_AT)
    )


def _marked_texts(examples: Sequence[Example]) -> Mapping[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for example in examples:
        for record in example.records:
            for name, spans in record.items():
                texts.setdefault(name, []).extend(span.of(example.page.text) for span in spans)
    return {name: values for name, values in texts.items() if values}


def _worth(record: Record, marked: Mapping[str, list[str]]) -> float:
    text, spans = record.page.text, dict(record.items())
    total = 0.0
    for name, values in marked.items():
        where = spans.get(name, ())
        best = max((likeness(span.of(text), values) for span in where), default=None)
        total += ABSENT if best is None else worth(best)
    return total / max(len(marked), 1)

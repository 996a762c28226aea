"""Labels given as texts, at the places where a wrapper found them.

A value that was given as a text is right wherever the page says it. So where a wrapper reads a
script that says the same as the page's markup, the label moves there. Offsets stay.
"""

from collections.abc import Mapping, Sequence

from rowen.learning.data.marked import Want
from rowen.model import LabelError, Page, Span
from rowen.records import Example, Record, Records
from rowen.records.nested import Nested
from rowen.records.record import holds_records
from rowen.values.clean import clean, tidy
from rowen.wrappers.base import Wrapper
from rowen.wrappers.combination import Combination
from rowen.wrappers.data.wrapper import Data
from rowen.wrappers.nested_fields import NestedFields


def relabelled(example: Example, records: Records) -> Example:
    """The example, with texts where these records have them."""
    if not example.given:
        return example
    pairs = _pairs(example, records)
    moved = [
        record.spans if match is None else _moved(given, record, match)
        for given, record, match in zip(example.given, example.records, pairs, strict=True)
    ]
    try:
        return Example.located(example.page, moved, partial=example.partial, given=example.given)
    except LabelError:  # records of data need not be in page order
        return example


def in_data(wrapper: Wrapper | None, examples: Sequence[Example]) -> Sequence[Example]:
    """The examples, with texts where a wrapper that reads data has them; the same for others."""
    if wrapper is None or not _reads_data(wrapper):
        return examples
    return [relabelled(example, wrapper.extract(example.page)) for example in examples]


def _reads_data(wrapper: Wrapper | None) -> bool:
    if isinstance(wrapper, NestedFields):
        parts = [part.wrapper for part in wrapper.parts.values()]
        return any(map(_reads_data, [wrapper.parent, *parts]))
    return isinstance(wrapper, Data | Combination)


def _pairs(example: Example, records: Records) -> Sequence[Record | None]:
    """The record that each label means."""
    if not example.partial and len(records) == len(example.records):
        return list(records)
    pairs: list[Record | None] = []
    left = list(records)
    for given in example.given:
        match = next((record for record in left if _says_all(given, record)), None)
        pairs.append(match)
        if match is not None:
            left = left[left.index(match) + 1 :]
    return pairs


def _says_all(given: Mapping[str, object] | Record, record: Record) -> bool:
    if isinstance(given, Record):
        return given.spans == record.spans
    spans, stored = dict(record.items()), dict(record.stored())
    for name, value in given.items():
        if value and holds_records(value):
            held = stored.get(name)
            if not isinstance(held, Nested) or len(held) != len(value):
                return False
            if not all(map(_says_all, value, held)):
                return False
        elif not _says(record.page, spans.get(name, ()), value):
            return False
    return True


def _moved(
    given: Mapping[str, object] | Record, record: Record, match: Record
) -> Mapping[str, object]:
    if isinstance(given, Record):
        return record.spans
    spans = record.spans
    has = dict(match.items())
    marked, stored = dict(record.stored()), dict(match.stored())
    for name, value in given.items():
        if value and holds_records(value):
            own, held = marked.get(name), stored.get(name)
            if isinstance(own, Nested) and isinstance(held, Nested) and len(own) == len(held):
                spans[name] = [_moved(*inner) for inner in zip(value, own, held, strict=True)]
            continue
        # Fields that this wrapper does not read, and those that are missing, stay as they are.
        if name in spans and has.get(name) and _says(match.page, has[name], value):
            spans[name] = match.spans[name]
    return spans


def _says(page: Page, spans: Sequence[Span], value: object) -> bool:
    """Whether the page says a given value at these spans."""
    left = list(spans)
    for want in _wants(value):
        match = next((span for span in left if _is(page, span, want)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _wants(value: object) -> list[Want]:
    if value is None:
        return []
    if isinstance(value, str):
        return [tidy(value)]
    assert isinstance(value, list | tuple)
    if len(value) == 2 and all(type(bound) is int for bound in value):
        return [Span(*value)]
    return [want for item in value for want in _wants(item)]


def _is(page: Page, span: Span, want: Want) -> bool:
    return span == want if isinstance(want, Span) else tidy(clean(page, *span)) == want

"""Cross-validation: how often a wrapper is right on examples that took no part in learning.

The PAC model gives a guarantee, which assumes the worst of sites. This is what the examples
themselves say: one at a time is left out, and everything is learned from the others alone, as if it
had never been marked: the positions of texts, the class, the kinds of rules, the landmarks. Then
the wrapper is tried on it. The score by which `auto` chooses a class is not an estimate: all
examples took part in that choice.

    marked pages 1 2 3      learn from 2 3, try 1: right
                            learn from 1 3, try 2: right
                            learn from 1 2, try 3: wrong       2 of 3 pages, 95% interval 21% to 94%

It is an estimate and not a guarantee. The interval is wide as long as there are few examples, the
other pages may be unlike these, and what all marked pages share by chance can't be seen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from rowen.assurance.estimate import UNITS, Estimate
from rowen.induction import budget
from rowen.learning.classes import Learner
from rowen.learning.progress import report, silence
from rowen.model import LabelError, NoConsistentWrapper, Page, SearchCutShort, Span
from rowen.records import Example, Record
from rowen.records.nested import Nested
from rowen.records.record import CHILDREN, holds_records
from rowen.text.character_references import decode
from rowen.values.clean import clean
from rowen.wrappers.base import Wrapper

LEFT_OUT = 12
"""Limit: at most this many examples are left out in turn, evenly spread. Each costs learning once
more."""


_TAG = re.compile(r"<[^<>]*>")


class Marked(NamedTuple):
    """A page with its label as it was given: texts are not yet located on it."""

    page: Page
    records: Sequence[Mapping[str, object] | Record]
    partial: bool

    @classmethod
    def of(cls, example: Example) -> Self:
        """What was given for an example."""
        return cls(example.page, example.given or example.records, example.partial)


def leave_one_out(examples: Sequence[Example], learner: Learner) -> Estimate | None:
    """Learn from all examples but one and try that one, for each; None where there are too few.

    On a single page its records are left out: each is to be found from those before it. When the
    time is over, what was tried by then counts. A search that was cut short does not count, either
    way.
    """
    marked = [Marked.of(example) for example in examples]
    right = tried = 0
    folds = list(_folds(marked))
    for number, (training, left_out) in enumerate(folds, 1):
        if budget.spent():
            break
        report(f"cross-validation, {number} of {len(folds)}")
        try:
            with silence():
                wrapper = learner(_located(training))
            # With more time it might have been right: it says nothing about the wrapper.
            if wrapper.evidence is not None and wrapper.evidence.cut_short:
                continue
            right += is_right(wrapper, left_out)
        except SearchCutShort:
            continue
        except (NoConsistentWrapper, LabelError):
            pass  # nobody would have a wrapper from these examples, so the page counts as wrong
        tried += 1
    return Estimate(right, tried, UNITS[len(marked) == 1]) if tried else None


def _located(marked: Sequence[Marked]) -> list[Example]:
    """The examples, with each text at the position that these pages alone suggest."""
    if not any(_has_text(label.records) for label in marked):
        return [Example(label.page, label.records, partial=label.partial) for label in marked]
    from rowen.labels.locate import locate

    return locate(marked)


def _has_text(value: object) -> bool:
    if isinstance(value, Record):
        return False
    if isinstance(value, Mapping):
        return any(map(_has_text, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_text, value))
    return isinstance(value, str)


def _folds(marked: Sequence[Marked]) -> Iterator[tuple[list[Marked], Marked]]:
    """What to learn from and what to try, for each example that is left out."""
    if len(marked) > 1:
        for number in _spread(len(marked)):
            training = [label for index, label in enumerate(marked) if index != number]
            if any(label.records for label in training):
                yield training, marked[number]
        return
    for page, records, _ in marked:
        for index in _spread(len(records) - 1):
            before, left_out = records[: index + 1], records[index + 1]
            yield [Marked(page, before, partial=True)], Marked(page, [left_out], partial=True)


def _spread(count: int) -> list[int]:
    """The numbers below `count`, or `LEFT_OUT` of them, evenly spread."""
    tried = min(count, LEFT_OUT)
    return [number * count // tried for number in range(tried)]


def is_right(wrapper: Wrapper, marked: Marked) -> bool:
    """Whether all values of a label are extracted, and no others unless there may be more records.

    A value that was given as a text is right wherever it says that text: nobody said where it is,
    and locating it would take the other examples.
    """
    return _are_right(marked.records, wrapper.extract(marked.page), partial=marked.partial)


def _are_right(labels: object, records: Sequence[Record], *, partial: bool) -> bool:
    expected = [_as_mapping(label) for label in labels] if isinstance(labels, list | tuple) else []
    if partial:
        return all(
            any(_is_right(label, record, partial=True) for record in records) for label in expected
        )
    return len(records) == len(expected) and all(
        _is_right(label, record, partial=False)
        for label, record in zip(expected, records, strict=True)
    )


def _as_mapping(label: object) -> Mapping[str, object]:
    if isinstance(label, Record):
        return {**dict(label.stored()), CHILDREN: label.children}
    assert isinstance(label, Mapping)
    return label


def _is_right(label: Mapping[str, object], record: Record, *, partial: bool) -> bool:
    spans, stored = dict(record.items()), dict(record.stored())
    for name, value in label.items():
        where = stored.get(name)
        if name == CHILDREN:
            continue
        if isinstance(where, Nested) or (value and holds_records(value)):
            nested = where if isinstance(where, Nested) else ()
            if not _are_right(value or (), nested, partial=False):
                return False
        elif not _are_values(spans.get(name, ()), _listed(value), record.page):
            return False
    return _are_right(label.get(CHILDREN, ()), record.children, partial=partial)


def _listed(value: object) -> list[object]:
    """The values of a field as a list, each a text or a span."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, list | tuple):
        return [value]
    is_pair = len(value) == 2 and not any(isinstance(item, str | list | tuple) for item in value)
    return [value] if is_pair else list(value)


def _are_values(spans: Sequence[Span], expected: Sequence[object], page: Page) -> bool:
    """Whether these spans are the expected values, in any order."""
    left = list(spans)  # each span may be only one of the values
    for value in expected:
        match = next((span for span in left if _is_value(span, value, page)), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _is_value(span: Span, expected: object, page: Page) -> bool:
    if not isinstance(expected, str):
        return isinstance(expected, list | tuple) and tuple(span) == tuple(expected)
    value = span.of(page.text)
    forms = (_plain(value), _plain(_TAG.sub("", value)), clean(page, *span))
    return value == expected or _plain(expected) in forms


def _plain(value: str) -> str:
    """A value as its reader sees it."""
    return " ".join(decode(value).text.split())

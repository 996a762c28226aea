"""Proposals of a suggested table that was chosen, for as long as the labels agree with it.

Choosing a table labels nothing. Its wrapper proposes records; where a label contradicts it, or has
a field that the table lacks, a wrapper is learned from the labels, and the table only completes the
records that a person has touched.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rowen.labels.marks import marks_of
from rowen.records import Example, Record
from rowen.studio.material import Pages, wrapper_of
from rowen.wrappers.base import Wrapper


def wrapper_of_table(project: Pages, examples: Sequence[Example]) -> Wrapper | None:
    """The wrapper of the chosen table, if it finds every labelled record as it is labelled."""
    if project.table is None:
        return None
    # A class that somebody chose is learned, as soon as there is a label to learn from.
    if project.wrapper_class != "auto" and any(example.records for example in examples):
        return None
    wrapper = wrapper_of(project.table)
    return wrapper if all(_agrees(wrapper, example) for example in examples) else None


def examples_with_table(project: Pages, examples: Sequence[Example]) -> Sequence[Example]:
    """The examples; unknown fields of a record have the values that the table has there."""
    if project.table is None:
        return examples
    wrapper = wrapper_of(project.table)
    return [
        Example(
            example.page,
            list(_completed(example.records, wrapper.extract(example.page))),
            partial=example.partial,
        )
        for example in examples
    ]


def _agrees(wrapper: Wrapper, example: Example) -> bool:
    found = [marks_of(record) for record in wrapper.extract(example.page)]
    labelled = [marks_of(record) for record in example.records]
    if not example.partial and len(found) != len(labelled):
        return False
    return all(any(_has(record, label) for record in found) for label in labelled)


def _has(record: Mapping[str, Any], label: Mapping[str, Any]) -> bool:
    """Whether a record has all that a label says; a field that it lacks is missing from it."""
    return all(record.get(name) == value for name, value in label.items() if name in record) and (
        set(label) <= set(record)
    )


def _completed(labelled: Sequence[Record], found: Sequence[Record]) -> Iterator[Mapping[str, Any]]:
    for label in labelled:
        marks = marks_of(label)
        record = next((record for record in found if _overlap(label, record)), None)
        if record is None:
            yield marks
            continue
        proposed = marks_of(record)
        # A value that the person gave to another record, or replaced, is not filled in again.
        contradicts = any(name in proposed and proposed[name] != marks[name] for name in marks)
        yield marks if contradicts else {**proposed, **marks}


def _overlap(left: Record, right: Record) -> bool:
    first, second = left.extent, right.extent
    return (
        first is not None
        and second is not None
        and first.start < second.end
        and second.start < first.end
    )

"""The labels of records with nested fields, in parts that are learned one by one.

    label       {title: Tea, reviews: [{author: Ann}, {author: Bob}]}, {title: Milk, reviews: []}
    own values  {title: Tea}, {title: Milk}
    reviews     {author: Ann}, {author: Bob}, both owned by the first

Values that were given as texts are texts in the parts, too: a class may find them elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rowen.records import Example, Record
from rowen.records.nested import Nested
from rowen.records.reading import Spans

Given: TypeAlias = Mapping[str, object] | Record
"""A record as a person wrote it."""


@dataclass(frozen=True, slots=True)
class FieldLists:
    """The records of a nested field, page by page."""

    examples: list[Example]
    pages: list[int]
    """The number of the example that each page was."""
    owners: list[list[int]]
    """For each page and record, the number of the record that has it."""


def nested_names(examples: Sequence[Example]) -> list[str]:
    """The fields that hold records in some label, in the order of the labels."""
    return list(
        dict.fromkeys(
            name
            for example in examples
            for record in example.records
            for name, where in record.stored()
            if isinstance(where, Nested) and where
        )
    )


def own_values(examples: Sequence[Example], names: Sequence[str]) -> list[Example]:
    """The records without their nested fields."""
    return [
        Example.located(
            example.page,
            [_flat(record, names) for record in example.records],
            partial=example.partial,
            given=[
                {name: value for name, value in given.items() if name not in names}
                if isinstance(given, Mapping)
                else _flat(given, names)
                for given in example.given or example.records
            ],
        )
        for example in examples
    ]


def lists_of(examples: Sequence[Example], name: str) -> FieldLists:
    """The records of a nested field.

    A page of which nothing is known says nothing; one on which it is unknown for some records may
    have more.
    """
    lists = FieldLists([], [], [])
    for number, example in enumerate(examples):
        stored = [dict(record.stored()) for record in example.records]
        known = [at for at, spans in enumerate(stored) if name in spans]
        if not known:
            continue
        records: list[Record] = []
        given: list[Given] = []
        owners: list[int] = []
        for at in known:
            where = stored[at][name]
            held = where if isinstance(where, Nested) else Nested()
            records += held
            given += _held(example.given[at] if example.given else None, name) or held
            owners += [at] * len(held)
        partial = example.partial or len(known) < len(stored)
        lists.examples.append(Example.located(example.page, records, partial=partial, given=given))
        lists.pages.append(number)
        lists.owners.append(owners)
    return lists


def repeats(examples: Sequence[Example], name: str) -> bool:
    """Whether a label has a record with two records in this field."""
    fields = (dict(record.stored()).get(name) for example in examples for record in example.records)
    return any(isinstance(where, Nested) and len(where) > 1 for where in fields)


def _held(given: Given | None, name: str) -> Iterable[Given]:
    """The nested records as they were written; none where the record was not written by hand."""
    value = given.get(name) if isinstance(given, Mapping) else None
    return value if isinstance(value, (list, tuple)) else ()


def _flat(record: Record, names: Sequence[str]) -> Record:
    """A record without its nested fields; a list without values is a missing field like any."""
    spans: dict[str, Spans] = {
        name: None if isinstance(where, Nested) else where
        for name, where in record.stored()
        if name not in names
    }
    return Record.trusted(record.page, spans, record.children)

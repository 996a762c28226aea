"""The order in which fields are shown: that of the labels, not that of the page.

Delimiters are found in the order of the page, so that some classes have an order of their own. What
people see (values, tables, programs) has the order in which they named the fields.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from rowen.records.nested import Nested
from rowen.records.record import Record

FieldOrder: TypeAlias = Mapping[str, Any]
"""The fields of records in their order, each with the order of the fields in its own records."""


def order_of(records: Iterable[Record]) -> FieldOrder:
    """The fields of records in the order of their first appearance."""
    order: dict[str, list[Record]] = {}
    for record in records:
        for name, where in record.stored():
            order.setdefault(name, []).extend(where if isinstance(where, Nested) else ())
    return {name: order_of(inner) for name, inner in order.items()}


def in_order(fields: Iterable[str], order: FieldOrder) -> tuple[str, ...]:
    """The fields as ordered, then those that the order does not name."""
    fields = tuple(fields)
    named = tuple(name for name in order if name in fields)
    return (*named, *(name for name in fields if name not in order))

"""Records as an Arrow table, with the columns that record files have."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from rowen.model.record import Record

SPAN = pa.list_(pa.int64(), 2)


def table(records: Sequence[Record]) -> pa.Table:
    """A row a record; a field that has several spans anywhere is a list everywhere."""
    shape = _Shape()
    for record in records:
        shape.widen(record)
    schema = pa.schema([pa.field("page", pa.string()), *shape.columns()])
    rows = [{"page": record.page.id, **shape.row(record)} for record in records]
    return pa.Table.from_pylist(rows, schema=schema)


class _Shape:
    """The fields of records at one depth, which of them repeat, and the children's shape."""

    def __init__(self) -> None:
        self.several: dict[str, bool] = {}
        self.children: _Shape | None = None

    def widen(self, record: Record) -> None:
        for name, spans in record.items():
            self.several[name] = self.several.get(name, False) or len(spans) > 1
        for child in record.children:
            if self.children is None:
                self.children = _Shape()
            self.children.widen(child)

    def columns(self) -> list[pa.Field]:
        values = [(name, self._type(name, pa.string())) for name in self.several]
        spans = [(name, self._type(name, SPAN)) for name in self.several]
        nested = pa.struct(self.children.columns()) if self.children else pa.null()
        return [
            pa.field("values", pa.struct(values)),
            pa.field("spans", pa.struct(spans)),
            pa.field("children", pa.list_(nested)),
        ]

    def row(self, record: Record) -> dict[str, Any]:
        text = record.page.text
        values: dict[str, Any] = {}
        spans: dict[str, Any] = {}
        for name, where in record.items():
            values[name] = self._cell(name, (span.of(text) for span in where))
            spans[name] = self._cell(name, (list(span) for span in where))
        return {
            "values": values,
            "spans": spans,
            "children": [self.children.row(child) for child in record.children]
            if self.children
            else [],
        }

    def _type(self, name: str, one: pa.DataType) -> pa.DataType:
        return pa.list_(one) if self.several[name] else one

    def _cell(self, name: str, given: Iterable[Any]) -> Any:
        if self.several[name]:
            return list(given) or None
        return next(iter(given), None)

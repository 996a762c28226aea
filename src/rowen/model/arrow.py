"""Records as Arrow tables, with the columns that record files have."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from rowen.model.record import Record
from rowen.model.text import replace_surrogates


def table(records: Sequence[Record]) -> pa.Table:
    """A row a record; a field that has several spans anywhere is a list everywhere."""
    shape = Shape()
    for record in records:
        shape.widen(record)
    rows = [shape.conform(record.to_dict()) for record in records]
    schema = shape.schema(["page"])
    try:
        return pa.Table.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:
        return pa.Table.from_pylist(_writable(rows), schema=schema)


class Shape:
    """The fields of records at one depth, which of them repeat, and the children's shape."""

    def __init__(self, fields: Iterable[str] = ()) -> None:
        self._several = dict.fromkeys(map(replace_surrogates, fields), False)
        self._children: Shape | None = None

    def widen(self, record: Record) -> None:
        """Make room for a record."""
        for given, spans in record.items():
            name = replace_surrogates(given)
            self._several[name] = self._several.get(name, False) or len(spans) > 1
        for child in record.children:
            self._children = self._children or Shape()
            self._children.widen(child)

    def schema(self, leading: Iterable[str]) -> pa.Schema:
        """Columns of strings, then those of the records."""
        return pa.schema([*((name, pa.string()) for name in leading), *self._columns()])

    def conform(self, row: dict[str, Any]) -> dict[str, Any]:
        """Make lists of the fields that repeat anywhere in a written record, and only of these."""
        values, spans = row["values"], row["spans"]
        for name, value in values.items():
            listed = isinstance(value, list)
            if value is None or listed == self._several[replace_surrogates(name)]:
                continue
            if listed:
                (values[name],), (spans[name],) = value, spans[name]
            else:
                values[name], spans[name] = [value], [spans[name]]
        if not self._several:
            row["values"] = row["spans"] = None
        if self._children:
            for child in row["children"]:
                self._children.conform(child)
        return row

    def _columns(self) -> list[pa.Field]:
        nested = pa.struct(self._children._columns()) if self._children else pa.null()  # noqa: SLF001  # its own class
        return [
            pa.field("values", self._struct(pa.string())),
            pa.field("spans", self._struct(pa.list_(pa.int64(), 2))),
            pa.field("children", pa.list_(nested)),
        ]

    def _struct(self, one: pa.DataType) -> pa.DataType:
        """Null for a structure without fields, which Parquet lacks."""
        if not self._several:
            return pa.null()
        return pa.struct(
            [(name, pa.list_(one) if several else one) for name, several in self._several.items()]
        )


def _writable(given: Any) -> Any:
    """The same data without lone surrogates."""
    if isinstance(given, str):
        return replace_surrogates(given)
    if isinstance(given, list):
        return [_writable(one) for one in given]
    if isinstance(given, dict):
        return {replace_surrogates(name): _writable(value) for name, value in given.items()}
    return given

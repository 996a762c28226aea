"""Records as Arrow tables: one column per field, with the types of the schema."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, NamedTuple

from rowen.model.extras import needs
from rowen.model.text import replace_surrogates
from rowen.records.columns import Column, Kind, columns_of
from rowen.records.outline import Outline
from rowen.records.record import CHILDREN, Record
from rowen.records.schema import Schema
from rowen.records.written import Content, Written, content_of, parts_of
from rowen.values.price import AMOUNT_DIGITS, AMOUNT_PLACES

with needs("store", "a table of records"):
    import pyarrow as pa

AMOUNT = pa.decimal128(AMOUNT_DIGITS, AMOUNT_PLACES)
"""The type of amounts of money."""

_TYPES: dict[Kind, pa.DataType] = {
    "string": pa.string(),
    "float": pa.float64(),
    "integer": pa.int64(),
    "decimal": AMOUNT,
    "boolean": pa.bool_(),
    "date": pa.date32(),
    # One type for all: a zone would claim UTC for times of which the page says no offset.
    "datetime": pa.timestamp("us"),
}


class Leading(NamedTuple):
    """A column before those of the fields."""

    name: str
    type: pa.DataType
    cell: Callable[[Written], Any]


PAGE = Leading("page", pa.string(), lambda record: record.page)
EXTRACTOR = Leading("extractor", pa.string(), lambda record: record.extractor)

_ADAPTED = frozenset({"decimal", "datetime", "nested"})
"""The kinds whose values need a look before Arrow takes them."""

_PLACES = Decimal(1).scaleb(-AMOUNT_PLACES)
_CONTEXT = Context(prec=AMOUNT_DIGITS, rounding=ROUND_HALF_EVEN)


def table(
    records: Sequence[Record],
    *,
    schema: Schema | None = None,
    fields: Iterable[str] = (),
    source: bool = False,
    spans: bool = False,
) -> pa.Table:
    """One row per record: the column `page`, then the fields; `children` where there are any."""
    outline = Outline(schema, fields)
    for record in records:
        outline.widen(record)
    layout = ArrowLayout(outline, leading=[PAGE], source=source, spans=spans)
    return layout.table(
        [
            Written(record.page.id, "", 0, content_of(record, source=source, spans=spans))
            for record in records
        ]
    )


class ArrowLayout:
    """The columns of an Arrow table, and how records become its rows."""

    def __init__(
        self, outline: Outline, *, leading: Sequence[Leading], source: bool, spans: bool
    ) -> None:
        self._leading = leading
        extras = {"source": source, "spans": spans}
        self._level = _Level(outline, taken=[own.name for own in leading], extras=extras)
        self.schema = pa.schema(
            [*((own.name, own.type) for own in leading), *self._level.arrow_fields()]
        )

    def table(self, records: Sequence[Written]) -> pa.Table:
        """One row per record."""
        leading = [[own.cell(record) for record in records] for own in self._leading]
        own = self._level.cells([record.content for record in records])
        arrays = [
            _array(cells, field.type)
            for cells, field in zip([*leading, *own], self.schema, strict=True)
        ]
        return pa.Table.from_arrays(arrays, schema=self.schema)


class _Level:
    """The columns of records at one depth; those of children are a list of structures."""

    def __init__(self, outline: Outline, *, taken: Iterable[str], extras: dict[str, bool]) -> None:
        taken = {*taken, CHILDREN}
        self._columns = columns_of(outline.schema(), **extras, taken=taken)
        self._children: _Level | None = None
        if outline.children is not None:
            below = _Level(outline.children, taken=(), extras=extras)
            self._children = below if below.arrow_fields() else None

    def arrow_fields(self) -> list[pa.Field]:
        fields = [pa.field(column.name, arrow_type(column)) for column in self._columns]
        if self._children is not None:
            struct = pa.struct(self._children.arrow_fields())
            fields.append(pa.field(CHILDREN, pa.list_(struct)))
        return fields

    def cells(self, contents: Sequence[Content]) -> list[list[Any]]:
        """The cells of each column."""
        parts = [parts_of(content) for content in contents]
        columns = [
            [_arrow_value(column.cell(own)) for own in parts]
            if column.kind in _ADAPTED
            else [column.cell(own) for own in parts]
            for column in self._columns
        ]
        if self._children is not None:
            columns.append(
                [self._children.structures(content.get(CHILDREN) or ()) for content in contents]
            )
        return columns

    def structures(self, contents: Sequence[Content]) -> list[dict[str, Any]]:
        names = [field.name for field in self.arrow_fields()]
        rows = zip(*self.cells(contents), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]


def arrow_type(column: Column) -> pa.DataType:
    """The type of a column: it depends on the schema alone."""
    if column.kind == "nested":
        inner = [pa.field(nested.name, arrow_type(nested)) for nested in column.columns]
        return pa.list_(pa.struct(inner))
    kind = _TYPES[column.kind]
    return pa.list_(kind) if column.many else kind


def arrow_array(cells: Sequence[Any], column: Column) -> pa.Array:
    """The cells of one column as an array of its type."""
    return _array([_arrow_value(cell) for cell in cells], arrow_type(column))


def _arrow_value(value: Any) -> Any:
    """A cell as Arrow takes it: decimals with all places, times with an offset in UTC."""
    if isinstance(value, Decimal):
        return value.quantize(_PLACES, context=_CONTEXT)
    if isinstance(value, datetime):
        return without_zone(value)
    if isinstance(value, list):
        return [_arrow_value(item) for item in value]
    if isinstance(value, dict):
        return {name: _arrow_value(item) for name, item in value.items()}
    return value


def without_zone(value: datetime) -> datetime:
    """A time for columns without zones: UTC where it has an offset, else as it is written."""
    with suppress(OverflowError):  # in the first hours of the year 1, or the last of 9999
        value = value if value.tzinfo is None else value.astimezone(UTC)
    return value.replace(tzinfo=None)


def _array(cells: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        return pa.array(cells, kind)
    except UnicodeEncodeError:
        return pa.array(_writable(cells), kind)


def _writable(data: Any) -> Any:
    """The same data without lone surrogates."""
    if isinstance(data, str):
        return replace_surrogates(data)
    if isinstance(data, list):
        return [_writable(item) for item in data]
    if isinstance(data, dict):
        return {name: _writable(value) for name, value in data.items()}
    return data

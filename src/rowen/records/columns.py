"""The flat columns of a table of records, from their schema alone.

    title: text, price: price, tags: text, many          title         string
                                                         price_amount  decimal
                                                         price_currency string
                                                         tags          list of strings

The same schema always gives the same columns, whatever the records hold.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from rowen.model.text import replace_surrogates
from rowen.records.schema import TEXT, Field, Schema
from rowen.values.conversion import to_json

BETWEEN_VALUES = "; "
"""Separates the values of a list that is written as one text."""

Kind: TypeAlias = Literal[
    "string", "float", "integer", "decimal", "boolean", "date", "datetime", "nested"
]
Part: TypeAlias = Literal["value", "amount", "currency", "source", "start", "end", "number"]

_KINDS: dict[str, Kind] = {
    "number": "float",
    "integer": "integer",
    "boolean": "boolean",
    "date": "date",
    "datetime": "datetime",
}
"""The kind of a column by its field's type; those of all others are strings."""


class Parts(NamedTuple):
    """What is known about a record's fields; `source` and `spans` only where they are wanted."""

    values: Mapping[str, Any]
    source: Mapping[str, Any]
    spans: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: which part of which field it holds, and of what kind its cells are."""

    name: str
    field: str
    part: Part = "value"
    kind: Kind = "string"
    many: bool = False
    """Whether its cells are lists."""
    columns: tuple["Column", ...] = ()
    """Those of nested records."""

    def cell(self, parts: Parts) -> Any:
        """The content of the cell in a record's row; None if there is none."""
        match self.part:
            case "value":
                value = parts.values.get(self.field)
                if isinstance(value, str) and self.kind == "string" and not self.many:
                    return value  # the common case, made fast
                if self.kind == "nested":
                    return self._nested(value, parts)
                return self._listed(value) if self.many else self._single(value)
            case "amount" | "currency":
                return self._of_price(parts.values.get(self.field))
            case "source":
                return self._source(parts)
            case _:
                return self._bound(parts.spans.get(self.field))

    def _single(self, value: Any) -> Any:
        if isinstance(value, list):
            if self.kind == "string":
                return text_of(value) if value else None
            # The schema promises one value: a list would change the column's type.
            value = value[0] if value else None
        return None if value is None else _typed(value, self.kind)

    def _listed(self, value: Any) -> list[Any] | None:
        if value is None:
            return None
        values = value if isinstance(value, list) else [value]
        return [_typed(item, self.kind) for item in values]

    def _of_price(self, value: Any) -> Any:
        prices = value if isinstance(value, list) else [] if value is None else [value]
        cells = [
            _typed(price[self.part], self.kind) if price[self.part] is not None else None
            for price in prices
            if isinstance(price, Mapping)
        ]
        if self.many:
            return None if value is None else cells
        return cells[0] if cells else None

    def _nested(self, value: Any, parts: Parts) -> list[dict[str, Any]] | None:
        if value is None:
            return None
        return [
            {column.name: column.cell(inner) for column in self.columns}
            for inner in nested_parts(self.field, parts)
        ]

    def _source(self, parts: Parts) -> Any:
        source = parts.source.get(self.field)
        if self.many:
            return source if isinstance(source, list | None) else [source]
        # Of several values where the schema promises one, the first has its place shown.
        return source[0] if isinstance(source, list) else source

    def _bound(self, spans: Any) -> Any:
        which = 0 if self.part == "start" else 1
        if spans is None:
            return None
        bounds = [spans[which]] if isinstance(spans[0], int) else [span[which] for span in spans]
        return bounds if self.many else bounds[0]


def columns_of(
    schema: Schema, *, source: bool = False, spans: bool = False, taken: Iterable[str] = ()
) -> tuple[Column, ...]:
    """The columns of all fields in a schema; `taken` are the names of other columns.

    `source` adds the page's own text of each field, `spans` its start and end.
    """
    columns = (
        column
        for name, field in schema.items()
        for column in _columns_of_field(name, field, source=source, spans=spans)
    )
    return renamed(columns, taken)


@lru_cache(maxsize=256)
def row_columns(fields: tuple[str, ...], schema: Schema | None) -> dict[str, Column]:
    """The columns, by name, in the row of a record that has these fields."""
    complete = Schema({name: TEXT if schema is None else schema.field(name) for name in fields})
    return {column.name: column for column in columns_of(complete, taken=["page"])}


def renamed(columns: Iterable[Column], taken: Iterable[str] = ()) -> tuple[Column, ...]:
    """The columns with names that differ: a name that is taken gets an underscore at its end."""
    names = set(taken)
    result = []
    for column in columns:
        name = replace_surrogates(column.name)
        while name in names:
            name += "_"
        names.add(name)
        result.append(
            Column(name, column.field, column.part, column.kind, column.many, column.columns)
        )
    return tuple(result)


def _columns_of_field(name: str, field: Field, *, source: bool, spans: bool) -> Iterator[Column]:
    if field.fields is not None:
        inner = columns_of(field.fields, source=source, spans=spans)
        if inner:  # Parquet has no structures without fields
            yield Column(name, name, kind="nested", many=True, columns=inner)
        return
    many = field.many
    if field.type == "price":
        yield Column(f"{name}_amount", name, "amount", "decimal", many)
        yield Column(f"{name}_currency", name, "currency", "string", many)
    else:
        yield Column(name, name, "value", _KINDS.get(field.type, "string"), many)
    if source:
        yield Column(f"{name}_source", name, "source", "string", many)
    if spans:
        yield Column(f"{name}_start", name, "start", "integer", many)
        yield Column(f"{name}_end", name, "end", "integer", many)


def nested_parts(field: str, parts: Parts) -> Iterator[Parts]:
    """The parts of each record that a nested field holds."""
    values = parts.values.get(field)
    records = values if isinstance(values, list) else []
    sources, places = parts.source.get(field) or (), parts.spans.get(field) or ()
    for number, record in enumerate(records):
        if isinstance(record, Mapping):
            source = sources[number] if number < len(sources) else {}
            spans = places[number] if number < len(places) else {}
            yield Parts(record, source, spans)


def _typed(value: Any, kind: Kind) -> Any:
    """A value as the kind has it, also from JSON: a record may have been spooled in between."""
    match kind:
        case "string":
            return value if isinstance(value, str) else text_of(value)
        case "float":
            return float(value)
        case "decimal":
            return value if isinstance(value, Decimal) else Decimal(value)
        case "date":
            return date.fromisoformat(value) if isinstance(value, str) else value
        case "datetime":
            return datetime.fromisoformat(value) if isinstance(value, str) else value
    return value


def text_of(value: Any) -> str:
    """A value as the one text of a cell: empty for None, numbers and dates as in JSON.

    Several values are joined by `; `. If that would be ambiguous, they are written as a JSON array.
    """
    if isinstance(value, str):  # most are
        return value
    value = to_json(value)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        texts = [text_of(item) for item in value]
        if not any(_is_ambiguous(text, first=not number) for number, text in enumerate(texts)):
            return BETWEEN_VALUES.join(texts)
    return json.dumps(value, ensure_ascii=False)


def _is_ambiguous(text: str, *, first: bool) -> bool:
    """Whether a text would not be read back as itself from a joined list."""
    return not text or ";" in text or (first and text.startswith("["))

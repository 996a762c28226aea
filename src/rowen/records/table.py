"""Tables of rows, for formats that have no lists of records: one for the records, and one for each
nested field, whose rows begin with the keys of the record that they belong to.

    books:    page | title | price_amount | price_currency
    reviews:  page | title | author | stars              if `title` is a key of the schema, else
              page | record | author | stars             with the number of the record on its page
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rowen.records.columns import Column, Parts, columns_of, nested_parts, renamed
from rowen.records.schema import Schema
from rowen.records.written import Written, leaves

NUMBER = "record"
"""The column with the number of a record on its page, from 1."""


@dataclass(frozen=True, slots=True)
class Level:
    """A record above the rows of a table: what identifies it, and the field that is entered."""

    keys: tuple[Column, ...]
    """Its key columns, or its number if the schema has no keys."""
    field: str

    def cells(self, parts: Parts, number: int) -> list[Any]:
        """What identifies a record."""
        return _cells(self.keys, parts, number)


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its name, the levels above its rows, and its own columns."""

    path: tuple[str, ...]
    """The nested fields that lead to it; none for the table of the records themselves."""
    leading: tuple[str, ...]
    """The columns `page` and, if asked for, `extractor`."""
    levels: tuple[Level, ...]
    columns: tuple[Column, ...]

    @property
    def name(self) -> str:
        """The path as users write it: `reviews`, `reviews.replies`."""
        return ".".join(self.path)

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """The columns in their order, the leading ones included."""
        leading = (Column(name, "") for name in self.leading)
        above = (key for level in self.levels for key in level.keys)
        return (*leading, *above, *self.columns)

    def rows(self, record: Written) -> Iterator[list[Any]]:
        """The rows of a record: one, or one for each innermost child."""
        leading = [record.page, record.extractor][: len(self.leading)]
        for parts in leaves(record.content):
            yield from self._below(parts, leading, record.number, 0)

    def _below(
        self, parts: Parts, above: list[Any], number: int, depth: int
    ) -> Iterator[list[Any]]:
        if depth == len(self.levels):
            yield [*above, *_cells(self.columns, parts, number)]
            return
        level = self.levels[depth]
        above = [*above, *level.cells(parts, number)]
        for inner_number, inner in enumerate(nested_parts(level.field, parts), 1):
            yield from self._below(inner, above, inner_number, depth + 1)


def tables_of(
    schema: Schema,
    *,
    leading: Sequence[str] = ("page",),
    source: bool = False,
    spans: bool = False,
) -> list[Table]:
    """The table of the records, then one for each nested field, parents before their own."""
    collector = _Collector(tuple(leading), source=source, spans=spans)
    collector.collect(schema, (), ())
    return collector.tables


class _Collector:
    """Collects the tables of a schema, depth first."""

    def __init__(self, leading: tuple[str, ...], *, source: bool, spans: bool) -> None:
        self.tables: list[Table] = []
        self._leading = leading
        self._source = source
        self._spans = spans

    def collect(self, schema: Schema, path: tuple[str, ...], levels: tuple[Level, ...]) -> None:
        taken = [*self._leading, *(key.name for level in levels for key in level.keys)]
        nested = {name: field.fields for name, field in schema.items() if field.fields is not None}
        flat = self._flat(schema)
        if path:
            # A column of the parent keeps its name; `title` of a review is then `reviews_title`.
            flat = [
                replace(column, name=f"{path[-1]}_{column.name}")
                if column.name in taken
                else column
                for column in flat
            ]
        number = Column(f"{path[-1]}_number" if path else NUMBER, "", "number", "integer")
        numbered = bool(nested) and not _keys(schema, flat)
        columns = renamed([*([number] * numbered), *flat], taken)
        self.tables.append(Table(path, self._leading, levels, columns))
        identifying = columns[:1] if numbered else _keys(schema, columns)
        for name, fields in nested.items():
            self.collect(fields, (*path, name), (*levels, Level(identifying, name)))

    def _flat(self, schema: Schema) -> list[Column]:
        columns = columns_of(schema, source=self._source, spans=self._spans)
        return [column for column in columns if column.kind != "nested"]


def _keys(schema: Schema, columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns of the fields that identify a record."""
    keys = set(schema.keys_of_records)
    return tuple(
        column
        for column in columns
        if column.field in keys and column.part in {"value", "amount", "currency"}
    )


def _cells(columns: Iterable[Column], parts: Parts, number: int) -> list[Any]:
    return [number if column.part == "number" else column.cell(parts) for column in columns]

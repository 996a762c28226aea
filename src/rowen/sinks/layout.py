"""The tables of an extractor in a database, and how its records become their rows.

    schema: title (key), price: price, reviews: {author, stars}

    books            record_id | page | title | price_amount | price_currency
    books_reviews    record_id | parent_id | number | author | stars

A record's id depends on its page alone: on the page, on what identifies the record there (its key,
or else its values), and on how many equal ones are before it. So a row is the same whether it was
written tonight or by a rebuild, and pages can be compared one by one.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from rowen.model.errors import OutputError
from rowen.records.columns import Column, Parts, columns_of, nested_parts
from rowen.records.record import CHILDREN
from rowen.records.schema import TEXT, Schema
from rowen.records.written import leaves
from rowen.recycling.pairing import Written, key_of

RECORD_ID = "record_id"
"""The column that identifies a row."""

_DIGEST_BYTES = 16

Row = tuple[Any, ...]

Nesting: TypeAlias = Literal["tables", "inside"]


@dataclass(slots=True)
class Table:
    """One table: the columns of its own fields come after the leading ones."""

    path: tuple[str, ...]
    """The nested fields that lead to it; none for the table of the records."""
    name: str
    columns: list[Column] = field(default_factory=list)

    @property
    def leading(self) -> tuple[Column, ...]:
        """What comes before the fields."""
        if not self.path:
            return (Column(RECORD_ID, ""), Column("page", ""))
        number = Column("number", "", "number", "integer")
        return (Column(RECORD_ID, ""), Column("parent_id", ""), number)

    @property
    def all_columns(self) -> list[Column]:
        """All columns in their order."""
        return [*self.leading, *self.columns]

    def cells(self, parts: Parts) -> list[Any]:
        """The cells of the fields of one record."""
        return [column.cell(parts) for column in self.columns]


class Layout:
    """The tables of an extractor; it grows when fields are added, and is kept in the sink.

    `naming` makes a name that the database takes, different from those in a set. `nested` says
    whether nested fields have tables of their own, or are lists of structures inside.
    """

    def __init__(
        self,
        extractor: str,
        naming: Callable[[str, set[str]], str],
        prefix: str,
        *,
        nested: Nesting = "tables",
    ) -> None:
        self.extractor = extractor
        self._naming = naming
        self._prefix = prefix
        self._nested_inside = nested == "inside"
        self.tables: dict[tuple[str, ...], Table] = {}

    def to_json(self) -> str:
        """The layout as the sink keeps it."""
        return json.dumps(
            [
                {
                    "path": table.path,
                    "name": table.name,
                    "columns": [_saved(column) for column in table.columns],
                }
                for table in self.tables.values()
            ],
            ensure_ascii=False,
        )

    def restore(self, written: str) -> None:
        """Go on with a layout that was kept."""
        for table in json.loads(written):
            path = tuple(table["path"])
            columns = [_restored(column) for column in table["columns"]]
            self.tables[path] = Table(path, table["name"], columns)

    def adopt(
        self, schema: Schema, fields: Iterable[str], taken: Iterable[str]
    ) -> tuple[list[Table], list[tuple[Table, Column]]]:
        """Take in what a schema says; the tables and the columns of other tables that are new.

        `taken` are the names of tables that others use.
        """
        complete = Schema({**{name: TEXT for name in fields if name not in schema}, **schema})
        new_tables: list[Table] = []
        new_columns: list[tuple[Table, Column]] = []
        for path, columns in self._columns_by_path(complete, ()):
            table = self.tables.get(path)
            if table is None:
                names = {*taken, *(table.name for table in self.tables.values())}
                wanted = "_".join([f"{self._prefix}{self.extractor}", *path])
                table = self.tables[path] = Table(path, self._naming(wanted, names))
                new_tables.append(table)
            added = [own for column in columns if (own := self._add(table, column)) is not None]
            if table not in new_tables:
                new_columns += [(table, own) for own in added]
        return new_tables, new_columns

    def missing(self, record: Written) -> list[tuple[Table, str]]:
        """The fields of a record for which no table has a column, because no schema names them."""
        return [found for parts in leaves(record) for found in self._missing(parts.values, ())]

    def _missing(
        self, values: Mapping[str, Any], path: tuple[str, ...]
    ) -> Iterator[tuple[Table, str]]:
        table = self.tables[path]
        for name, value in values.items():
            if (below := (*path, name)) in self.tables:
                for inner in value if isinstance(value, list) else ():
                    if isinstance(inner, Mapping):
                        yield from self._missing(inner, below)
            elif all(column.field != name for column in table.columns):
                yield table, name

    def widen(self, missing: Iterable[tuple[Table, str]]) -> list[tuple[Table, Column]]:
        """Add a column of texts for each of these fields."""
        added = ((table, self._add(table, Column(name, name))) for table, name in missing)
        return [(table, column) for table, column in added if column is not None]

    def _columns_by_path(
        self, schema: Schema, path: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], list[Column]]]:
        """The columns of each table, parents before their own."""
        columns = columns_of(schema)
        if self._nested_inside:
            yield path, list(columns)
            return
        yield path, [column for column in columns if column.kind != "nested"]
        for name, own in schema.items():
            if own.fields is not None:
                yield from self._columns_by_path(own.fields, (*path, name))

    def _add(self, table: Table, column: Column) -> Column | None:
        """Add a column, unless the table has it; refuse it where the table has another one."""
        taken = {own.name for own in table.leading}
        merged = self._merged(table.name, table.columns, [column], taken)
        changed = [own for own in merged if own not in table.columns]
        table.columns = list(merged)
        return changed[0] if changed else None

    def _merged(
        self,
        table: str,
        columns: Sequence[Column],
        added: Iterable[Column],
        taken: AbstractSet[str] = frozenset(),
    ) -> tuple[Column, ...]:
        """Columns with those that are new; of nested ones, with the inner ones that are new."""
        merged = list(columns)
        for column in added:
            places = (
                place
                for place, own in enumerate(merged)
                if (own.field, own.part) == (column.field, column.part)
            )
            if (place := next(places, None)) is None:
                name = self._naming(column.name, {*taken, *(own.name for own in merged)})
                inner = self._merged(table, (), column.columns)
                merged.append(replace(column, name=name, columns=inner))
                continue
            own = merged[place]
            if (own.kind, own.many) != (column.kind, column.many):
                raise OutputError(
                    f"the column {own.name!r} of table {table!r} holds {_described(own)}, and the "
                    f"schema says {_described(column)} now: replace the tables with --rebuild"
                )
            inner = self._merged(table, own.columns, column.columns)
            merged[place] = replace(own, columns=inner)
        return tuple(merged)

    def rows(
        self, records: Iterable[Written], keys: Sequence[str]
    ) -> Iterator[tuple[Table, str, Row]]:
        """The rows of a page's records, each with its table and its id."""
        seen: Counter[str] = Counter()
        for record in records:
            identity = _identity(record, keys)
            seen[identity] += 1
            yield from self._rows_of(record, _digest(f"{seen[identity]} {identity}"))

    def _rows_of(self, record: Written, own_id: str) -> Iterator[tuple[Table, str, Row]]:
        table = self.tables[()]
        innermost = list(leaves(record))
        for number, parts in enumerate(innermost, 1):
            row_id = own_id if len(innermost) == 1 else f"{own_id}.{number}"
            yield table, row_id, (row_id, record["page"], *table.cells(parts))
            yield from self._nested(parts, (), row_id)

    def _nested(
        self, parts: Parts, path: tuple[str, ...], parent: str
    ) -> Iterator[tuple[Table, str, Row]]:
        for below, table in self.tables.items():
            if below[:-1] != path or not below:
                continue
            for number, inner in enumerate(nested_parts(below[-1], parts), 1):
                row_id = f"{parent}.{below[-1]}.{number}"
                yield table, row_id, (row_id, parent, number, *table.cells(inner))
                yield from self._nested(inner, below, row_id)


def _saved(column: Column) -> list[Any]:
    inner = [_saved(own) for own in column.columns]
    saved = [column.name, column.field, column.part, column.kind, column.many]
    return [*saved, inner] if inner else saved


def _restored(saved: Sequence[Any]) -> Column:
    name, field_name, part, kind, many, *inner = saved
    columns = tuple(_restored(own) for own in inner[0]) if inner else ()
    return Column(name, field_name, part, kind, many, columns)


def _identity(record: Written, keys: Sequence[str]) -> str:
    """What identifies a record on its page."""
    key = key_of(record, keys)
    if key is None:
        key = json.dumps([record["values"], record.get(CHILDREN)], sort_keys=True, default=str)
    return json.dumps([record["page"], key])


def _digest(text: str) -> str:
    encoded = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(encoded, digest_size=_DIGEST_BYTES).hexdigest()


def _described(column: Column) -> str:
    return f"lists of {column.kind}" if column.many else column.kind

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
from dataclasses import dataclass, field, replace
from typing import Any

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

    `naming` makes a name that the database takes, different from those in a set.
    """

    def __init__(self, extractor: str, naming: Callable[[str, set[str]], str], prefix: str) -> None:
        self.extractor = extractor
        self._naming = naming
        self._prefix = prefix
        self.tables: dict[tuple[str, ...], Table] = {}

    def to_json(self) -> str:
        """The layout as the sink keeps it."""
        return json.dumps(
            [
                {
                    "path": table.path,
                    "name": table.name,
                    "columns": [
                        [column.name, column.field, column.part, column.kind, column.many]
                        for column in table.columns
                    ],
                }
                for table in self.tables.values()
            ],
            ensure_ascii=False,
        )

    def restore(self, written: str) -> None:
        """Go on with a layout that was kept."""
        for table in json.loads(written):
            path = tuple(table["path"])
            columns = [Column(*column) for column in table["columns"]]
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
        for path, columns in _columns_by_path(complete, ()):
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

    def _add(self, table: Table, column: Column) -> Column | None:
        """Add a column, unless the table has it; refuse it where the table has another one."""
        for own in table.columns:
            if (own.field, own.part) == (column.field, column.part):
                if (own.kind, own.many) != (column.kind, column.many):
                    raise OutputError(
                        f"the column {own.name!r} of table {table.name!r} holds "
                        f"{_described(own)}, and the schema says {_described(column)} now: "
                        "replace the tables with --rebuild"
                    )
                return None
        names = {own.name for own in table.all_columns}
        column = replace(column, name=self._naming(column.name, names))
        table.columns.append(column)
        return column

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


def _columns_by_path(
    schema: Schema, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], list[Column]]]:
    """The columns of each table, parents before their own."""
    yield path, [column for column in columns_of(schema) if column.kind != "nested"]
    for name, own in schema.items():
        if own.fields is not None:
            yield from _columns_by_path(own.fields, (*path, name))


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

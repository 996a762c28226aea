"""A sink in a DuckDB database (`pip install rowen[duckdb]`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from rowen.model.errors import OutputError
from rowen.model.extras import needs
from rowen.records.arrow import AMOUNT, arrow_array
from rowen.records.columns import Column, Kind
from rowen.sinks.layout import RECORD_ID, Row, Table
from rowen.sinks.sql import SqlSink, quoted

with needs("duckdb", "a DuckDB target"):
    import duckdb


class DuckdbSink(SqlSink):
    """Columns have DuckDB's own types, lists included."""

    types: ClassVar[dict[Kind, str]] = {
        "string": "VARCHAR",
        "float": "DOUBLE",
        "integer": "BIGINT",
        "decimal": f"DECIMAL({AMOUNT.precision}, {AMOUNT.scale})",
        "boolean": "BOOLEAN",
        "date": "DATE",
        "datetime": "TIMESTAMP",
    }
    list_type = "[]"

    def __init__(self, path: str, *, prefix: str) -> None:
        super().__init__(path, prefix=prefix)
        if not Path(path).absolute().parent.is_dir():
            raise OutputError(f"can't write {path}: its folder does not exist")
        with self._reporting():
            self._database = duckdb.connect(path)

    def _close(self) -> None:
        self._database.close()

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._database.execute(statement, list(values)).fetchall()

    def _load(self, table: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        # Single inserts take a millisecond each; an Arrow table is read as a whole.
        arrays = [
            arrow_array([row[number] for row in rows], column)
            for number, column in enumerate(columns)
        ]
        batch = pa.Table.from_arrays(arrays, names=[str(number) for number in range(len(columns))])
        self._database.register("rowen_batch", batch)
        self._database.execute(f"INSERT INTO {quoted(table)} SELECT * FROM rowen_batch")  # noqa: S608
        self._database.unregister("rowen_batch")

    def _errors(self) -> tuple[type[Exception], ...]:
        return (duckdb.Error,)

    def _exists(self, table: str) -> bool:
        found = "SELECT 1 FROM information_schema.tables WHERE lower(table_name) = lower(?)"
        return bool(self._execute(found, (table,)))

    def _create(self, table: Table) -> None:
        # Without a primary key: DuckDB's index refuses a row that was deleted in the same
        # transaction and is inserted again. That ids are unique follows from how they are made.
        columns = self._definitions(table.all_columns)
        self._execute(f"CREATE TABLE {quoted(table.name)} ({columns})")

    def _upsert(self, table: Table) -> None:
        name = quoted(RECORD_ID)
        names = ", ".join(quoted(column.name) for column in table.all_columns)
        self._execute(
            f"DELETE FROM {quoted(table.name)} "  # noqa: S608
            f"WHERE {name} IN (SELECT {name} FROM rowen_staged)"
        )
        self._execute(
            f"INSERT INTO {quoted(table.name)} ({names}) SELECT {names} FROM rowen_staged"  # noqa: S608
        )

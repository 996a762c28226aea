"""A sink in an SQLite database."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from rowen.export.sqlite import TYPES
from rowen.model.errors import OutputError
from rowen.records.columns import Column, Kind
from rowen.sinks.layout import Row
from rowen.sinks.sql import SqlSink, quoted, writable
from rowen.values.conversion import to_json

WAIT_SECONDS = 60.0
"""Limit: seconds to wait while another program writes the database."""


class SqliteSink(SqlSink):
    """Dates are ISO 8601, amounts are numbers, and lists are JSON."""

    types: ClassVar[dict[Kind, str]] = TYPES

    def __init__(self, path: str, *, prefix: str) -> None:
        super().__init__(path, prefix=prefix)
        if not Path(path).absolute().parent.is_dir():
            raise OutputError(f"can't write {path}: its folder does not exist")
        with self._reporting():
            self._database = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
            # Fails here, and not after the pages were compared, if the file is something else.
            self._database.execute("PRAGMA schema_version")

    def _close(self) -> None:
        self._database.close()

    def _begin(self) -> None:
        self._execute("BEGIN IMMEDIATE")

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._database.execute(statement, tuple(values)).fetchall()

    def _load(self, table: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        places = ", ".join("?" * len(columns))
        cells = ([_stored(cell) for cell in row] for row in rows)
        self._database.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", cells)  # noqa: S608

    def _errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error,)

    def _exists(self, table: str) -> bool:
        found = "SELECT 1 FROM sqlite_master WHERE lower(name) = lower(?)"
        return bool(self._execute(found, (table,)))

    def _name(self, wanted: str, taken: set[str]) -> str:
        # SQLite keeps names that begin like this for itself.
        kept = wanted.lower().startswith("sqlite_")
        return super()._name(f"_{wanted}" if kept else wanted, taken)


def _stored(value: Any) -> Any:
    stored = to_json(value)
    if isinstance(stored, list):
        stored = json.dumps(stored, ensure_ascii=False)
    return writable(stored) if isinstance(stored, str) else stored

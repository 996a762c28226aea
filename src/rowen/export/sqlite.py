"""Records as an SQLite database: a table for each extractor, and one for each nested field."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from rowen.export.jsonl import BATCH
from rowen.export.spool import TemporaryFiles
from rowen.export.table_writer import TableWriter
from rowen.model import OutputError
from rowen.model.text import replace_surrogates
from rowen.records.columns import Column, Kind
from rowen.records.outline import Outline
from rowen.records.table import Table, tables_of
from rowen.records.written import Written
from rowen.values.conversion import to_json

SQLITE_COLUMNS = 2_000
"""Limit: the columns of an SQLite table, by SQLite's own default."""

APPLICATION = 0x526F776E
"""Marks a database as Rowen's own ("Rown"): only such a file is replaced by a new one."""

_MAGIC = b"SQLite format 3\0"
_APPLICATION_OFFSET = 68
TYPES: dict[Kind, str] = {
    "string": "TEXT",
    "float": "REAL",
    "integer": "INTEGER",
    "decimal": "NUMERIC",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "DATETIME",
}
"""The types of columns. SQLite keeps dates as texts."""

_FILE = "records.sqlite"


def refuse_foreign(path: Path) -> None:
    """Refuse to replace a database that something else wrote: it may hold more than records."""
    try:
        if not path.is_file():  # reading from a pipe would wait
            return
        with path.open("rb") as file:
            head = file.read(_APPLICATION_OFFSET + 4)
    except (OSError, ValueError):
        return  # opening it as a target says what is wrong
    if head.startswith(_MAGIC) and head[_APPLICATION_OFFSET:] != APPLICATION.to_bytes(4, "big"):
        raise OutputError(
            f"can't write {path}: it is a database that Rowen did not write, and would be replaced"
        )


class SqliteWriter(TableWriter):
    """Columns have the types of the schema; dates are ISO 8601, and lists are JSON."""

    by_extractor = True

    def _prepare(self) -> None:
        self._files = TemporaryFiles()
        self._names: set[str] = set()
        self._tables: dict[str, list[tuple[Table, str]]] = {}
        with self._reporting():
            self._database = sqlite3.connect(self._files.folder / _FILE)
            # The file is copied when it is complete: a crash before that loses nothing.
            self._database.execute("PRAGMA journal_mode = OFF")
            self._database.execute("PRAGMA synchronous = OFF")
            self._database.execute(f"PRAGMA application_id = {APPLICATION}")

    def _begin(self, group: str, outline: Outline) -> None:
        schema = outline.schema(every_level=True)
        tables = tables_of(schema, source=self.plan.source, spans=self.plan.spans)
        self._tables[group] = [(table, self._create(table, group)) for table in tables]

    def _create(self, table: Table, group: str) -> str:
        """Create a table; return the statement that adds a row."""
        columns = table.all_columns
        if len(columns) > SQLITE_COLUMNS:
            raise OutputError(
                f"can't write {len(columns):,} columns: an SQLite table has {SQLITE_COLUMNS:,}"
            )
        name = self._unique("_".join([group, *table.path]) or "records")
        names = _distinct(column.name for column in columns)
        defined = (f"{own} {_type(column)}" for own, column in zip(names, columns, strict=True))
        with self._reporting():
            self._database.execute(f"CREATE TABLE {name} ({', '.join(defined)})")
        return f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608  # quoted

    def _unique(self, name: str) -> str:
        if name.lower().startswith("sqlite_"):  # SQLite keeps these names for itself
            name = f"_{name}"
        while _quoted(name).lower() in self._names:
            name += "_"
        self._names.add(_quoted(name).lower())
        return _quoted(name)

    def _add(self, group: str, rows: Iterator[Written]) -> None:
        while batch := list(islice(rows, BATCH)):
            for table, statement in self._tables[group]:
                cells = [
                    [_stored(cell) for cell in row]
                    for record in batch
                    for row in table.rows(record)
                ]
                with self._reporting():
                    self._database.executemany(statement, cells)

    def _end(self) -> None:
        with self._reporting():
            if not self._tables:
                self._begin("records", Outline())
            self._database.commit()
            self._database.close()
        self._files.copy_to(self._target, _FILE)

    def _discard(self) -> None:
        super()._discard()
        self._database.close()
        self._files.close()

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            with self._files.reporting():
                yield
        except sqlite3.Error as error:
            raise OutputError(f"can't write the database: {error}") from error


def _type(column: Column) -> str:
    return "TEXT" if column.many else TYPES[column.kind]


def _stored(value: Any) -> Any:
    stored = to_json(value)
    if isinstance(stored, list):
        stored = json.dumps(stored, ensure_ascii=False)
    if isinstance(stored, str) and not stored.isascii():
        return replace_surrogates(stored)
    return stored


def _distinct(names: Iterator[str]) -> list[str]:
    """The names, quoted: SQLite does not tell upper from lower case."""
    taken: set[str] = set()
    result = []
    for name in names:
        while _quoted(name).lower() in taken:
            name += "_"  # noqa: PLW2901  # the loop's own name
        taken.add(_quoted(name).lower())
        result.append(_quoted(name))
    return result


def _quoted(name: str) -> str:
    whole = replace_surrogates(name).replace("\0", "\N{REPLACEMENT CHARACTER}")
    return '"' + whole.replace('"', '""') + '"'

"""What the sinks in databases share: one transaction that stages rows, applies them, and notes the
snapshot.

    rows of changed pages ──▶ staged rows ──▶ delete what is gone ──▶ insert or update ──▶ commit
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from rowen.model.errors import OutputError
from rowen.model.text import replace_surrogates
from rowen.records.columns import Column, Kind
from rowen.sinks.layout import RECORD_ID, Layout, Row, Table
from rowen.sinks.sink import Counts, Delivery, Held

BATCH_ROWS = 5_000
"""Limit: rows that are held in memory until they are written to the database."""

STATE = "rowen_sync"
"""The table that says which snapshot the others hold."""

_GONE = "rowen_gone"
_STAGED = "rowen_staged"


@dataclass(slots=True)
class _Staged:
    """What waits to be applied to one table."""

    rows: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)


class SqlSink(ABC):
    """A database with a table for each extractor, and one for each nested field."""

    types: ClassVar[dict[Kind, str]]
    list_type: ClassVar[str | None] = None
    """The ending of the type of lists; None if they are written as JSON."""
    identifier_bytes: ClassVar[int] = 1_000
    """How long the name of a table or a column may be."""

    def __init__(self, target: str, *, prefix: str) -> None:
        self.target = target
        self._prefix = prefix

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    # What a database does in its own way:

    @abstractmethod
    def _close(self) -> None:
        """Close the connection; what was not committed is undone."""

    @abstractmethod
    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run a statement with `?` for values."""

    @abstractmethod
    def _load(self, table: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Append rows to a temporary table."""

    @abstractmethod
    def _errors(self) -> tuple[type[Exception], ...]:
        """The exceptions of the database's library."""

    @abstractmethod
    def _exists(self, table: str) -> bool:
        """Whether there is a table or a view of a name."""

    def _begin(self) -> None:
        self._execute("BEGIN")

    def _upsert(self, table: Table) -> None:
        """Insert the staged rows, or update those with the same id."""
        names = [quoted(column.name) for column in table.all_columns]
        updates = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
        self._execute(
            f"INSERT INTO {quoted(table.name)} ({', '.join(names)}) "  # noqa: S608  # quoted
            f"SELECT {', '.join(names)} FROM {_STAGED} WHERE true "
            f"ON CONFLICT ({names[0]}) DO UPDATE SET {updates}"
        )

    def _create(self, table: Table) -> None:
        columns = self._definitions(table.all_columns)
        self._execute(
            f"CREATE TABLE {quoted(table.name)} ({columns}, PRIMARY KEY ({quoted(RECORD_ID)}))"
        )
        if table.path:
            self._execute(
                f"CREATE INDEX {quoted(self._name(f'{table.name}_parent', set()))} "
                f"ON {quoted(table.name)} (parent_id)"
            )

    # What they share:

    def held(self, extractor: str) -> Held | None:
        """Which snapshot of an extractor the database holds."""
        with self._reporting():
            if not self._exists(STATE):
                return None
            rows = self._execute(
                f"SELECT snapshot, identity FROM {STATE} WHERE extractor = ? AND prefix = ?",  # noqa: S608
                (extractor, self._prefix),
            )
        return Held(int(rows[0][0]), str(rows[0][1])) if rows else None

    def take(self, delivery: Delivery) -> Counts:
        """Take over a delivery in one transaction."""
        with self._reporting(), self._transaction():
            if not self._exists(STATE):
                self._execute(
                    f"CREATE TABLE {STATE} (extractor {self.types['string']}, "
                    f"prefix {self.types['string']}, snapshot {self.types['integer']}, "
                    f"created {self.types['string']}, identity {self.types['string']}, "
                    f"layout {self.types['string']}, PRIMARY KEY (extractor, prefix))"
                )
            layout = self._layout(delivery)
            counts = _Applier(self, layout, delivery).apply()
            self._note(delivery, layout)
        return counts

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._begin()
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            # The first error is the one to report; a lost connection has undone everything anyway.
            try:
                self._execute("ROLLBACK")
            except self._errors():
                pass
            raise

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except self._errors() as error:
            reason = str(error).strip().split("\n")[0]
            raise OutputError(f"can't write {self.target}: {reason}") from error

    def _layout(self, delivery: Delivery) -> Layout:
        """The tables of an extractor, as they are or newly made."""
        layout = Layout(delivery.extractor, self._name, self._prefix)
        rows = self._execute(
            f"SELECT layout FROM {STATE} WHERE extractor = ? AND prefix = ?",  # noqa: S608
            (delivery.extractor, self._prefix),
        )
        if rows:
            layout.restore(str(rows[0][0]))
            if delivery.rebuild:
                for table in layout.tables.values():
                    self._execute(f"DROP TABLE IF EXISTS {quoted(table.name)}")
                layout = Layout(delivery.extractor, self._name, self._prefix)
        taken = self._taken(delivery.extractor)
        new_tables, new_columns = layout.adopt(delivery.schema, delivery.fields, taken)
        for table in new_tables:
            if self._exists(table.name):
                raise OutputError(
                    f"{self.target} has a table {table.name!r} that `rowen sync` did not make: "
                    "choose other names with --prefix"
                )
            self._create(table)
        self.add_columns(new_columns)
        return layout

    def _taken(self, extractor: str) -> set[str]:
        """The names of all tables but those of an extractor."""
        names = {STATE, _GONE, _STAGED}
        for name, prefix, layout in self._execute(
            f"SELECT extractor, prefix, layout FROM {STATE}"  # noqa: S608
        ):
            if (name, prefix) != (extractor, self._prefix):
                other = Layout(str(name), self._name, str(prefix))
                other.restore(str(layout))
                names |= {table.name for table in other.tables.values()}
        return names

    def add_columns(self, columns: Iterable[tuple[Table, Column]]) -> None:
        """Add columns to tables that exist."""
        for table, column in columns:
            self._execute(
                f"ALTER TABLE {quoted(table.name)} ADD COLUMN {self._definitions([column])}"
            )

    def _note(self, delivery: Delivery, layout: Layout) -> None:
        self._execute(
            f"DELETE FROM {STATE} WHERE extractor = ? AND prefix = ?",  # noqa: S608
            (delivery.extractor, self._prefix),
        )
        values = (
            delivery.extractor,
            self._prefix,
            delivery.snapshot,
            delivery.created,
            delivery.identity,
            layout.to_json(),
        )
        self._execute(f"INSERT INTO {STATE} VALUES (?, ?, ?, ?, ?, ?)", values)  # noqa: S608

    def stage(self, table: Table, rows: Sequence[Row], gone: Sequence[str]) -> None:
        """Delete rows by their ids, then insert or update others."""
        if gone:
            column = table.leading[0]
            self._stage(_GONE, [column], [(row_id,) for row_id in gone])
            name = quoted(RECORD_ID)
            self._execute(
                f"DELETE FROM {quoted(table.name)} "  # noqa: S608
                f"WHERE {name} IN (SELECT {name} FROM {_GONE})"
            )
        if rows:
            self._stage(_STAGED, table.all_columns, rows)
            self._upsert(table)

    def keep_only(self, table: Table, kept: str) -> int:
        """Delete the rows whose ids are not in a temporary table; how many there were."""
        name = quoted(RECORD_ID)
        condition = f"WHERE {name} NOT IN (SELECT {name} FROM {kept})"  # noqa: S608
        counted = self._execute(f"SELECT count(*) FROM {quoted(table.name)} {condition}")  # noqa: S608
        self._execute(f"DELETE FROM {quoted(table.name)} {condition}")  # noqa: S608
        return int(counted[0][0])

    def temporary(self, name: str, columns: Sequence[Column]) -> None:
        """Create an empty temporary table in place of an older one."""
        self._execute(f"DROP TABLE IF EXISTS {name}")
        self._execute(f"CREATE TEMPORARY TABLE {name} ({self._definitions(columns)})")

    def append(self, name: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        """Append rows to a temporary table."""
        self._load(name, columns, rows)

    def _stage(self, name: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        self.temporary(name, columns)
        self._load(name, columns, rows)

    def _definitions(self, columns: Iterable[Column]) -> str:
        return ", ".join(f"{quoted(column.name)} {self.type_of(column)}" for column in columns)

    def type_of(self, column: Column) -> str:
        """The type of a column."""
        if not column.many:
            return self.types[column.kind]
        return (
            self.types["string"]
            if self.list_type is None
            else f"{self.types[column.kind]}{self.list_type}"
        )

    def _name(self, wanted: str, taken: set[str]) -> str:
        """A name that the database takes, and that differs from others in more than its case."""
        lower = {name.lower() for name in taken}
        plain = replace_surrogates(wanted).replace("\0", "\N{REPLACEMENT CHARACTER}") or "_"
        name, number = _cut(plain, self.identifier_bytes), 1
        while name.lower() in lower:
            number += 1
            ending = f"_{number}"
            name = _cut(plain, self.identifier_bytes - len(ending)) + ending
        return name


class _Applier:
    """Compares pages, and writes rows that differ in batches."""

    def __init__(self, sink: SqlSink, layout: Layout, delivery: Delivery) -> None:
        self._sink = sink
        self._layout = layout
        self._delivery = delivery
        self._keys = delivery.schema.keys_of_records
        self._staged = {path: _Staged() for path in layout.tables}
        self._written = 0
        self._deleted = 0

    def apply(self) -> Counts:
        if self._delivery.whole:
            for number, table in enumerate(self._layout.tables.values()):
                self._sink.temporary(f"rowen_kept_{number}", table.leading[:1])
        for before, after in self._delivery.pages:
            for record in after:
                self._widen(record)
            self._compare(before, after)
            if sum(len(own.rows) + len(own.gone) for own in self._staged.values()) >= BATCH_ROWS:
                self._flush()
        self._flush()
        if self._delivery.whole:
            for number, table in enumerate(self._layout.tables.values()):
                deleted = self._sink.keep_only(table, f"rowen_kept_{number}")
                self._deleted += 0 if table.path else deleted
        return Counts(self._written, self._deleted)

    def _widen(self, record: Any) -> None:
        missing = self._layout.missing(record)
        if missing:
            self._flush()  # rows that wait have no cells for the new columns
            self._sink.add_columns(self._layout.widen(missing))

    def _compare(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        old = self._by_id(before)
        new = self._by_id(after)
        for (path, row_id), row in new.items():
            if old.get((path, row_id)) != row:
                self._staged[path].rows[row_id] = row
                self._written += not path
        for path, row_id in old:
            if (path, row_id) not in new:
                self._staged[path].gone.append(row_id)
                self._deleted += not path

    def _by_id(self, records: Sequence[Any]) -> dict[tuple[tuple[str, ...], str], Row]:
        rows = self._layout.rows(records, self._keys)
        return {(table.path, row_id): row for table, row_id, row in rows}

    def _flush(self) -> None:
        for number, (path, staged) in enumerate(self._staged.items()):
            table = self._layout.tables[path]
            self._sink.stage(table, list(staged.rows.values()), staged.gone)
            if self._delivery.whole and staged.rows:
                ids = [(row_id,) for row_id in staged.rows]
                self._sink.append(f"rowen_kept_{number}", table.leading[:1], ids)
            self._staged[path] = _Staged()


def writable(text: str) -> str:
    """A text without lone surrogates, which no database stores."""
    return text if text.isascii() else replace_surrogates(text)


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _cut(name: str, size: int) -> str:
    encoded = name.encode("utf-8")
    return name if len(encoded) <= size else encoded[:size].decode("utf-8", "ignore")

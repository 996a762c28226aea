"""A SQLite database for many threads: one connection each, one writer at a time, plain errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, local
from typing import Any, TypeAlias

from rowen.logs import LOG
from rowen.model.errors import OutputError, StoreError
from rowen.storage.documents.guard import READY_SECONDS

DATABASE_SECONDS = 5.0
"""Limit: how long the service waits for its database while another program writes to it. Backups
only read."""


Value: TypeAlias = str | int | float | bytes | None

_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PAGE_BYTES = 4096
_VACUUMED_PAGES = 128
"""How many free pages of the database are returned to a full disk at once. Moving pages needs as
much room in the log."""
_VACUUMS = 8
"""How often that is done in a row."""


class Database:
    """A database file in WAL mode; every method may be used by any thread."""

    def __init__(self, path: Path, *, log_bytes: int) -> None:
        """`log_bytes` is about how much of the write-ahead log is not yet in the database."""
        self.path = path
        self.damage: str | None = None
        """What an operator has to do, once something stored was found damaged."""
        self._log_pages = max(log_bytes // _PAGE_BYTES, 1)
        self._threads = local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = Lock()

    def row(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        """The first row of a query."""
        with self.reporting():
            row: tuple[Any, ...] | None = self.connection().execute(query, values).fetchone()
            return row

    def row_or_none(self, query: str, *values: Value) -> tuple[Any, ...] | None:
        """The same for what can be computed again: None where the database is damaged."""
        try:
            return self.row(query, *values)
        except StoreError as error:
            if self.damage is None:
                raise
            LOG.warning("ignored: %s", error)
            return None

    def rows(self, query: str, *values: Value) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self.reporting():
            return self.connection().execute(query, values).fetchall()

    @contextmanager
    def writing(self, seconds: float = DATABASE_SECONDS) -> Iterator[None]:
        """Be the only thread that writes; StoreError where another one takes too long."""
        if not self._lock.acquire(timeout=seconds):
            raise StoreError("the service's database is busy")
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All changes within are made together, or none."""
        with self.reporting():
            connection = self.connection()
            # IMMEDIATE takes the write lock at once: a transaction that first reads could find
            # later that another program has written meanwhile, and would have to start over.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def check(self) -> None:
        """StoreError where nothing can be written now, or something stored was damaged."""
        if self.damage is not None:
            raise StoreError(self.damage)
        with self.writing(READY_SECONDS / 2), self.reporting(), self._impatient() as connection:
            connection.execute("BEGIN IMMEDIATE")  # fails while another program writes
            connection.execute("ROLLBACK")

    def shrink(self) -> None:
        """Return free pages of the database to the disk, and the room of its log."""
        try:
            with self.writing(), self._impatient() as connection:
                for _ in range(_VACUUMS):
                    with suppress(sqlite3.OperationalError):  # no room yet: fewer pages need less
                        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
                    if not free:
                        break
                    connection.execute(f"PRAGMA incremental_vacuum({_VACUUMED_PAGES})").fetchall()
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (sqlite3.Error, StoreError) as error:
            LOG.warning("the database could not be made smaller: %s", error)

    def damaged(self, reason: str) -> StoreError:
        """The error for damaged data; from now on `check` fails, until an operator has looked."""
        if self.damage is None:
            # Logged once: a damaged page of the database is met by every request.
            self.damage = "stored data is damaged; restore a backup"
            LOG.error("%s", reason)
        return StoreError(reason)

    def close(self) -> None:
        """Close the connections of all threads."""
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Distinguish a full disk, a damaged database and one that can't be used now."""
        try:
            yield
        except sqlite3.Error as error:
            if _code(error) in _NO_ROOM:
                raise OutputError("the service's disk is full; nothing was stored") from error
            if _code(error) in _DAMAGED:
                raise self.damaged("the service's database is damaged") from error
            raise StoreError(f"the service's database can't be used: {error}") from error

    def connection(self) -> sqlite3.Connection:
        """The connection of this thread: readers never wait for each other."""
        connection: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if connection is None:
            is_new = not self.path.exists()
            connection = sqlite3.connect(
                self.path,
                timeout=DATABASE_SECONDS,
                isolation_level=None,
                check_same_thread=False,  # another thread closes it
            )
            # A connection belongs to a thread, but `close` has to close all of them.
            self._connections.append(connection)
            if is_new:
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # for `shrink`
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL: an acknowledged document outlasts a power failure.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {self._log_pages}")
            self._threads.connection = connection
        return connection

    @contextmanager
    def _impatient(self) -> Iterator[sqlite3.Connection]:
        """The connection, which waits for other programs only for a moment."""
        connection = self.connection()
        connection.execute(f"PRAGMA busy_timeout = {round(READY_SECONDS * 500)}")
        try:
            yield connection
        finally:
            connection.execute(f"PRAGMA busy_timeout = {round(DATABASE_SECONDS * 1000)}")


def _code(error: BaseException | None) -> int | None:
    """SQLite's code of an error: the extended one where that means no room, else the primary."""
    code = getattr(error, "sqlite_errorcode", None)
    return code if code is None or code in _NO_ROOM else code & 0xFF

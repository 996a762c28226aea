"""The index of near-duplicates: documents by their fingerprints."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from threading import Event, Lock, Thread
from typing import Any, Protocol, TypeAlias

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import KEY_BYTES
from rowen.duplicates.verified import Match, VerifiedDuplicates
from rowen.logs import LOG
from rowen.storage.documents.database import DATABASE_SECONDS

NEAR_DONORS = 3
"""Limit: how many similar documents are searched for results of equal parts: a paper, its last
revision, and one more."""

NEIGHBOURS_AT_ONCE = 4096
"""How many fingerprints are loaded at once at the start; requests wait milliseconds for each
load."""


Lookup: TypeAlias = Callable[[str], Fingerprint | None]
"""Returns the fingerprint of a document, if its results can still be reused."""

LIKE = 0.5
"""How similar documents must be, at least, to search one for parts of the other (Jaccard similarity
of word shingles). A paper of three pages with one replaced is this similar; unrelated texts never
are."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS secrets (version TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS neighbours (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, fingerprint BLOB NOT NULL
);
"""


class Neighbours(Protocol):
    """An index of extracted documents; every method may be used by any thread, and none raises.

    It may lose documents at any time, and name deleted ones: callers must check.
    """

    @property
    def key(self) -> bytes | None:
        """The current secret of fingerprints; None where nothing can be looked up."""

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Add a document, unless it is in the index already."""

    def remove(self, document_id: str, fingerprint: Fingerprint | None, /) -> None:
        """Remove a document, if it is in the index; its fingerprint helps, if known."""

    def nearest(self, fingerprint: Fingerprint, lookup: Lookup, /) -> list[Match]:
        """The documents most like a text, best first; `lookup` gives fingerprints not stored here.

        They are only worth a search: nothing is reused because two texts are similar.
        """

    def close(self) -> None:
        """Close files and connections."""


class NoNeighbours:
    """An index that is always empty."""

    key = None

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Do nothing."""

    def remove(self, document_id: str, fingerprint: Fingerprint | None, /) -> None:
        """Do nothing."""

    def nearest(self, _fingerprint: Fingerprint, _lookup: Lookup, /) -> list[Match]:
        """Always empty."""
        return []

    def close(self) -> None:
        """Do nothing."""


class EmbeddedNeighbours:
    """An index in memory, with a file of its own beside the store.

    The file can be computed again, so nothing waits for the disk (`synchronous = NORMAL`). If it is
    lost or damaged, some documents are extracted that could have been reused. At the start
    fingerprints are loaded in the background; until then some duplicates are not found.
    """

    def __init__(self, folder: Path, *, version: str) -> None:
        """Fingerprints of other versions are deleted: they may have been made of other texts."""
        self._index = VerifiedDuplicates()
        self._lock = Lock()
        self._stop = Event()
        self._database = _opened(folder / "near.sqlite3")
        self._key: bytes | None = None
        with self._using() as database:
            self._key = _key(database, version)
        self._loading = Thread(target=self._load, name="neighbours", daemon=True)
        self._loading.start()

    @property
    def key(self) -> bytes | None:
        """The secret of fingerprints, so that strangers can't construct near-duplicates."""
        return self._key

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Add a document."""
        with self._using() as database:
            added = database.execute(
                "INSERT OR IGNORE INTO neighbours (id, fingerprint) VALUES (?, ?)",
                (bytes.fromhex(document_id), fingerprint.to_bytes()),
            )
            if added.rowcount and added.lastrowid is not None:
                self._index.add(added.lastrowid, fingerprint)

    def remove(self, document_id: str, _fingerprint: Fingerprint | None, /) -> None:
        """Remove a document; its fingerprint is in the file."""
        with self._using() as database:
            row = database.execute(
                "DELETE FROM neighbours WHERE id = ? RETURNING number, fingerprint",
                (bytes.fromhex(document_id),),
            ).fetchone()
            if row is not None:
                self._index.remove(row[0], Fingerprint.from_bytes(row[1]))

    def nearest(self, fingerprint: Fingerprint, _lookup: Lookup, /) -> list[Match]:
        """The documents most like a text; all fingerprints are in memory."""
        matches: list[Match] = []
        with self._using() as database:
            for match in self._index.nearest(fingerprint, NEAR_DONORS, threshold=LIKE):
                row = database.execute(
                    "SELECT id FROM neighbours WHERE number = ?", (match.id,)
                ).fetchone()
                if row is not None:
                    matches.append(Match(row[0].hex(), match.distance, match.similarity))
        return matches

    def wait(self) -> None:
        """Wait until the fingerprints of the file are loaded."""
        self._loading.join()

    def close(self) -> None:
        """Stop loading, and close the file."""
        self._stop.set()
        self._loading.join()
        with self._lock, suppress(sqlite3.Error):
            self._database.close()

    def _load(self) -> None:
        """Load what the file had at the start; documents added meanwhile have higher numbers."""
        with self._using() as database:
            (last,) = database.execute("SELECT max(number) FROM neighbours").fetchone()
        before = 0
        while last is not None and not self._stop.is_set():
            rows: list[Any] = []
            with self._using() as database:
                rows = database.execute(
                    "SELECT number, fingerprint FROM neighbours"
                    " WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
                    (before, last, NEIGHBOURS_AT_ONCE),
                ).fetchall()
                for number, packed in rows:
                    self._index.add(number, Fingerprint.from_bytes(packed))
            if not rows:
                return
            before = rows[-1][0]

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The database, for one thread at a time; an unusable file costs only reuse."""
        with self._lock:
            try:
                yield self._database
            except (
                sqlite3.Error,
                ValueError,
                TypeError,
            ) as error:  # ValueError, TypeError: damaged content
                LOG.warning("near-duplicates can't be used: %s", error)


def _opened(path: Path) -> sqlite3.Connection:
    """The database, or a new one in place of a damaged file."""
    try:
        return _prepared(path)
    except sqlite3.DatabaseError as error:
        LOG.warning("%s is damaged and created again: %s", path.name, error)
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
    try:
        return _prepared(path)
    except sqlite3.DatabaseError:
        return _prepared(":memory:")


def _prepared(path: Path | str) -> sqlite3.Connection:
    database = sqlite3.connect(
        path, timeout=DATABASE_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def _key(database: sqlite3.Connection, version: str) -> bytes:
    """The key of this version; a new one where there is none, and then the index is emptied."""
    row = database.execute("SELECT key FROM secrets WHERE version = ?", (version,)).fetchone()
    if row is not None:
        return bytes(row[0])
    key = token_bytes(KEY_BYTES)
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.execute("DELETE FROM neighbours")
        database.execute("DELETE FROM secrets")
        database.execute("INSERT INTO secrets VALUES (?, ?)", (version, key))
    return key

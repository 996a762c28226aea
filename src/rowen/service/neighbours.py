"""Documents by their fingerprints, to find the one that a new document nearly is."""

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
from rowen.limits import DATABASE_SECONDS, NEAR_DONORS, NEIGHBOURS_AT_ONCE
from rowen.service.logs import LOG

Lookup: TypeAlias = Callable[[str], Fingerprint | None]
"""The fingerprint of a document, where it can still answer."""

LIKE = 0.5
"""How much of their runs of words documents share at least to look at one for the other's sake. Of
a paper of three pages with one replaced that much is left; unrelated texts never share so much."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS secrets (version TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS neighbours (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, fingerprint BLOB NOT NULL
);
"""


class Neighbours(Protocol):
    """An index of extracted documents; every method may be used by any thread, and none raises.

    It may forget documents at any time, and name some that are gone: who asks must look.
    """

    @property
    def key(self) -> bytes | None:
        """The secret that fingerprints are made with now; None where none can be looked up."""

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Enter a document; one that is there already stays as it is."""

    def remove(self, document_id: str, fingerprint: Fingerprint | None, /) -> None:
        """Take it out, if it is there; its fingerprint helps, where that is known."""

    def nearest(self, fingerprint: Fingerprint, known: Lookup, /) -> list[Match]:
        """The documents most like a text, best first; fingerprints that are not here are looked up.

        Like enough to look at them, that is: nothing is answered because two texts are alike.
        """

    def close(self) -> None:
        """Let go of everything."""


class NoNeighbours:
    """Nothing is near to anything."""

    key = None

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Nothing is entered."""

    def remove(self, document_id: str, fingerprint: Fingerprint | None, /) -> None:
        """Nothing is there."""

    def nearest(self, _fingerprint: Fingerprint, _known: Lookup, /) -> list[Match]:
        """None, always."""
        return []

    def close(self) -> None:
        """Nothing is held."""


class EmbeddedNeighbours:
    """In memory, and in a file of their own beside the store.

    What is in the file can be made again, so nothing waits for the disk; if it is lost or broken,
    documents are extracted that need not have been. At the start fingerprints are loaded in the
    background: as long as some are missing, documents that only they could answer are extracted.
    """

    def __init__(self, folder: Path, *, version: str) -> None:
        """Fingerprints of other versions are forgotten: other texts may have been read then."""
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
        """The secret that fingerprints are made with."""
        return self._key

    def add(self, document_id: str, fingerprint: Fingerprint) -> None:
        """Enter a document."""
        with self._using() as database:
            added = database.execute(
                "INSERT OR IGNORE INTO neighbours (id, fingerprint) VALUES (?, ?)",
                (bytes.fromhex(document_id), fingerprint.to_bytes()),
            )
            if added.rowcount and added.lastrowid is not None:
                self._index.add(added.lastrowid, fingerprint)

    def remove(self, document_id: str, _fingerprint: Fingerprint | None, /) -> None:
        """Take a document out; the fingerprint is known here."""
        with self._using() as database:
            row = database.execute(
                "DELETE FROM neighbours WHERE id = ? RETURNING number, fingerprint",
                (bytes.fromhex(document_id),),
            ).fetchone()
            if row is not None:
                self._index.remove(row[0], Fingerprint.from_bytes(row[1]))

    def nearest(self, fingerprint: Fingerprint, _known: Lookup, /) -> list[Match]:
        """The documents most like a text; the fingerprints are all here."""
        matches: list[Match] = []
        with self._using() as database:
            for found in self._index.nearest(fingerprint, NEAR_DONORS, threshold=LIKE):
                row = database.execute(
                    "SELECT id FROM neighbours WHERE number = ?", (found.id,)
                ).fetchone()
                if row is not None:
                    matches.append(Match(row[0].hex(), found.distance, found.similarity))
        return matches

    def wait(self) -> None:
        """Until all that was there at the start is loaded."""
        self._loading.join()

    def close(self) -> None:
        """Stop loading, and let go of the file."""
        self._stop.set()
        self._loading.join()
        with self._lock, suppress(sqlite3.Error):
            self._database.close()

    def _load(self) -> None:
        """All that the file had at the start; what comes meanwhile has higher numbers."""
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
        """One thread at a time; a file that can't be used costs reuse, and nothing else."""
        with self._lock:
            try:
                yield self._database
            except (sqlite3.Error, ValueError, TypeError) as error:  # or what it holds is damaged
                LOG.warning("near-duplicates can't be used: %s", error)


def _opened(path: Path) -> sqlite3.Connection:
    """The file, or a new one in place of one that is broken."""
    try:
        return _prepared(path)
    except sqlite3.DatabaseError as error:
        LOG.warning("%s is made anew: %s", path.name, error)
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
    """The key of this version; a new one, with nothing that others were entered with."""
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

"""The store that needs nothing else: SQLite for what is known, files for the documents."""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Lock, local
from typing import Any

from rowen.limits import DATABASE_SECONDS
from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.service.files import FileDraft, Files, claim_folder, disk, sync_folder
from rowen.service.store import Document, Draft, Result, SavedExtractor, Setback, Usage

DATABASE = "rowen.sqlite3"

_FORMAT = 1
_SCHEMA = """
CREATE TABLE documents (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL,
    name TEXT NOT NULL, created TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX documents_by_digest ON documents (digest);
CREATE TABLE requests (key TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX requests_by_document ON requests (document);
CREATE TABLE results (
    digest TEXT NOT NULL, stage TEXT NOT NULL, form TEXT NOT NULL, version TEXT NOT NULL,
    source TEXT NOT NULL, content BLOB NOT NULL,
    UNIQUE (digest, stage, form, version)
);
CREATE TABLE setbacks (
    digest TEXT NOT NULL, version TEXT NOT NULL, count INTEGER NOT NULL, reason TEXT NOT NULL,
    final INTEGER NOT NULL,
    PRIMARY KEY (digest, version)
) WITHOUT ROWID;
CREATE TABLE extractors (
    name TEXT PRIMARY KEY, form TEXT NOT NULL, content TEXT NOT NULL, digest TEXT NOT NULL
);
"""


class EmbeddedStore:
    """A folder with all that one service keeps; a second service can't open it meanwhile."""

    documents_are_remote = False
    results_are_remote = False

    def __init__(self, folder: Path) -> None:
        self._claim = claim_folder(folder)
        self._database = folder / DATABASE
        self._threads = local()
        self._connections: list[sqlite3.Connection] = []
        self._writing = Lock()
        try:
            self._files = Files(folder)
            self._prepare()
            with disk():
                sync_folder(folder)
            self._sweep()
        except BaseException:
            self.close()
            raise

    def draft(self) -> FileDraft:
        """A new document to write to."""
        return self._files.draft()

    def keep(self, draft: Draft, *, media_type: str, name: str, key: str | None) -> Document:
        """Make a draft a document, first its file and then what is known of it."""
        assert isinstance(draft, FileDraft)
        digest = draft.digest
        if self._others(digest, but="") is None:  # else its content is on disk already
            draft.seal()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        document = Document(token_hex(16), digest, media_type, draft.size, name, created)
        with self._writing:
            if key is not None and (earlier := self.by_key(key)) is not None:
                if earlier.digest != digest:
                    raise UsageError("this Idempotency-Key was used with another document")
                return earlier
            known = self._others(digest, but="")
            if known is None:
                draft.seal()  # where the other one was deleted a moment ago
                draft.move(self._files.path(digest))
            try:
                self._insert(document, key)
                draft.kept = True
            except BaseException:
                if known is None:
                    self._files.delete(digest)
                raise
        draft.discard()
        return document

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier call with this key."""
        row = self._row("SELECT document FROM requests WHERE key = ?", key)
        return None if row is None else self.document(row[0])

    def usage(self) -> Usage:
        """How much there is; counts everything anew."""
        held = self._row("SELECT count(*), coalesce(sum(size), 0) FROM documents")
        also = self._row("SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM extractors")
        assert held is not None
        assert also is not None
        return Usage(held[0], held[1] + also[0])

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""
        row = self._row(
            "SELECT id, digest, media_type, size, name, created FROM documents WHERE id = ?",
            document_id,
        )
        return None if row is None else Document(*row)

    def path(self, document: Document) -> Path:
        """Where its bytes are."""
        return self._files.path(document.digest)

    @contextmanager
    def reading(self, document: Document) -> Iterator[Path]:
        """A file with its bytes."""
        yield self.path(document)

    def holder(self, digest: str, preferred: str) -> str | None:
        """The preferred document, or another one with this content where it is gone by now."""
        row = self._row(
            "SELECT id FROM documents WHERE digest = ? ORDER BY id != ? LIMIT 1", digest, preferred
        )
        return None if row is None else str(row[0])

    def delete(self, document_id: str) -> bool:
        """Remove a document; the next opening finishes what a crash leaves undone here."""
        with self._writing:
            document = self.document(document_id)
            if document is None:
                return False
            digest = document.digest
            other = self._others(digest, but=document_id)
            with self._transaction() as do:
                do.execute("DELETE FROM documents WHERE id = ?", (document_id,))
                do.execute("DELETE FROM requests WHERE document = ?", (document_id,))
                if other is None:
                    do.execute("DELETE FROM results WHERE digest = ?", (digest,))
                    do.execute("DELETE FROM setbacks WHERE digest = ?", (digest,))
                else:
                    do.execute(
                        "UPDATE results SET source = ? WHERE digest = ? AND source = ?",
                        (other, digest, document_id),
                    )
            if other is None:
                self._files.delete(digest)
            return True

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, where this version of the stage has given it."""
        row = self._row(
            "SELECT content, source FROM results"
            " WHERE digest = ? AND stage = ? AND form = ? AND version = ?",
            digest, stage, form, version,
        )  # fmt: skip
        return None if row is None else Result(zlib.decompress(row[0]), row[1])

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation in place of those of other versions."""
        digest = document.digest
        packed = {
            form: zlib.compress(content, zlib.Z_BEST_SPEED) for form, content in forms.items()
        }
        with self._writing:
            source = self.holder(digest, document.id)
            if source is None:
                return
            with self._transaction() as do:
                do.execute(
                    "DELETE FROM results WHERE digest = ? AND stage = ? AND version != ?",
                    (digest, stage, version),
                )
                for form, content in packed.items():
                    do.execute(
                        "INSERT OR REPLACE INTO results"
                        " (digest, stage, form, version, source, content)"
                        " VALUES (?, ?, ?, ?, ?, ?)",
                        (digest, stage, form, version, source, content),
                    )

    def forget(self, digest: str) -> None:
        """Forget all results of a content."""
        with self._writing, self._transaction() as do:
            do.execute("DELETE FROM results WHERE digest = ?", (digest,))

    def setback(self, digest: str, version: str) -> Setback | None:
        """What is known of a content that this version could not read."""
        row = self._row(
            "SELECT count, reason, final FROM setbacks WHERE digest = ? AND version = ?",
            digest, version,
        )  # fmt: skip
        return None if row is None else Setback(row[0], row[1], bool(row[2]))

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Keep that."""
        with self._writing:
            if self.document(document.id) is None:  # perhaps that is why it could not be read
                return
            with self._transaction() as do:
                do.execute(
                    "INSERT OR REPLACE INTO setbacks VALUES (?, ?, ?, ?, ?)",
                    (document.digest, version, setback.count, setback.reason, setback.final),
                )

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered by that name."""
        row = self._row("SELECT name, form, content, digest FROM extractors WHERE name = ?", name)
        return None if row is None else SavedExtractor(*row)

    def extractors(self) -> list[str]:
        """The names of all."""
        with _database():
            rows = self._connection().execute("SELECT name FROM extractors ORDER BY name")
            return [name for (name,) in rows]

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register it, in place of one of the same name."""
        one = extractor
        with self._writing:
            new = self.extractor(one.name) is None
            with self._transaction() as do:
                do.execute(
                    "INSERT OR REPLACE INTO extractors VALUES (?, ?, ?, ?)",
                    (one.name, one.form, one.content, one.digest),
                )
        return new

    def delete_extractor(self, name: str) -> bool:
        """Forget it."""
        with self._writing, self._transaction() as do:
            return do.execute("DELETE FROM extractors WHERE name = ?", (name,)).rowcount > 0

    def check(self) -> None:
        """Write a little, as a document would be, and take it back."""
        draft = self.draft()
        try:
            draft.write(b"check")
            draft.seal()
        finally:
            draft.discard()
        self._row("SELECT 1")

    def close(self) -> None:
        """Let go of everything."""
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._claim.close()

    def _prepare(self) -> None:
        with _database():
            connection = self._connection()
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if found == 0:
                connection.executescript(
                    f"BEGIN; {_SCHEMA} PRAGMA user_version = {_FORMAT}; COMMIT;"
                )
            elif found != _FORMAT:
                raise StoreError(
                    f"{self._database} is of format {found}; this Rowen reads {_FORMAT}"
                )

    def _sweep(self) -> None:
        """Remove files without a document: a service was killed between the two."""
        for start, digests in self._files.groups():
            with _database():
                rows = self._connection().execute(
                    "SELECT DISTINCT digest FROM documents WHERE digest >= ? AND digest < ?",
                    (start, f"{start}g"),  # g comes after all digits
                )
                known = {digest for (digest,) in rows}
            for digest in digests:
                if digest not in known:
                    self._files.delete(digest)

    def _insert(self, document: Document, key: str | None) -> None:
        one = document
        with self._transaction() as do:
            do.execute(
                "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
                (one.id, one.digest, one.media_type, one.size, one.name, one.created),
            )
            if key is not None:
                do.execute("INSERT INTO requests VALUES (?, ?)", (key, one.id))

    def _others(self, digest: str, *, but: str) -> str | None:
        row = self._row("SELECT id FROM documents WHERE digest = ? AND id != ?", digest, but)
        return None if row is None else str(row[0])

    def _row(self, query: str, *values: str) -> tuple[Any, ...] | None:
        with _database():
            row: tuple[Any, ...] | None = self._connection().execute(query, values).fetchone()
            return row

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with _database():
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _connection(self) -> sqlite3.Connection:
        """This thread's own, so that readers never wait for each other."""
        found: sqlite3.Connection | None = getattr(self._threads, "connection", None)
        if found is None:
            found = sqlite3.connect(
                self._database,
                timeout=DATABASE_SECONDS,
                isolation_level=None,
                check_same_thread=False,  # it is closed by another thread
            )
            self._connections.append(found)
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = FULL")  # what is acknowledged is on disk
            self._threads.connection = found
        return found


@contextmanager
def _database() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise OutputError("the service's disk is full; nothing was kept") from error
        raise StoreError(f"the service's database can't be used: {error}") from error

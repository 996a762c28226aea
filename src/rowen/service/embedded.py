"""The store that needs nothing else: SQLite for what is known, files for the documents."""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Lock, local
from typing import Any

from rowen.limits import DATABASE_SECONDS, READY_SECONDS
from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.service.files import FileDraft, Files, claim_folder, disk, sync_folder
from rowen.service.logs import LOG
from rowen.service.reserve import Reserve
from rowen.service.seals import DamagedError, VerifiedFiles, seal
from rowen.service.store import Document, Draft, Result, SavedExtractor, Setback, Usage

DATABASE = "rowen.sqlite3"

_FORMAT = 2
_SCHEMA = """
CREATE TABLE documents (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL,
    name TEXT NOT NULL, created TEXT NOT NULL, seal BLOB
) WITHOUT ROWID;
CREATE INDEX documents_by_digest ON documents (digest);
CREATE TABLE requests (key TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX requests_by_document ON requests (document);
CREATE TABLE results (
    digest TEXT NOT NULL, stage TEXT NOT NULL, form TEXT NOT NULL, version TEXT NOT NULL,
    source TEXT NOT NULL, content BLOB NOT NULL, seal BLOB,
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
_SEALS = """
ALTER TABLE documents ADD COLUMN seal BLOB;
ALTER TABLE results ADD COLUMN seal BLOB;
"""
"""What format 2 has that 1 has not; rows of before have none."""

_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PAGE_BYTES = 4096
_GIVEN_BACK_PAGES = 128
"""How many free pages of the database are given back to a full disk at once, and how often: moving
them takes as much room."""
_GIVING_BACK = 8


class EmbeddedStore:
    """A folder with all that one service keeps; a second service can't open it meanwhile.

    Tenants' folders share the reserve of the disk that they are on.
    """

    documents_are_remote = False
    results_are_remote = False

    def __init__(self, folder: Path, *, reserve: Reserve | None = None) -> None:
        self._claim = claim_folder(folder)
        self._database = folder / DATABASE
        self._threads = local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._verified = VerifiedFiles()
        self._damage: str | None = None
        try:
            self._reserve = reserve or Reserve(folder)
            self._reserve.freeing(lambda: self._begin(folder), self._give_back)
        except BaseException:
            self.close()
            raise

    def draft(self) -> FileDraft:
        """A new document to write to."""
        self._reserve.hold()
        return self._files.draft(missed=self._reserve.miss)

    def keep(self, draft: Draft, *, media_type: str, name: str, key: str | None) -> Document:
        """Make a draft a document, first its file and then what is known of it."""
        assert isinstance(draft, FileDraft)
        digest = draft.digest
        if self._others(digest, but="") is None:  # else its content is on disk already
            draft.seal()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        document = Document(token_hex(16), digest, media_type, draft.size, name, created)
        with self._writing():
            if key is not None and (earlier := self.by_key(key)) is not None:
                if earlier.digest != digest:
                    raise UsageError("this Idempotency-Key was used with another document")
                return earlier
            known = self._others(digest, but="")
            if known is None or not self._is_whole(digest):
                draft.seal()  # where the other one was deleted a moment ago, or is damaged
                draft.move(self._files.path(digest))
            try:
                self._insert(document, key)
                draft.kept = True
            except BaseException as error:
                if isinstance(error, OutputError):
                    self._reserve.miss(draft.size)
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
            "SELECT id, digest, media_type, size, name, created, seal FROM documents WHERE id = ?",
            document_id,
        )
        if row is None:
            return None
        *values, sealed = row
        document = Document(*values)
        if sealed is not None and sealed != _document_seal(document):
            raise self._damaged("what is known of a document is damaged")
        return document

    def path(self, document: Document) -> Path:
        """Where its bytes are."""
        return self._files.path(document.digest)

    @contextmanager
    def reading(self, document: Document) -> Iterator[Path]:
        """A file with its bytes, which are the document's; StoreError where they are not."""
        path = self.path(document)
        try:
            self._verified.check(path, document.digest)
        except FileNotFoundError:
            if self.document(document.id) is None:
                raise
            raise DamagedError from None
        yield path

    def holder(self, digest: str, preferred: str) -> str | None:
        """The preferred document, or another one with this content where it is gone by now."""
        row = self._row(
            "SELECT id FROM documents WHERE digest = ? ORDER BY id != ? LIMIT 1", digest, preferred
        )
        return None if row is None else str(row[0])

    def delete(self, document_id: str) -> bool:
        """Remove a document; the next opening finishes what a crash leaves undone here.

        Where the disk is full, the reserve is given up for it.
        """
        return self._reserve.freeing(
            lambda: self._delete(document_id),
            self._give_back,
            lambda: self._delete_file(document_id),
        )

    def _delete_file(self, document_id: str) -> None:
        """First the bytes, where there is not even room to say that they are no longer needed."""
        with self._writing():
            row = self._row("SELECT digest FROM documents WHERE id = ?", document_id)
            if row is not None and self._others(row[0], but=document_id) is None:
                self._files.delete(str(row[0]))

    def _delete(self, document_id: str) -> bool:
        with self._writing():
            row = self._row("SELECT digest FROM documents WHERE id = ?", document_id)
            if row is None:
                return False
            digest = str(row[0])
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
        row = self._row_or_none(
            "SELECT content, source, seal FROM results"
            " WHERE digest = ? AND stage = ? AND form = ? AND version = ?",
            digest, stage, form, version,
        )  # fmt: skip
        return None if row is None else _opened((digest, stage, form, version), *row)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Keep the forms of a representation in place of those of other versions."""
        digest = document.digest
        packed = {
            form: zlib.compress(content, zlib.Z_BEST_SPEED) for form, content in forms.items()
        }
        # It is written twice, and there is always room for the second time.
        self._reserve.hold(beside=3 * sum(map(len, packed.values())))
        with self._writing():
            source = self.holder(digest, document.id)
            if source is None:
                return
            with self._transaction() as do:
                do.execute(
                    "DELETE FROM results WHERE digest = ? AND stage = ? AND version != ?",
                    (digest, stage, version),
                )
                for form, content in packed.items():
                    sealed = seal(digest, stage, form, version, content)
                    do.execute(
                        "INSERT OR REPLACE INTO results"
                        " (digest, stage, form, version, source, content, seal)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (digest, stage, form, version, source, content, sealed),
                    )

    def forget(self, digest: str) -> None:
        """Forget all results of a content."""
        with self._writing(), self._transaction() as do:
            do.execute("DELETE FROM results WHERE digest = ?", (digest,))

    def setback(self, digest: str, version: str) -> Setback | None:
        """What is known of a content that this version could not read."""
        row = self._row_or_none(
            "SELECT count, reason, final FROM setbacks WHERE digest = ? AND version = ?",
            digest, version,
        )  # fmt: skip
        return None if row is None else Setback(row[0], row[1], bool(row[2]))

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Keep that."""
        self._reserve.hold()
        with self._writing():
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
        with self._using():
            rows = self._connection().execute("SELECT name FROM extractors ORDER BY name")
            return [name for (name,) in rows]

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register it, in place of one of the same name."""
        one = extractor
        self._reserve.hold(beside=3 * one.size)
        with self._writing():
            new = self.extractor(one.name) is None
            with self._transaction() as do:
                do.execute(
                    "INSERT OR REPLACE INTO extractors VALUES (?, ?, ?, ?)",
                    (one.name, one.form, one.content, one.digest),
                )
        return new

    def delete_extractor(self, name: str) -> bool:
        """Forget it."""

        def delete() -> bool:
            with self._writing(), self._transaction() as do:
                return do.execute("DELETE FROM extractors WHERE name = ?", (name,)).rowcount > 0

        return self._reserve.freeing(delete, self._give_back)

    def check(self) -> None:
        """Write a little, as a document would be, and take it back."""
        if self._damage is not None:
            raise StoreError(self._damage)
        self._reserve.check()
        draft = self.draft()
        try:
            draft.write(b"check")
            draft.seal()
        finally:
            draft.discard()
        with self._writing(READY_SECONDS / 2), self._using(), self._quick() as connection:
            connection.execute("BEGIN IMMEDIATE")  # which another program may keep us from
            connection.execute("ROLLBACK")

    def close(self) -> None:
        """Let go of everything."""
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._claim.close()

    def _begin(self, folder: Path) -> None:
        self._files = Files(folder)
        self._prepare()
        with disk():
            sync_folder(folder)
        self._sweep()

    def _prepare(self) -> None:
        with self._using():
            connection = self._connection()
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            if found in (0, 1):
                changes = _SEALS if found else _SCHEMA
                connection.executescript(
                    f"BEGIN; {changes} PRAGMA user_version = {_FORMAT}; COMMIT;"
                )
            elif found != _FORMAT:
                raise StoreError(
                    f"{self._database} is of format {found}; this Rowen reads {_FORMAT}"
                )

    def _sweep(self) -> None:
        """Remove files without a document: a service was killed between the two."""
        for start, digests in self._files.groups():
            with self._using():
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
                "INSERT INTO documents (id, digest, media_type, size, name, created, seal)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (one.id, one.digest, one.media_type, one.size, one.name, one.created,
                 _document_seal(one)),
            )  # fmt: skip
            if key is not None:
                do.execute("INSERT INTO requests VALUES (?, ?)", (key, one.id))

    def _others(self, digest: str, *, but: str) -> str | None:
        row = self._row("SELECT id FROM documents WHERE digest = ? AND id != ?", digest, but)
        return None if row is None else str(row[0])

    def _is_whole(self, digest: str) -> bool:
        try:
            self._verified.check(self._files.path(digest), digest)
        except (FileNotFoundError, StoreError):
            return False
        return True

    def _row(self, query: str, *values: str) -> tuple[Any, ...] | None:
        with self._using():
            row: tuple[Any, ...] | None = self._connection().execute(query, values).fetchone()
            return row

    def _row_or_none(self, query: str, *values: str) -> tuple[Any, ...] | None:
        """The same of what can be made again: where it is damaged there is none."""
        try:
            return self._row(query, *values)
        except StoreError as error:
            if self._damage is None:
                raise
            LOG.warning("passed over: %s", error)
            return None

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Tell a full disk from a damaged database, and that from one that can't be used now."""
        try:
            yield
        except sqlite3.Error as error:
            if _code(error) in _NO_ROOM:
                raise OutputError("the service's disk is full; nothing was kept") from error
            if _code(error) in _DAMAGED:
                raise self._damaged("the service's database is damaged") from error
            raise StoreError(f"the service's database can't be used: {error}") from error

    def _damaged(self, reason: str) -> StoreError:
        """What is told; from now on the service is not ready, until somebody has looked at it."""
        if self._damage is None:
            self._damage = "something that was kept is damaged; restore a backup"
            LOG.error("%s", reason)
        return StoreError(reason)

    @contextmanager
    def _writing(self, seconds: float = DATABASE_SECONDS) -> Iterator[None]:
        """One thread at a time writes; the next does not wait for ever for one that can't."""
        if not self._lock.acquire(timeout=seconds):
            raise StoreError("the service's database is busy")
        try:
            yield
        finally:
            self._lock.release()

    @contextmanager
    def _quick(self) -> Iterator[sqlite3.Connection]:
        """The connection, which waits for others only a moment."""
        connection = self._connection()
        connection.execute(f"PRAGMA busy_timeout = {round(READY_SECONDS * 500)}")
        try:
            yield connection
        finally:
            connection.execute(f"PRAGMA busy_timeout = {round(DATABASE_SECONDS * 1000)}")

    def _give_back(self) -> None:
        """Give free pages of the database back to the disk, and what its log has taken up."""
        try:
            with self._writing(), self._quick() as connection:
                for _ in range(_GIVING_BACK):
                    with suppress(sqlite3.OperationalError):  # no room yet: fewer pages need less
                        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
                    if not free:
                        break
                    connection.execute(f"PRAGMA incremental_vacuum({_GIVEN_BACK_PAGES})").fetchall()
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (sqlite3.Error, StoreError) as error:
            LOG.warning("the database could not be made smaller: %s", error)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._using():
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
            new = not self._database.exists()
            found = sqlite3.connect(
                self._database,
                timeout=DATABASE_SECONDS,
                isolation_level=None,
                check_same_thread=False,  # it is closed by another thread
            )
            self._connections.append(found)
            if new:
                found.execute("PRAGMA auto_vacuum = INCREMENTAL")  # so that pages can be given back
            found.execute("PRAGMA journal_mode = WAL")
            found.execute("PRAGMA synchronous = FULL")  # what is acknowledged is on disk
            # So much is in the log at most that the reserve has room for it in the database.
            pages = max(self._reserve.size // 2 // _PAGE_BYTES, 1)
            found.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            self._threads.connection = found
        return found


def _document_seal(document: Document) -> bytes:
    one = document
    return seal(one.id, one.digest, one.media_type, str(one.size), one.name, one.created)


def _opened(
    name: tuple[str, str, str, str], packed: bytes, source: str, sealed: bytes | None
) -> Result | None:
    """A result as it was kept; none where it is damaged, so that it is made again."""
    try:
        if sealed is not None and sealed != seal(*name, packed):
            raise ValueError("its seal is broken")  # noqa: TRY301  # as it is for zlib
        return Result(zlib.decompress(packed), source)
    except (ValueError, TypeError, zlib.error) as error:
        LOG.warning("a result is damaged and made again: %s", error)
        return None


def _code(error: BaseException | None) -> int | None:
    """What SQLite says of an error, with or without the details."""
    code = getattr(error, "sqlite_errorcode", None)
    return code if code is None or code in _NO_ROOM else code & 0xFF

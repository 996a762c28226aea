"""The embedded store: SQLite for entries and results, files for the documents' bytes."""

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from rowen.files import sync
from rowen.logs import LOG
from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.storage.documents.checksums import DamagedError, VerifiedFiles, checksum
from rowen.storage.documents.database import Database
from rowen.storage.documents.files import FileDraft, Files, claim_folder, disk
from rowen.storage.documents.reserve import Reserve
from rowen.storage.documents.store import (
    PARTS,
    Document,
    Draft,
    Result,
    SavedExtractor,
    Setback,
    Usage,
)

DATABASE = "rowen.sqlite3"

_FORMAT = 3
_SCHEMA = """
CREATE TABLE documents (
    id TEXT PRIMARY KEY, digest TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL,
    name TEXT NOT NULL, created TEXT NOT NULL, seal BLOB, url TEXT NOT NULL DEFAULT ''
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
"""What format 2 adds to format 1: checksums. Older rows have none."""
_URLS = """
ALTER TABLE documents ADD COLUMN url TEXT NOT NULL DEFAULT '';
"""
"""What format 3 adds: the addresses of documents."""
_CHANGES = {0: _SCHEMA, 1: _SEALS + _URLS, 2: _URLS}
"""What makes each older format the current one; 0 is a new database."""


class EmbeddedStore:
    """A folder with everything that one service stores; a second service can't open it meanwhile.

    Tenants' folders share the reserve of their disk.
    """

    documents_are_remote = False
    results_are_remote = False

    def __init__(self, folder: Path, *, reserve: Reserve | None = None) -> None:
        self._claim = claim_folder(folder)
        self._verified = VerifiedFiles()
        try:
            self._reserve = reserve or Reserve(folder)
        except BaseException:
            self._claim.close()
            raise
        # Half of the reserve is enough room to write the whole log to the database.
        self._database = Database(folder / DATABASE, log_bytes=self._reserve.size // 2)
        try:
            self._reserve.freeing(lambda: self._open(folder), self._database.shrink)
        except BaseException:
            self.close()
            raise

    def draft(self) -> FileDraft:
        """A new document to write to."""
        self._reserve.hold()
        return self._files.draft(missed=self._reserve.miss)

    def keep(
        self, draft: Draft, *, media_type: str, name: str, key: str | None, url: str = ""
    ) -> Document:
        """Make a draft a document: first its file, then its row."""
        assert isinstance(draft, FileDraft)
        digest = draft.digest
        if self._other_holder(digest, but="") is None:  # else its content is on disk already
            draft.seal()
        created = datetime.now(UTC).isoformat(timespec="seconds")
        document = Document(token_hex(16), digest, media_type, draft.size, name, created, url)
        with self._database.writing():
            if key is not None and (earlier := self.by_key(key)) is not None:
                if (earlier.digest, earlier.url) != (digest, url):
                    raise UsageError("this Idempotency-Key was used with another document")
                return earlier
            # Looked up again: between the first look and the lock, another thread may have deleted
            # it.
            holder = self._other_holder(digest, but="")
            if holder is None or not self._is_whole(digest):
                draft.seal()  # where the other one was deleted a moment ago, or is damaged
                # The file comes before the row. A crash in between leaves a file without a
                # document, which the next start removes; the other order would leave a document
                # without its bytes.
                draft.move(self._files.path(digest))
            try:
                self._insert(document, key)
                draft.kept = True
            except BaseException as error:
                if isinstance(error, OutputError):
                    self._reserve.miss(draft.size)
                if holder is None:
                    self._files.delete(digest)
                raise
        draft.discard()
        return document

    def by_key(self, key: str) -> Document | None:
        """The document of an earlier request with this Idempotency-Key."""
        row = self._database.row("SELECT document FROM requests WHERE key = ?", key)
        return None if row is None else self.document(row[0])

    def usage(self) -> Usage:
        """How much is stored; counts everything."""
        documents = self._database.row("SELECT count(*), coalesce(sum(size), 0) FROM documents")
        definitions = self._database.row(
            "SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM extractors"
        )
        assert documents is not None
        assert definitions is not None
        return Usage(documents[0], documents[1] + definitions[0])

    def document(self, document_id: str) -> Document | None:
        """The document with this id."""
        row = self._database.row(
            "SELECT id, digest, media_type, size, name, created, url, seal FROM documents"
            " WHERE id = ?",
            document_id,
        )
        if row is None:
            return None
        *values, seal = row
        document = Document(*values)
        if seal is not None and seal != _document_checksum(document):
            raise self._database.damaged("the stored entry of a document is damaged")
        return document

    def path(self, document: Document) -> Path:
        """The file with its bytes."""
        return self._files.path(document.digest)

    @contextmanager
    def reading(self, document: Document) -> Iterator[Path]:
        """A file with the document's bytes; StoreError where they are damaged."""
        path = self.path(document)
        try:
            self._verified.check(path, document.digest)
        except FileNotFoundError:
            if self.document(document.id) is None:
                raise
            raise DamagedError from None
        yield path

    def holder(self, digest: str, preferred: str) -> str | None:
        """The preferred document, or another one with this content where it was deleted."""
        row = self._database.row(
            # `id != ?` is 0 for the preferred document, which therefore comes first.
            "SELECT id FROM documents WHERE digest = ? ORDER BY id != ? LIMIT 1",
            digest,
            preferred,
        )
        return None if row is None else str(row[0])

    def delete(self, document_id: str) -> bool:
        """Delete a document; the next start finishes what a crash interrupts.

        On a full disk the reserve is given up for it.
        """
        return self._reserve.freeing(
            lambda: self._delete(document_id),
            self._database.shrink,
            lambda: self._delete_file(document_id),
        )

    def result(self, digest: str, stage: str, form: str, version: str) -> Result | None:
        """A representation of a content, if this version of the stage has made it."""
        row = self._database.row_or_none(
            "SELECT content, source, seal FROM results"
            " WHERE digest = ? AND stage = ? AND form = ? AND version = ?",
            digest, stage, form, version,
        )  # fmt: skip
        return None if row is None else _unpacked((digest, stage, form, version), *row)

    def put_results(
        self, document: Document, stage: str, version: str, forms: Mapping[str, bytes]
    ) -> None:
        """Store the forms of a representation in place of those of other versions."""
        digest = document.digest
        # Compressing parts took 1.2% of the time of reading a paper, and saved 80 KB. So they are
        # zlib streams like the others, but not compressed.
        level = zlib.Z_NO_COMPRESSION if stage == PARTS else zlib.Z_BEST_SPEED
        packed = {form: zlib.compress(content, level) for form, content in forms.items()}
        # SQLite writes it twice, to the log and to the database. With this much free room the
        # second time can't fail.
        self._reserve.hold(beside=3 * sum(map(len, packed.values())))
        with self._database.writing():
            # Within the lock: results of a document that was deleted meanwhile would stay for ever.
            source = self.holder(digest, document.id)
            if source is None:
                return
            with self._database.transaction() as do:
                do.execute(
                    "DELETE FROM results WHERE digest = ? AND stage = ? AND version != ?",
                    (digest, stage, version),
                )
                for form, content in packed.items():
                    seal = checksum(digest, stage, form, version, content)
                    do.execute(
                        "INSERT OR REPLACE INTO results"
                        " (digest, stage, form, version, source, content, seal)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (digest, stage, form, version, source, content, seal),
                    )

    def forget(self, digest: str) -> None:
        """Delete all results of a content."""
        with self._database.writing(), self._database.transaction() as do:
            do.execute("DELETE FROM results WHERE digest = ?", (digest,))

    def setback(self, digest: str, version: str) -> Setback | None:
        """Why this version could not read a content, if it could not."""
        row = self._database.row_or_none(
            "SELECT count, reason, final FROM setbacks WHERE digest = ? AND version = ?",
            digest, version,
        )  # fmt: skip
        return None if row is None else Setback(row[0], row[1], bool(row[2]))

    def put_setback(self, document: Document, version: str, setback: Setback) -> None:
        """Store a setback, unless the document was deleted: perhaps that caused it."""
        self._reserve.hold()
        with self._database.writing():
            if self.document(document.id) is None:
                return
            with self._database.transaction() as do:
                do.execute(
                    "INSERT OR REPLACE INTO setbacks VALUES (?, ?, ?, ?, ?)",
                    (document.digest, version, setback.count, setback.reason, setback.final),
                )

    def extractor(self, name: str) -> SavedExtractor | None:
        """The extractor registered under this name."""
        row = self._database.row(
            "SELECT name, form, content, digest FROM extractors WHERE name = ?", name
        )
        return None if row is None else SavedExtractor(*row)

    def extractors(self) -> list[str]:
        """The names of all extractors."""
        return [
            name for (name,) in self._database.rows("SELECT name FROM extractors ORDER BY name")
        ]

    def put_extractor(self, extractor: SavedExtractor) -> bool:
        """Register an extractor, in place of one of the same name; True if the name is new."""
        self._reserve.hold(beside=3 * extractor.size)
        with self._database.writing():
            is_new = self.extractor(extractor.name) is None
            with self._database.transaction() as do:
                do.execute(
                    "INSERT OR REPLACE INTO extractors VALUES (?, ?, ?, ?)",
                    (extractor.name, extractor.form, extractor.content, extractor.digest),
                )
        return is_new

    def delete_extractor(self, name: str) -> bool:
        """Delete an extractor; False if there was none."""

        def delete() -> bool:
            with self._database.writing(), self._database.transaction() as do:
                return do.execute("DELETE FROM extractors WHERE name = ?", (name,)).rowcount > 0

        return self._reserve.freeing(delete, self._database.shrink)

    def check(self) -> None:
        """Write a little, as a document would be, and delete it."""
        if self._database.damage is not None:
            raise StoreError(self._database.damage)
        self._reserve.check()
        draft = self.draft()
        try:
            draft.write(b"check")
            draft.seal()
        finally:
            draft.discard()
        self._database.check()

    def close(self) -> None:
        """Close the database and release the folder."""
        self._database.close()
        self._claim.close()

    def _open(self, folder: Path) -> None:
        self._files = Files(folder)
        self._migrate()
        with disk():
            sync(folder)
        self._remove_orphans()

    def _migrate(self) -> None:
        with self._database.reporting():
            connection = self._database.connection()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version in _CHANGES:
                # In one transaction: a crash leaves the old format or the new one.
                connection.executescript(
                    f"BEGIN; {_CHANGES[version]} PRAGMA user_version = {_FORMAT}; COMMIT;"
                )
            elif version != _FORMAT:
                raise StoreError(
                    f"{self._database.path} has format {version}; this Rowen reads {_FORMAT}"
                )

    def _remove_orphans(self) -> None:
        """Remove files without a document: a service was killed between the two steps."""
        for start, digests in self._files.groups():
            rows = self._database.rows(
                "SELECT DISTINCT digest FROM documents WHERE digest >= ? AND digest < ?",
                start, f"{start}g",  # g comes after all hexadecimal digits
            )  # fmt: skip
            held = {digest for (digest,) in rows}
            for digest in digests:
                if digest not in held:
                    self._files.delete(digest)

    def _delete_file(self, document_id: str) -> None:
        """Delete the bytes first, where there is no room to record that they are unneeded."""
        with self._database.writing():
            row = self._database.row("SELECT digest FROM documents WHERE id = ?", document_id)
            if row is not None and self._other_holder(row[0], but=document_id) is None:
                self._files.delete(str(row[0]))

    def _delete(self, document_id: str) -> bool:
        with self._database.writing():
            row = self._database.row("SELECT digest FROM documents WHERE id = ?", document_id)
            if row is None:
                return False
            digest = str(row[0])
            holder = self._other_holder(digest, but=document_id)
            # The rows go before the file, so that a crash leaves a file that the next start
            # removes.
            with self._database.transaction() as do:
                do.execute("DELETE FROM documents WHERE id = ?", (document_id,))
                do.execute("DELETE FROM requests WHERE document = ?", (document_id,))
                if holder is None:
                    do.execute("DELETE FROM results WHERE digest = ?", (digest,))
                    do.execute("DELETE FROM setbacks WHERE digest = ?", (digest,))
                else:
                    do.execute(
                        "UPDATE results SET source = ? WHERE digest = ? AND source = ?",
                        (holder, digest, document_id),
                    )
            if holder is None:
                self._files.delete(digest)
            return True

    def _insert(self, document: Document, key: str | None) -> None:
        with self._database.transaction() as do:
            do.execute(
                "INSERT INTO documents (id, digest, media_type, size, name, created, seal, url)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (document.id, document.digest, document.media_type, document.size, document.name,
                 document.created, _document_checksum(document), document.url),
            )  # fmt: skip
            if key is not None:
                do.execute("INSERT INTO requests VALUES (?, ?)", (key, document.id))

    def _other_holder(self, digest: str, *, but: str) -> str | None:
        row = self._database.row(
            "SELECT id FROM documents WHERE digest = ? AND id != ?", digest, but
        )
        return None if row is None else str(row[0])

    def _is_whole(self, digest: str) -> bool:
        try:
            self._verified.check(self._files.path(digest), digest)
        except (FileNotFoundError, StoreError):
            return False
        return True


def _document_checksum(document: Document) -> bytes:
    return checksum(
        document.id,
        document.digest,
        document.media_type,
        str(document.size),
        document.name,
        document.created,
        # Documents of older formats have none, and checksums without it.
        *filter(None, [document.url]),
    )


def _unpacked(
    name: tuple[str, str, str, str], packed: bytes, source: str, seal: bytes | None
) -> Result | None:
    """A stored result; None where it is damaged, so that it is computed again."""
    try:
        if seal is not None and seal != checksum(*name, packed):
            raise ValueError("wrong checksum")  # noqa: TRY301  # handled like an error of zlib
        return Result(zlib.decompress(packed), source)
    except (ValueError, TypeError, zlib.error) as error:
        LOG.warning("a damaged result is computed again: %s", error)
        return None

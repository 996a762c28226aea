"""The tables of a library: a SQLite database beside the documents, which it refers to by id.

What was extracted (`contents`) and what people say (`corrections`, `tags`, `notes`) are kept apart.
Everything else is made from the two, so that a paper can be read again without losing a word of a
person's.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from rowen.files import move_file, sync
from rowen.model.errors import StoreError
from rowen.storage.documents.database import DATABASE_SECONDS, Database
from rowen.storage.documents.files import disk

FOLDER = "library"
"""The folder of a library in the data folder of a tenant."""

DATABASE = "library.sqlite3"

_LOG_BYTES = 16 * 1024 * 1024
_FORMAT = 1
_SCHEMA = """
CREATE TABLE papers (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, media_type TEXT NOT NULL, size INTEGER NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', attempts INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL DEFAULT 0, reason TEXT, fresh INTEGER NOT NULL DEFAULT 0,
    title TEXT, authors TEXT NOT NULL DEFAULT '', year TEXT, venue TEXT, language TEXT, doi TEXT,
    title_key TEXT, sort_title TEXT, sort_author TEXT, work INTEGER NOT NULL DEFAULT 0,
    fingerprint BLOB
);
CREATE TABLE texts (paper INTEGER PRIMARY KEY, shown TEXT NOT NULL, indexed BLOB);
CREATE INDEX papers_by_state ON papers (state, due, number);
CREATE INDEX papers_by_title ON papers (title_key);
CREATE INDEX papers_by_doi ON papers (doi);
CREATE INDEX papers_by_work ON papers (work);
CREATE INDEX papers_by_year ON papers (year);
CREATE INDEX papers_by_venue ON papers (venue);
CREATE INDEX papers_by_language ON papers (language);
CREATE TABLE contents (
    paper INTEGER PRIMARY KEY, version TEXT NOT NULL, read TEXT NOT NULL, content BLOB NOT NULL
);
CREATE TABLE people (paper INTEGER NOT NULL, name TEXT NOT NULL, family TEXT NOT NULL);
CREATE INDEX people_by_paper ON people (paper);
CREATE INDEX people_by_name ON people (name, paper);
CREATE TABLE tags (paper INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (paper, tag))
    WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, paper);
CREATE TABLE notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL, text TEXT NOT NULL,
    made TEXT NOT NULL
);
CREATE INDEX notes_by_paper ON notes (paper);
CREATE TABLE corrections (
    number INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL, field TEXT NOT NULL,
    raw TEXT NOT NULL, value TEXT NOT NULL, extracted TEXT NOT NULL, made TEXT NOT NULL,
    UNIQUE (paper, field, raw)
);
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL, kind TEXT NOT NULL,
    detail TEXT NOT NULL, made TEXT NOT NULL
);
CREATE INDEX events_by_paper ON events (paper);
CREATE TABLE citations (
    paper INTEGER NOT NULL, position INTEGER NOT NULL, content TEXT NOT NULL,
    corrected INTEGER NOT NULL, doi TEXT, title_key TEXT, plain TEXT NOT NULL, cited INTEGER,
    PRIMARY KEY (paper, position)
) WITHOUT ROWID;
CREATE INDEX citations_by_title ON citations (title_key);
CREATE INDEX citations_by_doi ON citations (doi);
CREATE INDEX citations_by_cited ON citations (cited);
CREATE TABLE likenesses (
    paper INTEGER NOT NULL, other INTEGER NOT NULL, kind TEXT NOT NULL, similarity REAL,
    PRIMARY KEY (paper, other)
) WITHOUT ROWID;
CREATE INDEX likenesses_by_other ON likenesses (other);
CREATE VIRTUAL TABLE words USING fts5(
    title, authors, abstract, body, cites, notes,
    content='', tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""

COLUMNS = ("title", "authors", "abstract", "body", "cites", "notes")
"""The columns that are searched, in the order of the table `words`."""


def open_tables(folder: Path) -> Database:
    """The database of a library in a tenant's data folder, created if missing."""
    place = folder / FOLDER
    with disk():
        place.mkdir(parents=True, exist_ok=True)
    database = Database(place / DATABASE, log_bytes=_LOG_BYTES)
    try:
        with database.transaction() as do:
            (written,) = do.execute("PRAGMA user_version").fetchone()
            if written == 0:
                for statement in _SCHEMA.split(";\n"):
                    do.execute(statement)
                do.execute(f"PRAGMA user_version = {_FORMAT}")
            _refuse_newer(written, place)
    except BaseException:
        database.close()
        raise
    return database


def _refuse_newer(written: int, place: Path) -> None:
    if written > _FORMAT:
        raise StoreError(f"{place} was written by a newer version of Rowen; upgrade Rowen")


def has_library(folder: Path) -> bool:
    """Whether a tenant's data folder has a library."""
    return (folder / FOLDER / DATABASE).exists()


def copy_library(folder: Path, target: Path) -> None:
    """Bring a backup of a library up to date, also while it is used; both are data folders."""
    source, copy = folder / FOLDER / DATABASE, target / FOLDER / DATABASE
    if not source.exists():
        if copy.parent.exists():
            shutil.rmtree(copy.parent)
        return
    fresh = copy.with_name(f"{DATABASE}.new")
    with disk():
        copy.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(source, timeout=DATABASE_SECONDS)) as original,
        closing(sqlite3.connect(fresh)) as written,
    ):
        original.backup(written)
        written.execute("PRAGMA journal_mode = DELETE")
    with disk():
        sync(fresh)
        for suffix in ("-wal", "-shm"):  # of the database that is replaced
            copy.with_name(f"{DATABASE}{suffix}").unlink(missing_ok=True)
        move_file(fresh, copy)

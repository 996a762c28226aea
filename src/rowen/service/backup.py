"""Backups: a copy of a data folder, also while a service uses it, that can be served as it is."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rowen.files import copy_file, move_file, sync
from rowen.model.errors import SourceError, StoreError, UsageError
from rowen.service.extension import Extension
from rowen.storage.documents.database import DATABASE_SECONDS
from rowen.storage.documents.files import Files, claim_folder, disk
from rowen.storage.documents.sqlite import DATABASE


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy has now."""

    documents: int
    files: int
    """The number of files; equal documents share one."""
    new: int
    """How many of these were copied now; the others are from an earlier backup."""


def back_up(data: Path, target: Path, extensions: Sequence[Extension] = ()) -> Copied:
    """Create a copy or bring it up to date; if interrupted, the earlier copy stays usable.

    The databases come first and then the files, which never change. So every document in the copy
    has its file, except those deleted meanwhile, which are left out. Then each extension copies
    its own data.
    """
    folders = [data, *sorted(path.parent for path in data.glob(f"*/*/{DATABASE}"))]  # tenants'
    realms = [folder for folder in folders if (folder / DATABASE).exists()]
    if not realms:
        raise SourceError(f"{data} is not the data folder of a service")
    if target.resolve() == data.resolve():
        raise UsageError("the target must differ from the data folder")
    if target.exists() and any(target.iterdir()) and not (target / DATABASE).exists():
        # Files that no document needs are deleted at the end: in a folder of the user's that could
        # be anything.
        raise UsageError(f"{target} is not empty and not a copy of a data folder")
    # A service must not start on the copy while it changes, nor a second backup.
    claim = claim_folder(target)
    try:
        copies = [_copy(folder, target / folder.relative_to(data)) for folder in realms]
        for folder in realms:
            for extension in extensions:
                extension.copy_realm(folder, target / folder.relative_to(data))
    except sqlite3.Error as error:
        raise StoreError(f"the database of {data} can't be copied: {error}") from error
    finally:
        claim.close()
    return Copied(
        sum(copy.documents for copy in copies),
        sum(copy.files for copy in copies),
        sum(copy.new for copy in copies),
    )


def _copy(folder: Path, target: Path) -> Copied:
    with disk():
        target.mkdir(parents=True, exist_ok=True)
    files = Files(target)
    fresh = target / f"{DATABASE}.new"
    with disk():
        fresh.unlink(missing_ok=True)
    with closing(_opened(folder / DATABASE)) as source, closing(_opened(fresh)) as copy:
        source.backup(copy)  # one consistent state: later writes are not in it
        new = 0
        # The files never change, so a file that is in the copy already is up to date.
        for digest in _digests(copy):
            path = files.path(digest)
            if path.exists():
                continue
            if _copy_file(folder / path.relative_to(target), path):
                new += 1
            else:
                _forget(copy, digest)
        copy.execute("PRAGMA journal_mode = DELETE")  # no separate log: one file can be renamed
        (documents,) = copy.execute("SELECT count(*) FROM documents").fetchone()
        needed = set(_digests(copy))
    with disk():
        sync(fresh)
        for suffix in ("-wal", "-shm"):  # of the database that is replaced
            (target / f"{DATABASE}{suffix}").unlink(missing_ok=True)
        move_file(fresh, target / DATABASE)
    # After the new database is in place: until then the old one may still need them.
    for _, digests in files.groups():
        for digest in digests:
            if digest not in needed:
                files.delete(digest)
    return Copied(documents, len(needed), new)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=DATABASE_SECONDS, isolation_level=None)


def _digests(copy: sqlite3.Connection) -> Iterator[str]:
    rows = copy.execute("SELECT DISTINCT digest FROM documents ORDER BY digest").fetchall()
    return (digest for (digest,) in rows)


def _forget(copy: sqlite3.Connection, digest: str) -> None:
    """Leave out a document that was deleted before its file was copied."""
    copy.execute(
        "DELETE FROM requests WHERE document IN (SELECT id FROM documents WHERE digest = ?)",
        (digest,),
    )
    for table in ("documents", "results", "setbacks"):
        copy.execute(f"DELETE FROM {table} WHERE digest = ?", (digest,))  # noqa: S608  # fixed names


def _copy_file(source: Path, target: Path) -> bool:
    """Copy a document's file; False where it was deleted meanwhile."""
    with disk():
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            copy_file(source, target)
        except FileNotFoundError:
            return False
    return True

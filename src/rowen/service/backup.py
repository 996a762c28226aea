"""A copy of a data folder that a service may use meanwhile, to be served as it is."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rowen.limits import DATABASE_SECONDS
from rowen.model.errors import SourceError, StoreError, UsageError
from rowen.service.embedded import DATABASE
from rowen.service.files import LOCK, Files, claim_folder, disk, sync_folder
from rowen.service.realms import STUDIO
from rowen.studio.project import HISTORY


@dataclass(frozen=True, slots=True)
class Copied:
    """What there is in a copy now."""

    documents: int
    files: int
    """How many contents; equal documents share one."""
    new: int
    """How many of these had to be copied: the others were there from the time before."""


def back_up(data: Path, target: Path) -> Copied:
    """Bring a copy up to date, or make it; what is killed meanwhile leaves the one before.

    First the databases and then the files, which never change: so every document in the copy has
    its file, but those that were deleted meanwhile, which are left out. Projects of the studio
    are copied likewise.
    """
    folders = [data, *sorted(path.parent for path in data.glob(f"*/*/{DATABASE}"))]  # tenants'
    found = [folder for folder in folders if (folder / DATABASE).exists()]
    if not found:
        raise SourceError(f"{data} is no data folder of a service")
    if target.resolve() == data.resolve():
        raise UsageError("a folder can't be a copy of itself")
    if target.exists() and any(target.iterdir()) and not (target / DATABASE).exists():
        raise UsageError(f"{target} has something else in it")
    claim = claim_folder(target)
    try:
        copies = [_copy(folder, target / folder.relative_to(data)) for folder in found]
        for folder in found:
            _copy_projects(folder / STUDIO, target / folder.relative_to(data) / STUDIO)
    except sqlite3.Error as error:
        raise StoreError(f"the database of {data} can't be copied: {error}") from error
    finally:
        claim.close()
    return Copied(
        sum(one.documents for one in copies),
        sum(one.files for one in copies),
        sum(one.new for one in copies),
    )


def _copy(folder: Path, target: Path) -> Copied:
    with disk():
        target.mkdir(parents=True, exist_ok=True)
    ours = Files(target)
    fresh = target / f"{DATABASE}.new"
    with disk():
        fresh.unlink(missing_ok=True)
    with closing(_opened(folder / DATABASE)) as source, closing(_opened(fresh)) as copy:
        source.backup(copy)  # in one piece: what is written meanwhile is not in it
        new = 0
        for digest in _digests(copy):
            path = ours.path(digest)
            if path.exists():
                continue
            if _copy_file(folder / path.relative_to(target), path):
                new += 1
            else:
                _forget(copy, digest)
        copy.execute("PRAGMA journal_mode = DELETE")  # all of it in one file, to be renamed
        (documents,) = copy.execute("SELECT count(*) FROM documents").fetchone()
        wanted = set(_digests(copy))
    with disk():
        _sync(fresh)
        for left in ("-wal", "-shm"):  # of the database that this one takes the place of
            (target / f"{DATABASE}{left}").unlink(missing_ok=True)
        fresh.rename(target / DATABASE)
        sync_folder(target)
    for _, digests in ours.groups():
        for digest in digests:
            if digest not in wanted:
                ours.delete(digest)
    return Copied(documents, len(wanted), new)


def _copy_projects(folder: Path, target: Path) -> None:
    """The studio's projects, each first by its history: what that names was there before it."""
    found = {path.parent for path in folder.glob(f"*/{HISTORY}")}
    for project in sorted(found):
        others = (path for path in sorted(project.rglob("*")) if path.is_file())
        for path in (project / HISTORY, *others):
            copy = target / path.relative_to(folder)
            if path.name != LOCK and not (path.name != HISTORY and _is_same(path, copy)):
                _copy_file(path, copy)
    for copy in sorted(target.glob("*")):
        if folder / copy.name not in found:
            shutil.rmtree(copy)


def _is_same(path: Path, copy: Path) -> bool:
    """As far as sizes and times tell; a file of a project is replaced, never written to."""
    try:
        known = copy.stat()
        return known.st_size == path.stat().st_size and known.st_mtime >= path.stat().st_mtime
    except FileNotFoundError:
        return False


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=DATABASE_SECONDS, isolation_level=None)


def _digests(copy: sqlite3.Connection) -> Iterator[str]:
    rows = copy.execute("SELECT DISTINCT digest FROM documents ORDER BY digest").fetchall()
    return (digest for (digest,) in rows)


def _forget(copy: sqlite3.Connection, digest: str) -> None:
    """Leave out what was deleted between the copying of the database and of its file."""
    copy.execute(
        "DELETE FROM requests WHERE document IN (SELECT id FROM documents WHERE digest = ?)",
        (digest,),
    )
    for table in ("documents", "results", "setbacks"):
        copy.execute(f"DELETE FROM {table} WHERE digest = ?", (digest,))  # noqa: S608  # fixed names


def _copy_file(source: Path, target: Path) -> bool:
    """Whole or not at all; whether it was still there."""
    draft = target.with_name(f"{target.name}.new")
    with disk():
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, draft)
        except FileNotFoundError:
            draft.unlink(missing_ok=True)
            return False
        _sync(draft)
        draft.rename(target)
        sync_folder(target.parent)
    return True


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

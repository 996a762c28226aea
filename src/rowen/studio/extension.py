"""The studio as an extension of the service: its routes, its projects and their backup."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter

from rowen.files import copy_file
from rowen.storage.documents.files import disk
from rowen.studio.fetching import Reach
from rowen.studio.project import HISTORY, LOCK
from rowen.studio.projects import Projects
from rowen.studio.routes import data, managing, papers, projects, publishing, windows
from rowen.studio.studio import Studio
from rowen.studio.workspace import NAME, Workspace


class StudioExtension:
    """The studio for `rowen.service`; no process starts before somebody learns something."""

    name = NAME
    routers: Sequence[APIRouter] = (
        windows.router,
        projects.router,
        managing.router,
        data.router,
        publishing.router,
        papers.router,
    )
    public_paths = frozenset({"/studio", "/studio/"})
    public_folders: tuple[str, ...] = ("/studio/static/",)

    def __init__(self, *, fetch: Reach | None = None) -> None:
        """`fetch` says where pages may be fetched from."""
        self._studio = Studio(fetch=fetch)

    def has_work(self, folder: Path) -> bool:  # noqa: ARG002  # the protocol of extensions
        """Nothing is done in the background."""
        return False

    def open_realm(self, folder: Path) -> Workspace:
        """The projects in a tenant's data folder."""
        return Workspace(self._studio, Projects(folder / NAME))

    def copy_realm(self, folder: Path, target: Path) -> None:
        """Copy the projects to a backup; files that it has already are not copied again."""
        source, copies = folder / NAME, target / NAME
        folders = {path.parent for path in source.glob(f"*/{HISTORY}")}
        for project in sorted(folders):
            content = (path for path in sorted(project.rglob("*")) if path.is_file())
            # The history comes first: pages and versions that are added meanwhile are extra files
            # in the copy, but no line of the history names a file that the copy lacks.
            for path in (project / HISTORY, *content):
                copy = copies / path.relative_to(source)
                if path.name != LOCK and not (path.name != HISTORY and _is_same(path, copy)):
                    _copy(path, copy)
        # Projects that were deleted since the last backup.
        for copy in sorted(copies.glob("*")):
            if source / copy.name not in folders:
                shutil.rmtree(copy)

    def close(self) -> None:
        """End the studio's processes and threads."""
        self._studio.close()


def _copy(path: Path, copy: Path) -> None:
    """Copy a file, unless it was deleted since it was listed."""
    with disk():
        copy.parent.mkdir(parents=True, exist_ok=True)
        try:
            copy_file(path, copy)
        except FileNotFoundError:
            return


def _is_same(path: Path, copy: Path) -> bool:
    """Whether sizes and times agree; a project's file is replaced, never written to in place."""
    try:
        copied = copy.stat()
        return copied.st_size == path.stat().st_size and copied.st_mtime >= path.stat().st_mtime
    except FileNotFoundError:
        return False

"""All projects of a tenant: the folders in a folder."""

import re
import shutil
from pathlib import Path
from threading import Lock

from rowen.model.errors import UsageError
from rowen.studio.order import in_order
from rowen.studio.project import PUBLISHED, Project, write
from rowen.studio.published import Published

STUDIO_PROJECTS = 10_000
"""Limit: how many projects a tenant may have."""


# A name is a folder's name: no separators, no leading dot, nothing that leads out of the folder.
_NAME = re.compile(r"(?!\.)[\w.@+-][\w .@+-]{0,99}(?<! )")


class Projects:
    """Projects by name, each opened once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Project] = {}
        self._lock = Lock()

    def names(self) -> list[str]:
        """The names of all projects."""
        if not self.folder.exists():
            return []
        return in_order(
            folder.name
            for folder in self.folder.iterdir()
            if (folder / "pages").is_dir() and not folder.name.startswith(".")
        )

    def published(self, name: str) -> Published:
        """The published versions of a project, which need not be open."""
        return Published(self.folder / name / PUBLISHED, write)

    def create(self, name: str) -> Project:
        """Create a project; UsageError if the name is taken or invalid."""
        with self._lock:
            self._require_free(name)
            return self._opened(name)

    def get(self, name: str) -> Project | None:
        """The project with this name."""
        with self._lock:
            project = self._open.get(name)
            exists = _NAME.fullmatch(name) and (self.folder / name / "pages").is_dir()
            if project is None and exists:
                project = self._opened(name)
            return project

    def is_open(self, project: Project) -> bool:
        """Whether a project is still the one of its name."""
        return self._open.get(project.name) is project

    def rename(self, name: str, new: str) -> None:
        """Rename a project; UsageError if there is none, or if the new name is taken or invalid."""
        project = self._existing(name)
        with self._lock:
            self._require_free(new)
            self._open.pop(name, None)
            project.close()
            project.folder.rename(self.folder / new)

    def copy(self, name: str, new: str) -> None:
        """Copy a project with all its files under a new name."""
        project = self._existing(name)
        with self._lock:
            self._require_free(new)
            # Under a name that is no project's, so that a crash leaves no half of one.
            unfinished = self.folder / f".{new}.copy"
            shutil.rmtree(unfinished, ignore_errors=True)
            with project.paused():
                shutil.copytree(project.folder, unfinished)
            unfinished.rename(self.folder / new)

    def delete(self, name: str) -> bool:
        """Delete a project with all its files; False if there is none."""
        project = self.get(name)
        if project is None:
            return False
        with self._lock:
            self._open.pop(name, None)
            project.close()
            shutil.rmtree(project.folder)
        return True

    def close(self) -> None:
        """Close all projects."""
        with self._lock:
            for project in self._open.values():
                project.close()
            self._open.clear()

    def _existing(self, name: str) -> Project:
        project = self.get(name)
        if project is None:
            raise UsageError(f"project {name!r} not found")
        return project

    def _require_free(self, name: str) -> None:
        """Refuse a name that is invalid or taken, and one project too many."""
        _check(name)
        if (self.folder / name).exists():
            raise UsageError(f"a project {name!r} exists already")
        if len(self.names()) >= STUDIO_PROJECTS:
            raise UsageError(f"there may be at most {STUDIO_PROJECTS} projects")

    def _opened(self, name: str) -> Project:
        project = self._open[name] = Project(self.folder / name)
        return project


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            "the name of a project may have letters, digits, spaces and . @ + - _, and must not "
            "start with a space or a dot"
        )

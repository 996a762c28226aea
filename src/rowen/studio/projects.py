"""All projects of a studio: the folders in a folder."""

import re
import shutil
from pathlib import Path
from threading import Lock

from rowen.limits import STUDIO_PROJECTS
from rowen.model.errors import UsageError
from rowen.studio.project import Project

_NAME = re.compile(r"(?!\.)[\w.@+-][\w .@+-]{0,99}(?<! )")


class Projects:
    """Projects by their names, each opened once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, Project] = {}
        self._lock = Lock()

    def names(self) -> list[str]:
        """What projects there are."""
        if not self._folder.exists():
            return []
        return sorted(one.name for one in self._folder.iterdir() if (one / "pages").is_dir())

    def create(self, name: str) -> Project:
        """A new project; UsageError where there is one of that name."""
        _check(name)
        with self._lock:
            if (self._folder / name).exists():
                raise UsageError(f"a project {name!r} is there already")
            if len(self.names()) >= STUDIO_PROJECTS:
                raise UsageError(f"a studio keeps at most {STUDIO_PROJECTS} projects")
            return self._opened(name)

    def get(self, name: str) -> Project | None:
        """The project of that name."""
        with self._lock:
            found = self._open.get(name)
            if found is None and _NAME.fullmatch(name) and (self._folder / name / "pages").is_dir():
                found = self._opened(name)
            return found

    def delete(self, name: str) -> bool:
        """Delete a project with all that it has."""
        project = self.get(name)
        if project is None:
            return False
        with self._lock:
            self._open.pop(name, None)
            project.close()
            shutil.rmtree(project.folder)
        return True

    def close(self) -> None:
        """Let go of all."""
        with self._lock:
            for project in self._open.values():
                project.close()
            self._open.clear()

    def _opened(self, name: str) -> Project:
        project = self._open[name] = Project(self._folder / name)
        return project


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            "a project's name has letters, digits, spaces and . @ + - _, and begins with none of "
            "space and point"
        )

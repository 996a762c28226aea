"""What an agent may read: files in the folders that were allowed, and the Web if it was allowed."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rowen.model.errors import UsageError

AGENT_FILES = 10_000
"""Limit: how many entries a folder may have that a tool reads: all links in it are checked."""


class Permissions:
    """The folders that tools may read, and whether they may fetch pages."""

    def __init__(self, folders: Iterable[str | os.PathLike[str]] = ()) -> None:
        self.folders = tuple(_folder(Path(folder)) for folder in folders)

    def path(self, name: str) -> Path:
        """The real path of a name, which may be relative to an allowed folder; else UsageError.

        Links are followed before the path is compared, so that none leads out. Nothing is said of
        what is outside, not even whether it exists.
        """
        if "\0" not in name:
            for folder in self.folders:
                try:
                    real = (folder / name).resolve(strict=True)
                except (OSError, RuntimeError):
                    continue
                if self._allows(real):
                    for link in _links(real):
                        if not self._allows(link.resolve()):
                            raise UsageError(f"{name}: {link.name} is a link out of the folder")
                    return real
        raise UsageError(f"{name!r} is not in a folder that may be read: {self}")

    def _allows(self, real: Path) -> bool:
        return any(real.is_relative_to(folder) for folder in self.folders)

    def __str__(self) -> str:
        return ", ".join(map(str, self.folders)) or "none was allowed, so pass pages as texts"


def _folder(path: Path) -> Path:
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', error)}") from None
    if not real.is_dir():
        raise UsageError(f"{path} is not a folder")
    return real


def _links(real: Path) -> Iterator[Path]:
    """The links in a folder, and in those below it."""
    if not real.is_dir():
        return
    count = 0
    for folder, folders, files in os.walk(real):
        for name in (*folders, *files):
            count += 1
            if count > AGENT_FILES:
                raise UsageError(f"{real.name} has more than {AGENT_FILES:,} entries")
            path = Path(folder, name)
            if path.is_symlink():
                yield path

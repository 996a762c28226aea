"""New pages of a site, to check whether a published wrapper still fits."""

import shutil
from collections.abc import Callable
from pathlib import Path

from rowen.model.errors import UsageError

STUDIO_PAGES = 1_000
"""Limit: how many pages a project may have. Each change extracts from all of them."""


MORE_PAGES = 5_000
"""Limit: on how many more pages the studio runs a wrapper; `rowen extract` has no such limit."""


class Visit:
    """A folder of pages that are not part of the project."""

    def __init__(
        self,
        folder: Path,
        write: Callable[[Path, bytes], None],
        *,
        most: int = STUDIO_PAGES,
    ) -> None:
        self._folder = folder
        self._write = write
        self._most = most

    def paths(self) -> dict[str, Path]:
        """The files of the pages by name."""
        if not self._folder.is_dir():
            return {}
        return {path.name: path.absolute() for path in sorted(self._folder.iterdir())}

    def add(self, name: str, content: bytes) -> None:
        """Add a page, in place of one of the same name."""
        if len(self.paths()) >= self._most:
            raise UsageError(f"at most {self._most:,} pages can be added here")
        self._write(self._folder / name, content)

    def clear(self) -> None:
        """Remove all pages."""
        shutil.rmtree(self._folder, ignore_errors=True)

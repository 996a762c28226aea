"""New pages of a site, to see whether a published wrapper still fits them."""

import shutil
from collections.abc import Callable
from pathlib import Path

from rowen.limits import STUDIO_PAGES
from rowen.model.errors import UsageError


class Visit:
    """A folder of pages that are no part of the project yet."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder = folder
        self._write = write

    def paths(self) -> dict[str, Path]:
        """The pages' files by their names."""
        if not self._folder.is_dir():
            return {}
        return {path.name: path.absolute() for path in sorted(self._folder.iterdir())}

    def add(self, name: str, content: bytes) -> None:
        """Keep a page, in place of one of the same name."""
        if len(self.paths()) >= STUDIO_PAGES:
            raise UsageError(f"at most {STUDIO_PAGES} pages are looked at together")
        self._write(self._folder / name, content)

    def clear(self) -> None:
        """Forget all of them."""
        shutil.rmtree(self._folder, ignore_errors=True)

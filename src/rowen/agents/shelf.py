"""The wrappers of an agent's session by their names, in a folder or in memory."""

import os
import re
from pathlib import Path

from rowen.files import write_file
from rowen.model.errors import InputError, StoreError, UsageError

AGENT_WRAPPERS = 1_000
"""Limit: how many wrappers are kept for agents, so that one that repeats itself fills no disk."""

SHELF_BYTES = 16 * 1024 * 1024
"""Limit: the size of a wrapper's file that is read for an agent."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class Shelf:
    """Wrappers by name. Those of a folder are files, `NAME.json`, for all commands of Rowen."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self._folder = None if folder is None else Path(folder)
        self._kept: dict[str, str] = {}
        if self._folder is not None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"can't use {folder} for wrappers: {error.strerror}") from None

    def names(self) -> list[str]:
        """The names of all wrappers."""
        if self._folder is None:
            return sorted(self._kept)
        files = (path for path in self._folder.glob("*.json") if path.is_file())
        return sorted(path.stem for path in files if _NAME.fullmatch(path.stem))

    def get(self, name: str) -> str:
        """The definition of a wrapper, as JSON."""
        check_name(name)
        if name not in self.names():
            known = ", ".join(self.names()) or "none yet: learn makes one"
            raise InputError(f"there is no wrapper {name!r}; there are {known}")
        if self._folder is None:
            return self._kept[name]
        path = self._folder / f"{name}.json"
        try:
            if path.stat().st_size > SHELF_BYTES:
                raise InputError(f"the wrapper {name!r} is larger than {SHELF_BYTES:,} bytes")
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the wrapper {name!r} can't be read: {error}") from None

    def put(self, name: str, definition: str) -> None:
        """Keep a wrapper; one of the same name is replaced."""
        check_name(name)
        names = self.names()
        if name not in names and len(names) >= AGENT_WRAPPERS:
            raise UsageError(f"there are {AGENT_WRAPPERS:,} wrappers already")
        if self._folder is None:
            self._kept[name] = definition
            return
        try:
            write_file(self._folder / f"{name}.json", f"{definition}\n".encode())
        except OSError as error:
            raise StoreError(f"can't write the wrapper {name!r}: {error.strerror}") from None


def check_name(name: str) -> None:
    """Refuse names that could be paths."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} can't be the name of a wrapper: use up to 64 letters, digits, '_', '-', '.'"
        )

"""The history of a project: one line per action, with undo and redo."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.studio.actions import Action, read_action, written
from rowen.studio.state import State

UNDO, REDO = {"do": "undo"}, {"do": "redo"}


class History:
    """The states of a project, saved in a file that only grows.

    The revision counts the lines of the file, so that two states never have the same revision.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._past: list[tuple[str, State]] = []
        self._future: list[tuple[str, State]] = []
        self.state = State()
        self.revision = 0
        for line in _lines(path):
            self._replay(line)

    @property
    def undoable(self) -> str | None:
        """The name of the action that would be undone."""
        return self._past[-1][0] if self._past else None

    @property
    def redoable(self) -> str | None:
        """The name of the action that would be redone."""
        return self._future[-1][0] if self._future else None

    def do(self, action: Action, check: Callable[[State], None]) -> None:
        """Apply an action, unless `check` raises an error for the state after it."""
        # In this order: a line is written only for a valid action, and shown only when written.
        following = action.apply(self.state)
        check(following)
        self._write(written(action))
        self._step(action.told, following)

    def undo(self) -> None:
        """Undo the last action."""
        if not self._past:
            raise UsageError("there is nothing to undo")
        self._write(UNDO)
        self._back()

    def redo(self) -> None:
        """Redo the action that was undone last."""
        if not self._future:
            raise UsageError("there is nothing to redo")
        self._write(REDO)
        self._forth()

    def _replay(self, line: dict[str, Any]) -> None:
        try:
            if line == UNDO:
                self._back()
            elif line == REDO:
                self._forth()
            else:
                action = read_action(line)
                self._step(action.told, action.apply(self.state))
        except (UsageError, IndexError) as error:  # IndexError: an undo with nothing to undo
            raise StoreError(f"{self._path} is damaged at line {self.revision + 1}") from error
        self.revision += 1

    def _step(self, name: str, following: State) -> None:
        # States are values that share their parts, so keeping all of them is cheap.
        self._past.append((name, self.state))
        self._future.clear()
        self.state = following

    def _back(self) -> None:
        name, before = self._past.pop()
        self._future.append((name, self.state))
        self.state = before

    def _forth(self) -> None:
        name, after = self._future.pop()
        self._past.append((name, self.state))
        self.state = after

    def _write(self, line: dict[str, Any]) -> None:
        """Write a whole line to disk; on a full disk, nothing of it."""
        text = json.dumps(line, separators=(",", ":"))  # ASCII with escapes: lone surrogates too
        try:
            with self._path.open("ab") as file:
                size = file.tell()
                try:
                    file.write(text.encode() + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    # Half a line would make the next one unreadable.
                    file.truncate(size)
                    raise
        except OSError as error:
            raise OutputError(f"can't save the change: {error.strerror}") from None
        self.revision += 1


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a history; an incomplete last line, left by a power failure, is removed."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"can't read {path}: {error.strerror}") from None
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)
    for number, line in enumerate(content[:whole].splitlines(), 1):
        try:
            entry = json.loads(line)
        except ValueError:
            raise StoreError(f"{path} is damaged at line {number}") from None
        if not isinstance(entry, dict):
            raise StoreError(f"{path} is damaged at line {number}")
        yield entry

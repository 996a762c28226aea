"""All that was done to a project, a line each; what is undone can be redone."""

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
    """The states that a project went through, kept in a file that only grows.

    The revision counts the lines, so that it never has the same number for two states.
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
        """What would be undone, in the person's words."""
        return self._past[-1][0] if self._past else None

    @property
    def redoable(self) -> str | None:
        """What would be redone."""
        return self._future[-1][0] if self._future else None

    def do(self, action: Action, check: Callable[[State], None]) -> None:
        """Go on to the next state, unless the check of it raises."""
        following = action.apply(self.state)
        check(following)
        self._write(written(action))
        self._step(action.told, following)

    def undo(self) -> None:
        """Go back."""
        if not self._past:
            raise UsageError("there is nothing to undo")
        self._write(UNDO)
        self._back()

    def redo(self) -> None:
        """Do again what was undone last."""
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
        except (UsageError, IndexError) as error:
            raise StoreError(f"{self._path} is damaged at line {self.revision + 1}") from error
        self.revision += 1

    def _step(self, told: str, following: State) -> None:
        self._past.append((told, self.state))
        self._future.clear()
        self.state = following

    def _back(self) -> None:
        told, before = self._past.pop()
        self._future.append((told, self.state))
        self.state = before

    def _forth(self) -> None:
        told, after = self._future.pop()
        self._past.append((told, self.state))
        self.state = after

    def _write(self, line: dict[str, Any]) -> None:
        """Bring a line to disk whole; where there is no room, nothing of it stays."""
        text = json.dumps(line, separators=(",", ":"))  # in ASCII, which holds anything
        try:
            with self._path.open("ab") as file:
                size = file.tell()
                try:
                    file.write(text.encode() + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(size)
                    raise
        except OSError as error:
            raise OutputError(f"can't keep what was done: {error.strerror}") from None
        self.revision += 1


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """What was done; a last line that was cut off when the power failed is taken away."""
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
            given = json.loads(line)
        except ValueError:
            raise StoreError(f"{path} is damaged at line {number}") from None
        if not isinstance(given, dict):
            raise StoreError(f"{path} is damaged at line {number}")
        yield given

"""The published versions of a project's wrapper, each with the labels that test it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rowen.model.errors import UsageError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_FILE = re.compile(rf"(\d+)-({NAME.pattern})\.json")


@dataclass(frozen=True, slots=True)
class Version:
    """A published wrapper: a file for `rowen extract`, with a file of labels for `rowen learn`."""

    number: int
    name: str
    path: Path

    @property
    def created(self) -> str:
        """When it was published, in UTC (ISO 8601)."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).isoformat(timespec="seconds")

    def definition(self) -> str:
        """The content of the file."""
        return self.path.read_text("utf-8")


class Published:
    """A folder of versions; none is ever deleted."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder = folder
        self._write = write

    @property
    def versions(self) -> list[Version]:
        """All versions, oldest first."""
        if not self._folder.is_dir():
            return []
        matches = ((_FILE.fullmatch(path.name), path) for path in self._folder.iterdir())
        return sorted(
            (Version(int(match[1]), match[2], path) for match, path in matches if match),
            key=lambda version: version.number,
        )

    @property
    def last(self) -> Version | None:
        """The newest version."""
        return next(iter(self.versions[::-1]), None)

    def get(self, number: int) -> Version | None:
        """The version with this number."""
        return next((version for version in self.versions if version.number == number), None)

    def add(self, name: str, definition: str, labels: Iterable[str]) -> Version:
        """Add a version; its labels are written first."""
        if not NAME.fullmatch(name):
            raise UsageError(
                "a published name may have letters, digits, dots, dashes and underscores, and must "
                "start with a letter or a digit"
            )
        number = 1 + (0 if self.last is None else self.last.number)
        path = self._folder / f"{number}-{name}.json"
        tests = "".join(f"{line}\n" for line in labels)
        # A crash in between leaves labels without a wrapper, which `versions` ignores.
        self._write(path.with_suffix(".labels.jsonl"), tests.encode("utf-8", "backslashreplace"))
        self._write(path, definition.encode("utf-8", "backslashreplace"))
        return Version(number, name, path)

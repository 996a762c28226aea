"""The versions of a project's wrapper that were published, each with the pages that test it."""

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
    """A wrapper's file, as `rowen extract` takes it, and beside it labels for `rowen learn`."""

    number: int
    name: str
    path: Path

    @property
    def created(self) -> str:
        """When it was published, in UTC (ISO 8601)."""
        return datetime.fromtimestamp(self.path.stat().st_mtime, UTC).isoformat(timespec="seconds")

    def definition(self) -> str:
        """The wrapper as it was saved."""
        return self.path.read_text("utf-8")


class Published:
    """A folder of versions, which only grows."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder = folder
        self._write = write

    @property
    def versions(self) -> list[Version]:
        """All, the first one first."""
        if not self._folder.is_dir():
            return []
        found = ((_FILE.fullmatch(path.name), path) for path in self._folder.iterdir())
        return sorted(
            (Version(int(match[1]), match[2], path) for match, path in found if match),
            key=lambda version: version.number,
        )

    @property
    def last(self) -> Version | None:
        """The newest one."""
        return next(iter(self.versions[::-1]), None)

    def get(self, number: int) -> Version | None:
        """The version of that number."""
        return next((one for one in self.versions if one.number == number), None)

    def add(self, name: str, definition: str, labels: Iterable[str]) -> Version:
        """Keep one version more; its tests are there before it is."""
        if not NAME.fullmatch(name):
            raise UsageError(
                "a published name has letters, digits, dots, dashes and underscores, and begins "
                "with a letter or a digit"
            )
        number = 1 + (0 if self.last is None else self.last.number)
        path = self._folder / f"{number}-{name}.json"
        tests = "".join(f"{line}\n" for line in labels)
        self._write(path.with_suffix(".labels.jsonl"), tests.encode("utf-8", "backslashreplace"))
        self._write(path, definition.encode("utf-8", "backslashreplace"))
        return Version(number, name, path)

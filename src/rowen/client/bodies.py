"""Documents on their way out: read while they are sent, and again where that must be."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from rowen.model.errors import SourceError

Source: TypeAlias = str | Path | bytes | BinaryIO
"""A path, a content, or a file that is open for reading bytes."""


class Body:
    """What is sent with a request."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._start = 0
        self.repeatable = True
        """Whether it can be sent a second time."""
        if not isinstance(source, str | Path | bytes):
            self.repeatable = source.seekable()
            self._start = source.tell() if self.repeatable else 0

    @property
    def name(self) -> str:
        """The file's own, where it has one."""
        given = self._source
        if isinstance(given, bytes):
            return ""
        path = given if isinstance(given, str | Path) else getattr(given, "name", "")
        return Path(path).name if isinstance(path, str | Path) else ""

    @contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, int | None]]:
        """A file at its beginning, and how many bytes there are where that is known."""
        given = self._source
        if isinstance(given, bytes):
            yield io.BytesIO(given), len(given)
        elif isinstance(given, str | Path):
            try:
                file = Path(given).open("rb")  # noqa: SIM115  # closed below
            except OSError as error:
                raise SourceError(f"can't read {given}: {error.strerror}") from None
            with file:
                yield file, os.fstat(file.fileno()).st_size
        elif self.repeatable:
            end = given.seek(0, os.SEEK_END)
            given.seek(self._start)
            yield given, end - self._start
        else:
            yield given, None

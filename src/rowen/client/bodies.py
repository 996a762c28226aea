"""Request bodies: documents that are read while they are sent, and again for a retry."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from rowen.model.errors import SourceError

Source: TypeAlias = str | Path | bytes | BinaryIO
"""A path, the bytes, or a file that is open for reading bytes."""


class Body:
    """The body of a request."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._start = 0
        self.repeatable = True
        """Whether it can be sent again."""
        if not isinstance(source, str | Path | bytes):
            self.repeatable = source.seekable()
            # A caller's file may be read from its middle; a retry starts there again.
            self._start = source.tell() if self.repeatable else 0

    @property
    def name(self) -> str:
        """The name of the file, if it has one."""
        source = self._source
        if isinstance(source, bytes):
            return ""
        path = source if isinstance(source, str | Path) else getattr(source, "name", "")
        return Path(path).name if isinstance(path, str | Path) else ""

    @contextmanager
    def opened(self) -> Iterator[tuple[BinaryIO, int | None]]:
        """A file at its start, and its size if that is known."""
        source = self._source
        if isinstance(source, bytes):
            yield io.BytesIO(source), len(source)
        elif isinstance(source, str | Path):
            try:
                file = Path(source).open("rb")  # noqa: SIM115  # closed below
            except OSError as error:
                raise SourceError(f"can't read {source}: {error.strerror}") from None
            with file:
                yield file, os.fstat(file.fileno()).st_size
        elif self.repeatable:
            end = source.seek(0, os.SEEK_END)
            source.seek(self._start)
            yield source, end - self._start
        else:
            yield source, None

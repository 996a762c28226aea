"""A document as a file descriptor: the only file that a worker ever sees."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from rowen.model.errors import DocumentError

File: TypeAlias = Path | bytes
"""A document: its path or its content."""


@contextmanager
def opened(file: File | None, *, name: str) -> Iterator[int | None]:
    """A descriptor to read a document from; DocumentError where that is not possible."""
    if file is None:
        yield None
        return
    descriptor = _in_memory(file) if isinstance(file, bytes) else _on_disk(file, name)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _on_disk(path: Path, name: str) -> int:
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
        )  # opening a pipe would block
    except FileNotFoundError as error:
        raise DocumentError(name, "can't open it: not a file") from error
    except OSError as error:
        raise DocumentError(name, f"can't open it: {error.strerror}") from error
    # fstat of the open file: checking the path first would leave time to exchange it.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DocumentError(name, "can't open it: not a file")
    return descriptor


def _in_memory(content: bytes) -> int:
    """A file without a name, opened a second time for reading only: the worker can't change it."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return os.open(f"/dev/fd/{file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)

"""A document as a descriptor: all that a worker ever sees of the files of this machine."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from rowen.model.errors import DocumentError

File: TypeAlias = Path | bytes
"""A document: where it is, or what it holds."""


@contextmanager
def opened(file: File | None, *, name: str) -> Iterator[int | None]:
    """A descriptor to read a document from; DocumentError where it is no file that can be read."""
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
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe would wait
    except FileNotFoundError as error:
        raise DocumentError(name, "can't open it: it is no file") from error
    except OSError as error:
        raise DocumentError(name, f"can't open it: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise DocumentError(name, "can't open it: it is no file")
    return descriptor


def _in_memory(content: bytes) -> int:
    """A file without a name; the worker gets a descriptor that can't write to it."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return os.open(f"/dev/fd/{file.fileno()}", os.O_RDONLY | os.O_CLOEXEC)

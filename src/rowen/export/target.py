"""Where output goes: a file that appears complete or not at all, a pipe, or standard output.

A file is written under a temporary name and renamed at the end. So a crash, a full disk or Ctrl-C
never leaves half a file that a later step takes for the whole, and the old file stays until then.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Protocol, TypeAlias

from rowen.files import AtomicFile
from rowen.model import OutputError

Destination: TypeAlias = str | os.PathLike[str] | BinaryIO | None
"""What callers pass: a path, an open binary file, or None for standard output."""

_DESCRIPTOR = re.compile(
    r"/dev/(?:std(?P<name>out|err)|fd/(?P<device>\d+))|/proc/self/fd/(?P<proc>\d+)"
)


class Target(Protocol):
    """An output that is either committed or abandoned.

    Every failure is an `OutputError`, except a closed pipe: `BrokenPipeError` reaches the caller,
    because `| head` is no failure.
    """

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end."""

    def commit(self) -> None:
        """Make the output permanent: everything is written."""

    def abandon(self) -> None:
        """Drop the output as far as possible after a failure; raise nothing."""


def open_target(destination: Destination) -> Target:
    """Open at once, so that a place that can't be written is reported before any work is done."""
    if destination is None:
        sys.stdout.flush()
        return StreamTarget(sys.stdout.buffer, "standard output", owned=False)
    if not isinstance(destination, str | os.PathLike):
        return StreamTarget(destination, str(getattr(destination, "name", "output")), owned=False)
    path = os.fspath(destination)
    if "\0" in path or path.endswith("/") or not path:
        raise OutputError(f"can't write {path!r}: it is not the name of a file")
    with reporting(path):
        # Opening /dev/stdout again would truncate the file that the shell appends to (`>> log`).
        if named := _DESCRIPTOR.fullmatch(path):
            number = named["device"] or named["proc"] or {"out": 1, "err": 2}[named["name"]]
            return StreamTarget(os.fdopen(os.dup(int(number)), "wb"), path, owned=True)
        mode = _mode_of(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise OutputError(f"can't write {path}: it is a folder")
        # A device or a named pipe can't be replaced by a file.
        if mode is not None and not stat.S_ISREG(mode):
            return StreamTarget(Path(path).open("wb"), path, owned=True)
        return FileTarget(path, mode=mode)


@contextmanager
def writing(destination: Destination) -> Iterator[Target]:
    """An open target that is committed at the end, or abandoned after an exception."""
    target = open_target(destination)
    try:
        yield target
    except BaseException:
        target.abandon()
        raise
    target.commit()


class StreamTarget:
    """A pipe, a device or standard output: what is written can't be taken back."""

    def __init__(self, file: BinaryIO, name: str, *, owned: bool) -> None:
        self._file = file
        self._name = name
        self._owned = owned
        self._watched = file.isatty()

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end; a terminal shows them at once."""
        try:
            self._file.write(data)
            if self._watched:
                self._file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _complaint(self._name, error) from error

    def commit(self) -> None:
        """Flush, and close what was opened here."""
        try:
            with reporting(self._name):
                self._file.flush()
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close what was opened here."""
        if self._owned:
            with suppress(OSError):
                self._file.close()


class FileTarget:
    """A regular file, written under a temporary name in its folder and renamed when complete.

    Symbolic links are followed: their target is replaced. The file keeps its permissions.
    """

    def __init__(self, path: str, *, mode: int | None) -> None:
        self._name = path
        self._path = Path(os.path.realpath(path))
        if not self._path.parent.is_dir():
            raise OutputError(f"can't write {path}: the folder {self._path.parent} does not exist")
        if mode is not None and not os.access(self._path, os.W_OK):
            raise OutputError(f"can't write {path}: the file is not writable")
        # In the same folder: a rename is atomic only within one file system.
        temporary = self._path.with_name(f".rowen-{token_hex(8)}.tmp")
        self._output = AtomicFile(self._path, temporary=temporary)
        if mode is not None:
            os.fchmod(self._output.file.fileno(), stat.S_IMODE(mode))

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end of the temporary file."""
        try:
            self._output.file.write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _complaint(self._name, error) from error

    def commit(self) -> None:
        """Replace the old file with the complete one, durably."""
        with reporting(self._name):
            self._output.commit()

    def abandon(self) -> None:
        """Remove the temporary file; the old file stays."""
        self._output.abandon()


@contextmanager
def reporting(name: str) -> Iterator[None]:
    """Turn system errors into an `OutputError` about the output `name`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _complaint(name, error) from error


def _complaint(name: str, error: OSError) -> OutputError:
    reason = error.strerror or str(error)
    return OutputError(f"can't write {name}: {reason[:1].lower()}{reason[1:]}")


def _mode_of(path: str) -> int | None:
    try:
        return Path(path).stat().st_mode
    except FileNotFoundError:
        return None

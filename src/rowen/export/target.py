"""Where output goes: a file that appears whole or not at all, a pipe, or standard output."""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Protocol, TypeAlias

from rowen.model import OutputError

Destination: TypeAlias = str | os.PathLike[str] | BinaryIO | None
"""What people name: a path, an open binary file, or None for standard output."""

_DESCRIPTOR = re.compile(
    r"/dev/(?:std(?P<name>out|err)|fd/(?P<device>\d+))|/proc/self/fd/(?P<proc>\d+)"
)


class Target(Protocol):
    """Bytes go in; they count once it is committed, and are dropped where that can be done.

    Every failure is an `OutputError`, except a closed pipe: `BrokenPipeError` is the caller's.
    """

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end."""

    def commit(self) -> None:
        """Everything is written: make it stay."""

    def abandon(self) -> None:
        """Something went wrong: leave as little behind as possible, and raise nothing."""


def open_target(destination: Destination) -> Target:
    """Open at once, so that a place that can't be written is told before any work is done."""
    if destination is None:
        sys.stdout.flush()
        return StreamTarget(sys.stdout.buffer, "standard output", owned=False)
    if not isinstance(destination, str | os.PathLike):
        return StreamTarget(destination, str(getattr(destination, "name", "output")), owned=False)
    path = os.fspath(destination)
    if "\0" in path or path.endswith("/") or not path:
        raise OutputError(f"can't write {path!r}: it is not the name of a file")
    with reporting(path):
        # Opening /dev/stdout anew would truncate the file that the shell appends to.
        if named := _DESCRIPTOR.fullmatch(path):
            number = named["device"] or named["proc"] or {"out": 1, "err": 2}[named["name"]]
            return StreamTarget(os.fdopen(os.dup(int(number)), "wb"), path, owned=True)
        mode = _mode_of(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise OutputError(f"can't write {path}: it is a folder")
        if mode is not None and not stat.S_ISREG(mode):
            return StreamTarget(Path(path).open("wb"), path, owned=True)
        return FileTarget(path, mode=mode)


class StreamTarget:
    """A pipe, a device, standard output: what is written is gone."""

    def __init__(self, file: BinaryIO, name: str, *, owned: bool) -> None:
        self._file = file
        self._name = name
        self._owned = owned
        self._watched = file.isatty()

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end; someone who watches a terminal sees them at once."""
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

    Symbolic links are followed: the file that they lead to is replaced. It keeps its permissions.
    """

    def __init__(self, path: str, *, mode: int | None) -> None:
        self._name = path
        self._path = Path(os.path.realpath(path))
        if not self._path.parent.is_dir():
            raise OutputError(f"can't write {path}: the folder {self._path.parent} does not exist")
        if mode is not None and not os.access(self._path, os.W_OK):
            raise OutputError(f"can't write {path}: the file is not writable")
        self._temporary = self._path.with_name(f".rowen-{token_hex(8)}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(self._temporary, flags, 0o666)
        self._file = os.fdopen(descriptor, "wb")
        if mode is not None:
            os.fchmod(descriptor, stat.S_IMODE(mode))

    def write(self, data: bytes, /) -> None:
        """Add bytes at the end of the temporary file."""
        try:
            self._file.write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _complaint(self._name, error) from error

    def commit(self) -> None:
        """Put the complete file in place of what was there, so that a crash can't undo it."""
        try:
            with reporting(self._name):
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                self._temporary.replace(self._path)
                _sync_folder(self._path.parent)
        except BaseException:
            self.abandon()
            raise

    def abandon(self) -> None:
        """Remove the temporary file; what was there before stays."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._temporary.unlink(missing_ok=True)


@contextmanager
def reporting(name: str) -> Iterator[None]:
    """Turn the system's errors into one line about the output `name`."""
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


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

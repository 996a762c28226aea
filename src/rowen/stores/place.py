"""Where a store lies: a folder here or on any file system that Arrow reaches."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO
from urllib.parse import quote, urlsplit

import pyarrow as pa
from pyarrow import fs

from rowen.model.errors import StoreError, UsageError
from rowen.stores.claims import Hold, claimed

PARTIAL = ".partial"
"""How the names of files end that are being written."""

_IN_PATHS = "%/?#:@-._~!$&'()*+,;="
"""What may stand in the path and the query of a URI beside letters and digits."""

_DYING_SECONDS = 1.0
"""How long the workers of a run that was killed may hold its lock."""


@contextmanager
def telling(doing: str) -> Iterator[None]:
    """Say what could not be done where the file system refuses."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else str(error).split("\n")[0]
        raise StoreError(f"can't {doing}: {reason}") from error


class Place:
    """A folder of files that appear whole or not at all.

    `uri` is a path, or something like `s3://bucket/folder`. A server that says nothing for
    `seconds` is given up; without them, when its library does so.
    """

    def __init__(self, uri: str | os.PathLike[str], *, seconds: float | None = None) -> None:
        self.uri = os.fspath(uri)
        if "://" in self.uri and urlsplit(self.uri).password is not None:
            raise UsageError(
                "a store's address holds no password: it would be shown in messages; give it in "
                "the environment, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        with telling(f"open {self.uri}"):
            if "://" in self.uri:
                self.files, self.root = fs.FileSystem.from_uri(_written_out(self.uri))
                if seconds is not None:
                    self.files = _hurried(self.files, seconds)
            else:
                self.files, self.root = fs.LocalFileSystem(), str(Path(self.uri).absolute())

    @property
    def address(self) -> str:
        """What travels to workers, wherever they were started."""
        return self.root if self.is_local else self.uri

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine, where a lock can be had."""
        return isinstance(self.files, fs.LocalFileSystem)

    def path(self, name: str) -> str:
        """The full path of a file."""
        return f"{self.root}/{name}"

    def exists(self, name: str = "") -> bool:
        """Whether there is such a file or folder."""
        with telling(f"look into {self.uri}"):
            return bool(self.files.get_file_info(self.path(name)).type != fs.FileType.NotFound)

    def names(self, folder: str) -> list[str]:
        """What a folder holds, in order; nothing where there is none."""
        chosen = fs.FileSelector(self.path(folder), allow_not_found=True)
        with telling(f"look into {self.uri}"):
            return sorted(info.base_name for info in self.files.get_file_info(chosen))

    def size(self, name: str) -> int | None:
        """How long a file is; None where there is none."""
        with telling(f"look into {self.uri}"):
            found: int | None = self.files.get_file_info(self.path(name)).size
            return found

    def files_under(self, folder: str) -> Iterator[tuple[str, int]]:
        """All files under a folder, however deep, by their names there, and how long they are."""
        chosen = fs.FileSelector(self.path(folder), allow_not_found=True, recursive=True)
        with telling(f"look into {self.uri}"):
            for info in self.files.get_file_info(chosen):
                if info.type == fs.FileType.File:
                    yield info.path.removeprefix(f"{self.path(folder)}/"), info.size

    def read(self, name: str) -> bytes:
        """A small file."""
        with (
            telling(f"read {self.path(name)}"),
            self.files.open_input_stream(self.path(name)) as stream,
        ):
            content: bytes = stream.read()
            return content

    def read_json(self, name: str) -> Any:
        """A small file."""
        try:
            return json.loads(self.read(name))
        except ValueError:
            raise StoreError(f"{self.path(name)} is damaged: not JSON") from None

    def write_json(self, name: str, content: Any) -> None:
        """A small file, all of it or none."""
        with self.writing(name) as stream:
            stream.write(json.dumps(content, indent=1).encode())

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """A file that appears under its name when all of it is written and on the disk."""
        with telling(f"write {self.path(name)}"):
            if not self.is_local:
                # An object appears when it is closed, after an error too: then the run fails, and
                # all of its folder is removed.
                with self.files.open_output_stream(self.path(name)) as stream:
                    yield stream
                return
            path = Path(self.path(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f"{path.name}.{token_hex(4)}{PARTIAL}")
            try:
                with partial.open("wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                partial.replace(path)
            except BaseException:
                with suppress(OSError):
                    partial.unlink()
                raise

    def changed(self, name: str) -> datetime | None:
        """When a file was written, by the clock of where it is; None where there is none."""
        with telling(f"look into {self.uri}"):
            found: datetime | None = self.files.get_file_info(self.path(name)).mtime
            return found

    def delete(self, name: str) -> None:
        """A file, if it is there."""
        with telling(f"remove {self.path(name)}"), suppress(FileNotFoundError):
            self.files.delete_file(self.path(name))

    def sync(self, *folders: str) -> None:
        """See to it that the names in folders outlast a power failure; elsewhere they do anyway."""
        for folder in folders if self.is_local else ():
            with telling(f"write {self.path(folder)}"):
                number = os.open(self.path(folder), os.O_RDONLY | os.O_DIRECTORY)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)

    def remove(self, folder: str) -> None:
        """A folder with all that it holds, if it is there."""
        with telling(f"remove {self.path(folder)}"):
            if self.exists(folder):
                self.files.delete_dir(self.path(folder))

    @contextmanager
    def locked(self) -> Iterator[Hold]:
        """Alone to write here."""
        if not self.is_local:
            with claimed(self) as claim:
                yield claim
            return
        with telling(f"write {self.uri}"):
            Path(self.root).mkdir(parents=True, exist_ok=True)
            lock = Path(self.path("lock")).open("ab")  # noqa: SIM115  # below
        with lock:
            with telling(f"lock {self.uri}"):
                mine = _lock(lock)
            if not mine:
                raise StoreError(f"another run is writing {self.uri}: wait until it has ended")
            yield Hold()


def _hurried(files: fs.FileSystem, seconds: float) -> fs.FileSystem:
    """The same file system, which does not wait long; an address can't say so."""
    storage = getattr(fs, "S3FileSystem", None)
    if storage is not None and isinstance(files, storage):
        _, (options,) = files.__reduce__()
        return storage(
            **{
                **options,
                "connect_timeout": seconds / 2,
                "request_timeout": seconds,
                "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=2),
                "allow_delayed_open": True,  # a small file is one request, not three
            }
        )
    cloud = getattr(fs, "GcsFileSystem", None)
    if cloud is not None and isinstance(files, cloud):
        _, (options,) = files.__reduce__()
        return cloud(**{**options, "retry_time_limit": timedelta(seconds=2 * seconds)})
    return files


def _written_out(uri: str) -> str:
    """A URI as the standard has it: people write spaces and letters beyond ASCII as they are."""
    host, slash, path = uri.partition("://")[2].partition("/")
    return f"{uri.partition('://')[0]}://{host}{slash}{quote(path, _IN_PATHS)}"


def _lock(file: BinaryIO) -> bool:
    """Whether the lock could be had; the workers of a run that was killed die a moment later."""
    until = time.monotonic() + _DYING_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(_DYING_SECONDS / 20)
        else:
            return True

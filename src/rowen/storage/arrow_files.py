"""Files wherever Arrow's file systems reach, such as object storage."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import BinaryIO
from urllib.parse import quote

from rowen.model.extras import needs

with needs("store", "a store"):
    import pyarrow as pa
    from pyarrow import fs


WHOLE_BYTES = 1024 * 1024
"""Limit: the size up to which an object is read with one request, whatever is needed of it. In its
time about as many bytes arrive."""

_IN_PATHS = "%/?#:@-._~!$&'()*+,;="
"""Characters that may be in the path and the query of a URI, besides letters and digits."""


class ArrowFiles:
    """Reads, writes and removes files by their full paths; errors are Arrow's and the system's."""

    def __init__(self, system: fs.FileSystem) -> None:
        self.system = system

    @property
    def is_local(self) -> bool:
        """Whether the files are on this machine."""
        return isinstance(self.system, fs.LocalFileSystem)

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return bool(self.system.get_file_info(path).type != fs.FileType.NotFound)

    def names(self, folder: str) -> list[str]:
        """The names in a folder, in order; none if there is no such folder."""
        chosen = fs.FileSelector(folder, allow_not_found=True)
        return sorted(info.base_name for info in self.system.get_file_info(chosen))

    def size(self, path: str) -> int | None:
        """The size of a file; None if there is no such file."""
        size: int | None = self.system.get_file_info(path).size
        return size

    def under(self, folder: str) -> Iterator[tuple[str, int]]:
        """The paths and sizes of all files under a folder, at any depth."""
        chosen = fs.FileSelector(folder, allow_not_found=True, recursive=True)
        for info in self.system.get_file_info(chosen):
            if info.type == fs.FileType.File:
                yield info.path, info.size

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading from its beginning."""
        stream: BinaryIO = self.system.open_input_stream(path)
        return stream

    def open_anywhere(self, path: str) -> pa.NativeFile:
        """Open a file for reading at any place of it."""
        file = self.system.open_input_file(path)
        if self.is_local or file.size() > WHOLE_BYTES:
            return file
        with file:
            return pa.BufferReader(file.read_buffer())

    def create(self, path: str) -> BinaryIO:
        """Open a file for writing."""
        stream: BinaryIO = self.system.open_output_stream(path)
        return stream

    def changed(self, path: str) -> datetime | None:
        """When a file was written, by the clock of its server; None if there is no such file."""
        modified: datetime | None = self.system.get_file_info(path).mtime
        return modified

    def delete(self, path: str) -> None:
        """Delete a file; FileNotFoundError if there is none."""
        self.system.delete_file(path)

    def remove(self, folder: str) -> None:
        """Delete a folder and everything in it, if it exists."""
        if self.exists(folder):
            self.system.delete_dir(folder)


def open_address(uri: str, seconds: float | None) -> tuple[ArrowFiles, str]:
    """The files at an address, and the path of its folder."""
    system, root = fs.FileSystem.from_uri(_quoted(uri))
    return ArrowFiles(_with_settings(system, seconds)), root


def _with_settings(files: fs.FileSystem, seconds: float | None) -> fs.FileSystem:
    """The same file system with settings that an address can't contain, such as a timeout."""
    storage = getattr(fs, "S3FileSystem", None)
    if storage is not None and isinstance(files, storage):
        _, (options,) = files.__reduce__()
        options["allow_delayed_open"] = True  # a small file is one request, not three
        if seconds is not None:
            options |= {
                "connect_timeout": seconds / 2,
                "request_timeout": seconds,
                # More attempts would multiply the time that a caller is willing to wait.
                "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=2),
            }
        return storage(**options)
    cloud = getattr(fs, "GcsFileSystem", None)
    if seconds is not None and cloud is not None and isinstance(files, cloud):
        _, (options,) = files.__reduce__()
        return cloud(**{**options, "retry_time_limit": timedelta(seconds=2 * seconds)})
    return files


def _quoted(uri: str) -> str:
    """A URI as the standard wants it. People type spaces and letters beyond ASCII as they are."""
    host, slash, path = uri.partition("://")[2].partition("/")
    return f"{uri.partition('://')[0]}://{host}{slash}{quote(path, _IN_PATHS)}"

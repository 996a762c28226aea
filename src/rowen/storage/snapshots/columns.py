"""Files of columns: the index of pages and the records of a snapshot, as differences.

Most pages are the same from one night to the next. So a file is stored as its difference from the
file of the same name in the snapshot before, which is its base:

    snapshots/000000/pages-0000.columns    as it is
    snapshots/000001/pages-0000.columns    what differs from 000000
    snapshots/000002/pages-0000.columns    what differs from 000001

A file begins with its base and a checksum. What follows is compressed: a header in JSON that names
the columns, and the bytes of the columns one after the other. Numbers are stored byte by byte, all
lowest bytes first, because the highest ones are hardly ever other than 0.
"""

import json
import struct
import zlib
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.model.errors import StoreError
from rowen.storage.place import Place
from rowen.storage.snapshots.differences import compressed, restored
from rowen.storage.snapshots.manifest import folder_of
from rowen.storage.snapshots.reading import reading

BASES = 10
"""Limit: files that are read to build one file of columns. Then one is stored as it is again."""

ENDING = ".columns"

_HEAD = struct.Struct("<8sqI")
_MAGIC = b"rowencol"
_NO_BASE = -1


class Columns(NamedTuple):
    """Arrays by name, and whatever JSON holds besides."""

    arrays: dict[str, NDArray[Any]]
    notes: Any
    raw: bytes = b""
    """What the file holds before it is compressed, for those that write the next difference."""


def write_columns(  # a file has a place, a name and a content
    place: Place,
    folder: str,
    file: str,
    columns: Mapping[str, NDArray[Any]],
    notes: Any = None,
    *,
    rising: Collection[str] = (),
    base: int | None = None,
    base_raw: bytes = b"",
) -> int:
    """Write a file of a snapshot's folder; return its size in bytes.

    Of the columns in `rising`, differences between neighbours are stored. `base` is the snapshot
    from whose file of the same name the difference is stored, if it has one; `base_raw` is what
    that file holds, if it has been read.
    """
    raw = _raw(columns, notes, rising)
    known = base_raw if base is not None else b""
    old = known or _raw_of_base(place, base, file)
    return _write(place, f"{folder}/{file}{ENDING}", raw, base if old else None, old)


def _write(place: Place, path: str, raw: bytes, base: int | None, old: bytes) -> int:
    data = compressed(raw, old)
    head = _HEAD.pack(_MAGIC, _NO_BASE if base is None else base, zlib.crc32(data))
    with place.writing(path) as stream:
        stream.write(head)
        stream.write(data)
    return len(head) + len(data)


def read_columns(place: Place, folder: str, file: str) -> Columns | None:
    """Read a file; None if there is none of this name."""
    raw = read_raw(place, folder, file)
    if raw is None:
        return None
    with reading(place, f"{folder}/{file}{ENDING}"):
        return _columns(raw)


def make_whole(place: Place, folder: str) -> None:
    """Store all files of a folder as they are, so that their bases can go."""
    for name in place.names(folder):
        file = name.removesuffix(ENDING)
        if name == file:
            continue
        raw = read_raw(place, folder, file)
        assert raw is not None
        _write(place, f"{folder}/{file}{ENDING}", raw, None, b"")


def read_raw(place: Place, folder: str, file: str) -> bytes | None:
    """The bytes of a file before they were compressed: the same for the same columns."""
    chain: list[tuple[str, bytes]] = []
    name = f"{folder}/{file}{ENDING}"
    content = _content(place, name)
    if content is None:
        return None
    while True:
        with reading(place, name):
            if content is None:
                raise ValueError(f"it is missing, and {chain[-1][0]} needs it")
            base, data = _opened(content)
            chain.append((name, data))
            if base is None:
                break
            if len(chain) > BASES:
                raise ValueError("it needs more files than Rowen ever writes")
        name = f"{folder_of(base)}/{file}{ENDING}"
        content = _content(place, name)
    raw = b""
    for name, data in reversed(chain):
        with reading(place, name):
            raw = restored(data, raw)
    return raw


def _raw_of_base(place: Place, base: int | None, file: str) -> bytes:
    """The bytes of the base; none if there is no such file, or it can't be read."""
    if base is None:
        return b""
    try:
        return read_raw(place, folder_of(base), file) or b""
    # An extractor with a damaged old file may be run from scratch: it needs no base.
    except StoreError:
        return b""


def _content(place: Place, name: str) -> bytes | None:
    try:
        with place.files.open(place.path(name)) as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except OSError:
        return place.read(name)  # fails again, with a message


def _opened(content: bytes) -> tuple[int | None, bytes]:
    """The base of a file and its compressed content."""
    if len(content) < _HEAD.size or content[: len(_MAGIC)] != _MAGIC:
        raise ValueError("it is not a file of columns")
    _, base, checksum = _HEAD.unpack_from(content)
    data = content[_HEAD.size :]
    if zlib.crc32(data) != checksum:
        raise ValueError("its checksum is wrong")
    return (None if base == _NO_BASE else base), data


def _raw(columns: Mapping[str, NDArray[Any]], notes: Any, rising: Collection[str]) -> bytes:
    described, parts = [], []
    for name, column in columns.items():
        described.append([name, column.dtype.str, len(column), name in rising])
        stored = np.diff(column, prepend=column.dtype.type(0)) if name in rising else column
        planes = np.frombuffer(stored.tobytes(), np.uint8).reshape(-1, column.dtype.itemsize)
        parts.append((planes.T if _is_number(column.dtype) else planes).tobytes())
    header = json.dumps({"columns": described, "notes": notes}).encode()
    return b"".join([struct.pack("<I", len(header)), header, *parts])


def _columns(raw: bytes) -> Columns:
    (length,) = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    at = 4 + length
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, count, rises in header["columns"]:
        dtype = np.dtype(kind)
        size = dtype.itemsize * count
        if at + size > len(raw):
            raise ValueError("it is shorter than it says")
        column = np.frombuffer(raw, np.uint8, size, at)
        if _is_number(dtype):
            column = np.ascontiguousarray(column.reshape(dtype.itemsize, count).T).reshape(-1)
        values = column.view(dtype)
        arrays[name] = np.cumsum(values, dtype=dtype) if rises else values
        at += size
    return Columns(arrays, header["notes"], raw)


def _is_number(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu" and dtype.itemsize > 1

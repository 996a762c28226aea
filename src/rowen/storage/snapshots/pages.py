"""The pages of a snapshot: partitions by a hash of the page's id, one file per partition."""

from array import array
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from sys import getsizeof
from types import MappingProxyType
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import folder_of
from rowen.storage.snapshots.tables import open_table, reading, table_writer
from rowen.storage.snapshots.texts import Spots, TextsReader, TextsWriter

TEXTS_HELD_BYTES = 16 * 1024 * 1024
"""Limit: bytes of text that are read ahead if texts lie in another order than pages."""

TEXTS_KEPT_BYTES = 64 * 1024 * 1024
"""Limit: memory for new texts that a run will work on. Those in memory are read only once."""

TEXTS_CHECKED_BYTES = 64 * 1024 * 1024
"""Limit: memory for old texts whose copied records may be checked. They are read only once."""

_KEY = pa.binary(16)
SCHEMA = pa.schema(
    [
        ("id", pa.large_binary()),
        ("key", _KEY),
        ("digest", _KEY),
        ("size", pa.int64()),
        ("folder", pa.int32()),
        ("file", pa.int32()),
        ("row", pa.int32()),
    ]
)
"""`key` is the digest of the id, `digest` that of the text, `size` the bytes of the text, which is
in a `row` of `texts/<folder>/<file>.parquet`."""

_VOID = np.dtype("V16")


def digest_of(data: bytes) -> bytes:
    """The first 128 bits of SHA-256. They identify texts and ids."""
    return sha256(data).digest()[:16]


def file_name(snapshot: str, partition: int) -> str:
    """The file of a partition's pages."""
    return f"{snapshot}/pages-{partition:04}.parquet"


@dataclass(frozen=True, slots=True)
class Index:
    """All pages of a snapshot, one row per page, without ids and texts."""

    keys: NDArray[np.void]
    digests: NDArray[np.void]
    partitions: NDArray[np.int32]
    rows: NDArray[np.int32]
    sizes: NDArray[np.int64]
    spots: Spots

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Written:
    """The pages of a new snapshot, as they were written."""

    index: Index
    text_bytes: int
    """Bytes of the texts that were written: those that the last snapshot doesn't have."""
    fresh: list[dict[int, str]]
    """By partition and row, new texts and held texts, as far as memory allows."""


class PagesWriter:
    """Writes pages as they come. Texts that the last snapshot has are not written again."""

    def __init__(
        self,
        place: Place,
        number: int,
        partitions: int,
        *,
        old: Index | None = None,
        reusable: Container[int] = (),
        held: Container[bytes] = (),
    ) -> None:
        """Texts of the `old` snapshot in `reusable` folders are referred to, not written again.

        Texts of pages whose key is in `held` stay in memory even if they are not new.
        """
        self.partitions = partitions
        self._place = place
        self._number = number
        self._texts = TextsWriter(place, number, partitions)
        self._old_spots = {} if old is None else _spots(old, reusable)
        self._ids: list[list[bytes]] = [[] for _ in range(partitions)]
        # Flat arrays take 80 bytes per page in addition to its id. A page may be one of millions.
        self._keys = bytearray()
        self._digests = bytearray()
        self._numbers = array("q")
        self._fresh: list[dict[int, str]] = [{} for _ in range(partitions)]
        self._room = TEXTS_KEPT_BYTES
        self._held = held
        self._held_room = TEXTS_CHECKED_BYTES

    def add(self, page_id: bytes, key: bytes, text: str, data: bytes) -> None:
        """Write one page; `data` is its text as it is stored."""
        partition = int.from_bytes(key[:4], "little") % self.partitions
        digest = digest_of(data)
        spot = self._old_spots.get(digest)
        ids = self._ids[partition]
        if spot is None:
            # Equal texts within one snapshot are written twice; only those of the last snapshot are
            # looked up.
            spot = self._number, partition, self._texts.add(partition, data)
            self._room -= getsizeof(text)
            if self._room >= 0:
                self._fresh[partition][len(ids)] = text
        elif key in self._held:
            self._held_room -= getsizeof(text)
            if self._held_room >= 0:
                self._fresh[partition][len(ids)] = text
        self._numbers.extend((partition, len(ids), len(data), *spot))
        ids.append(page_id)
        self._keys += key
        self._digests += digest

    def keep(self, page_id: bytes, old: "Index", number: int) -> None:
        """Refer to a page of the old snapshot. Its text is not read."""
        key = old.keys[number].tobytes()
        partition = int.from_bytes(key[:4], "little") % self.partitions
        ids = self._ids[partition]
        spots = old.spots
        spot = int(spots.folders[number]), int(spots.files[number]), int(spots.rows[number])
        self._numbers.extend((partition, len(ids), int(old.sizes[number]), *spot))
        ids.append(page_id)
        self._keys += key
        self._digests += old.digests[number].tobytes()

    def close(self) -> Written:
        """Finish all files."""
        self._texts.close()
        numbers = np.frombuffer(self._numbers, np.int64).reshape(-1, 6).T
        partitions, rows, folders, files, text_rows = numbers[[0, 1, 3, 4, 5]].astype(np.int32)
        index = Index(
            np.frombuffer(bytes(self._keys), _VOID),
            np.frombuffer(bytes(self._digests), _VOID),
            partitions,
            rows,
            numbers[2],
            Spots(folders, files, text_rows),
        )
        # A stable order keeps the rows of each partition as they were counted when pages came in.
        order = np.argsort(partitions, kind="stable")
        ends = np.cumsum([len(ids) for ids in self._ids]).tolist()
        for partition, (ids, end) in enumerate(zip(self._ids, ends, strict=True)):
            self._write(partition, index, order[end - len(ids) : end])
        return Written(index, self._texts.bytes, self._fresh)

    def _write(self, partition: int, index: Index, own: NDArray[np.intp]) -> None:
        columns = [
            pa.array(self._ids[partition], pa.large_binary()),
            _fixed(index.keys[own]),
            _fixed(index.digests[own]),
            *(
                pa.array(column[own])
                for column in (
                    index.sizes,
                    index.spots.folders,
                    index.spots.files,
                    index.spots.rows,
                )
            ),
        ]
        name = file_name(folder_of(self._number), partition)
        with self._place.writing(name) as stream, table_writer(stream, SCHEMA) as writer:
            writer.write_table(pa.table(columns, schema=SCHEMA))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self._texts.__exit__(kind, error, trace)


def _spots(old: Index, folders: Container[int]) -> dict[bytes, tuple[int, int, int]]:
    """Where each text is that lies in one of these folders, by digest."""
    spots = old.spots
    places = zip(spots.folders.tolist(), spots.files.tolist(), spots.rows.tolist(), strict=True)
    pairs = zip(old.digests.tolist(), places, strict=True)
    return {digest: place for digest, place in pairs if place[0] in folders}


def _fixed(values: NDArray[np.void]) -> pa.Array:
    return pa.Array.from_buffers(_KEY, len(values), [None, pa.py_buffer(values)])


class Pages:
    """The pages of one partition. Texts are read when they are asked for, several at once."""

    def __init__(
        self,
        place: Place,
        snapshot: str,
        partition: int,
        fresh: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """`fresh` has texts that are in memory, by row."""
        self._place = place
        self._name = file_name(snapshot, partition)
        self._fresh = fresh
        self._texts = TextsReader(place)
        with reading(place, self._name):
            self._table = open_table(place, self._name).read(use_threads=False)
            self._index = _index(self._table, partition)
        self.count = self._index.count

    @cached_property
    def ids(self) -> list[str]:
        """The id of each page."""
        with reading(self._place, self._name):
            column = self._table.column("id").to_pylist()
            return [page_id.decode("utf-8", "surrogatepass") for page_id in column]

    def all_texts(self) -> Iterator[tuple[int, str]]:
        """Each row with its text."""
        return self.texts(np.arange(self.count))

    def texts(self, rows: NDArray[np.intp]) -> Iterator[tuple[int, str]]:
        """Rows and their texts, in the order of `rows`."""
        with reading(self._place, self._name):
            total = np.cumsum(self._index.sizes[rows])
        start = 0
        while start < len(rows):
            # Texts lie in another order than pages if they came with several snapshots. So a batch
            # is read in the order of texts, and yielded in the order of pages.
            before = int(total[start - 1]) if start else 0
            end = max(int(np.searchsorted(total, before + TEXTS_HELD_BYTES, "right")), start + 1)
            batch = rows[start:end].tolist()
            stored = np.array([row for row in batch if row not in self._fresh], np.intp)
            spots = self._index.spots
            stored_spots = Spots(spots.folders[stored], spots.files[stored], spots.rows[stored])
            texts = {int(stored[number]): text for number, text in self._texts.read(stored_spots)}
            for row in batch:
                yield row, texts[row] if row in texts else self._fresh[row]
            start = end


def read_index(place: Place, snapshot: str, partitions: int) -> Index:
    """Read the index of all pages of a snapshot."""
    parts = []
    # Ids are most of the file, and only the partition that works on a page needs its id.
    columns = [name for name in SCHEMA.names if name != "id"]
    for number in range(partitions):
        name = file_name(snapshot, number)
        with reading(place, name):
            table = open_table(place, name).read(columns=columns, use_threads=False)
            parts.append(_index(table, number))
    spots = [part.spots for part in parts]
    return Index(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.digests for part in parts]),
        np.concatenate([part.partitions for part in parts]),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.sizes for part in parts]),
        Spots(
            np.concatenate([part.folders for part in spots]),
            np.concatenate([part.files for part in spots]),
            np.concatenate([part.rows for part in spots]),
        ),
    )


def _index(table: pa.Table, partition: int) -> Index:
    table = table.combine_chunks()
    count = table.num_rows
    return Index(
        _voids(table, "key"),
        _voids(table, "digest"),
        np.full(count, partition, np.int32),
        np.arange(count, dtype=np.int32),
        table.column("size").to_numpy(),
        Spots(*(table.column(name).to_numpy() for name in ("folder", "file", "row"))),
    )


def _voids(table: pa.Table, name: str) -> NDArray[np.void]:
    """A column of digests."""
    if not table.num_rows:
        return np.empty(0, _VOID)
    chunk = table.column(name).chunk(0)
    values: NDArray[np.void] = np.frombuffer(chunk.buffers()[1], _VOID)
    return values[chunk.offset : chunk.offset + len(chunk)]

"""The pages of a snapshot: partitions by a hash of the page's id, each a file."""

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

from rowen.limits import TEXTS_HELD_BYTES, TEXTS_KEPT_BYTES
from rowen.stores.manifest import folder_of
from rowen.stores.place import Place
from rowen.stores.tables import open_table, reading, table_writer
from rowen.stores.texts import Spots, TextsReader, TextsWriter

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
"""`key` is the digest of the id, `digest` that of the text, `size` how many bytes the text has;
`texts/<folder>/<file>.parquet` has it in its `row`."""

_VOID = np.dtype("V16")


def digest_of(data: bytes) -> bytes:
    """What tells texts apart, and ids."""
    return sha256(data).digest()[:16]


def file_name(snapshot: str, partition: int) -> str:
    """Where the pages of a partition are."""
    return f"{snapshot}/pages-{partition:04}.parquet"


@dataclass(frozen=True, slots=True)
class Index:
    """What is known of each page without its text."""

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
    """The pages of a new snapshot."""

    index: Index
    text_bytes: int
    """How much was written of texts that the last snapshot doesn't have."""
    fresh: list[dict[int, str]]
    """Some of them, as many as memory allows: by partition and row."""


class PagesWriter:
    """Takes pages as they come; texts that the last snapshot has are not written again."""

    def __init__(
        self,
        place: Place,
        number: int,
        partitions: int,
        *,
        old: Index | None = None,
        kept: Container[int] = (),
    ) -> None:
        """Texts of the `old` snapshot may be referred to where their folder is `kept`."""
        self.partitions = partitions
        self._place = place
        self._number = number
        self._texts = TextsWriter(place, number, partitions)
        self._known = {} if old is None else _known(old, kept)
        self._ids: list[list[bytes]] = [[] for _ in range(partitions)]
        self._keys = bytearray()
        self._digests = bytearray()
        self._numbers = array("q")
        self._fresh: list[dict[int, str]] = [{} for _ in range(partitions)]
        self._room = TEXTS_KEPT_BYTES

    def add(self, page_id: bytes, key: bytes, text: str, data: bytes) -> None:
        """One page more; `data` is its text as it is kept."""
        partition = int.from_bytes(key[:4], "little") % self.partitions
        digest = digest_of(data)
        spot = self._known.get(digest)
        ids = self._ids[partition]
        if spot is None:
            spot = self._number, partition, self._texts.add(partition, data)
            self._room -= getsizeof(text)
            if self._room >= 0:
                self._fresh[partition][len(ids)] = text
        self._numbers.extend((partition, len(ids), len(data), *spot))
        ids.append(page_id)
        self._keys += key
        self._digests += digest

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
        order = np.argsort(partitions, kind="stable")
        ends = np.cumsum([len(ids) for ids in self._ids]).tolist()
        for partition, (ids, end) in enumerate(zip(self._ids, ends, strict=True)):
            self._write(partition, index, order[end - len(ids) : end])
        return Written(index, self._texts.bytes, self._fresh)

    def _write(self, partition: int, index: Index, mine: NDArray[np.intp]) -> None:
        columns = [
            pa.array(self._ids[partition], pa.large_binary()),
            _fixed(index.keys[mine]),
            _fixed(index.digests[mine]),
            *(
                pa.array(column[mine])
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


def _known(old: Index, kept: Container[int]) -> dict[bytes, tuple[int, int, int]]:
    """Where the text of each digest is."""
    spots = old.spots
    places = zip(spots.folders.tolist(), spots.files.tolist(), spots.rows.tolist(), strict=True)
    pairs = zip(old.digests.tolist(), places, strict=True)
    return {digest: place for digest, place in pairs if place[0] in kept}


def _fixed(values: NDArray[np.void]) -> pa.Array:
    return pa.Array.from_buffers(_KEY, len(values), [None, pa.py_buffer(values)])


class Pages:
    """The pages of one partition; texts are read when asked for, some of them at once."""

    def __init__(
        self,
        place: Place,
        snapshot: str,
        partition: int,
        fresh: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """`fresh` has texts that need not be read, by row."""
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
            return [one.decode("utf-8", "surrogatepass") for one in column]

    def all_texts(self) -> Iterator[tuple[int, str]]:
        """Every row with its text."""
        return self.texts(np.arange(self.count))

    def texts(self, rows: NDArray[np.intp]) -> Iterator[tuple[int, str]]:
        """Rows, each with its text, in the order in which they are given."""
        with reading(self._place, self._name):
            total = np.cumsum(self._index.sizes[rows])
        start = 0
        while start < len(rows):
            # Texts lie in another order than pages where they came with several snapshots.
            before = int(total[start - 1]) if start else 0
            end = max(int(np.searchsorted(total, before + TEXTS_HELD_BYTES, "right")), start + 1)
            batch = rows[start:end].tolist()
            wanted = np.array([row for row in batch if row not in self._fresh], np.intp)
            spots = self._index.spots
            there = Spots(spots.folders[wanted], spots.files[wanted], spots.rows[wanted])
            found = {int(wanted[number]): text for number, text in self._texts.read(there)}
            for row in batch:
                yield row, found[row] if row in found else self._fresh[row]
            start = end


def read_index(place: Place, snapshot: str, partitions: int) -> Index:
    """What is known of all pages of a snapshot."""
    parts = []
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
            np.concatenate([one.folders for one in spots]),
            np.concatenate([one.files for one in spots]),
            np.concatenate([one.rows for one in spots]),
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
    found: NDArray[np.void] = np.frombuffer(chunk.buffers()[1], _VOID)
    return found[chunk.offset : chunk.offset + len(chunk)]

"""The pages of a snapshot: partitions by a hash of the page's id, one file per partition."""

from array import array
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from sys import getsizeof
from types import MappingProxyType
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.storage.place import Place
from rowen.storage.snapshots.columns import ENDING, read_columns, write_columns
from rowen.storage.snapshots.manifest import folder_of
from rowen.storage.snapshots.reading import missing, reading
from rowen.storage.snapshots.texts import (
    SPOT_COLUMNS,
    Base,
    Spots,
    TextsReader,
    TextsWriter,
    join_spots,
)

TEXTS_HELD_BYTES = 16 * 1024 * 1024
"""Limit: bytes of text that are read ahead if texts lie in another order than pages."""

TEXTS_KEPT_BYTES = 64 * 1024 * 1024
"""Limit: memory for new texts that a run will work on. Those in memory are read only once."""

TEXTS_CHECKED_BYTES = 64 * 1024 * 1024
"""Limit: memory for old texts whose copied records may be checked. They are read only once."""

_VOID = np.dtype("V16")


def digest_of(data: bytes) -> bytes:
    """The first 128 bits of SHA-256. They identify texts and ids."""
    return sha256(data).digest()[:16]


def file_name(partition: int) -> str:
    """The file of a partition's pages, in the folder of a snapshot."""
    return f"pages-{partition:04}"


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
    """Bytes that were written of texts that the last snapshot doesn't have."""
    fresh: list[dict[int, str]]
    """By partition and row, new texts and held texts, as far as memory allows."""
    earlier: dict[int, bytes]
    """By page of the last snapshot, texts of pages that changed, as they are stored."""


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
        base: int | None = None,
    ) -> None:
        """Texts of the `old` snapshot in `reusable` folders are referred to, not written again.

        Texts of pages whose key is in `held` stay in memory even if they are not new. The files are
        stored as differences from those of the snapshot `base`.
        """
        self.partitions = partitions
        self._place = place
        self._number = number
        self._texts = TextsWriter(place, number, partitions)
        self._old = old
        self._base = base
        self._kept_links: list[int] = []
        self._by_digest: dict[bytes, int] = {}
        self._by_key: dict[bytes, int] = {}
        if old is not None:
            within = old.spots.links_within(reusable)
            self._kept_links = within.tolist()
            whole = np.flatnonzero(within == old.spots.lengths)
            self._by_digest = dict(zip(old.digests[whole].tolist(), whole.tolist(), strict=True))
            usable = np.flatnonzero(within > 0)
            self._by_key = dict(zip(old.keys[usable].tolist(), usable.tolist(), strict=True))
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
        # The page of the last snapshot with this text; its row among the new texts.
        origin, text_row = self._by_digest.get(digest, -1), -1
        ids = self._ids[partition]
        if origin < 0:
            # Equal texts within one snapshot are written twice; only those of the last snapshot are
            # looked up.
            origin, base = self._base_of(key)
            text_row = self._texts.add(partition, data, base)
            self._room -= getsizeof(text)
            if self._room >= 0:
                self._fresh[partition][len(ids)] = text
        elif key in self._held:
            self._held_room -= getsizeof(text)
            if self._held_room >= 0:
                self._fresh[partition][len(ids)] = text
        self._numbers.extend((partition, len(ids), len(data), origin, text_row))
        ids.append(page_id)
        self._keys += key
        self._digests += digest

    def _base_of(self, key: bytes) -> tuple[int, Base | None]:
        """The last text of a page, as far as it may be referred to."""
        origin = self._by_key.get(key, -1)
        if origin < 0 or self._old is None:
            return -1, None
        places, sizes, _ = self._old.spots.base(origin)
        links = self._kept_links[origin]
        page = origin if links == len(places) else -1
        return origin, Base(places[:links], sizes[:links], page)

    def keep(self, page_id: bytes, old: "Index", number: int) -> None:
        """Refer to a page of the old snapshot. Its text is not read."""
        key = old.keys[number].tobytes()
        partition = int.from_bytes(key[:4], "little") % self.partitions
        ids = self._ids[partition]
        self._numbers.extend((partition, len(ids), int(old.sizes[number]), number, -1))
        ids.append(page_id)
        self._keys += key
        self._digests += old.digests[number].tobytes()

    def close(self) -> Written:
        """Finish all files."""
        self._texts.close()
        numbers = np.frombuffer(self._numbers, np.int64).reshape(-1, 5).T
        partitions, rows = numbers[:2].astype(np.int32)
        index = Index(
            np.frombuffer(bytes(self._keys), _VOID),
            np.frombuffer(bytes(self._digests), _VOID),
            partitions,
            rows,
            numbers[2],
            self._spots(partitions, numbers[3], numbers[4]),
        )
        # A stable order keeps the rows of each partition as they were counted when pages came in.
        order = np.argsort(partitions, kind="stable")
        ends = np.cumsum([len(ids) for ids in self._ids]).tolist()
        for partition, (ids, end) in enumerate(zip(self._ids, ends, strict=True)):
            self._write(partition, index, order[end - len(ids) : end])
        return Written(index, self._texts.stored_bytes, self._fresh, self._texts.earlier)

    def _spots(
        self,
        partitions: NDArray[np.int32],
        origins: NDArray[np.int64],
        text_rows: NDArray[np.int64],
    ) -> Spots:
        """The chain of each page: links of its old text, and its own where it is new."""
        old = join_spots([]) if self._old is None else self._old.spots
        own = text_rows >= 0
        kept = np.zeros(len(origins), np.int64)
        kept[~own] = old.lengths[origins[~own]]
        sizes = np.zeros(len(origins), np.int64)
        for number in range(self.partitions):
            here = own & (partitions == number)
            kept[here] = np.frombuffer(self._texts.kept_links[number], np.int8)[text_rows[here]]
            sizes[here] = np.frombuffer(self._texts.sizes[number], np.int64)[text_rows[here]]
        first = np.concatenate(([0], np.cumsum(kept + own))).astype(np.int64)
        # What was kept of the old chains goes to the front of each new chain.
        starts = np.concatenate(([0], np.cumsum(kept)))
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], kept)
        targets = np.repeat(first[:-1], kept) + within
        last = first[1:][own] - 1
        links = {}
        old_first = old.first[np.where(kept > 0, origins, 0)] if old.lengths.size else kept
        sources = np.repeat(old_first, kept) + within
        new = {
            "folders": np.int32(self._number),
            "files": partitions[own],
            "rows": text_rows[own],
            "sizes": sizes[own],
        }
        for name, kind in SPOT_COLUMNS.items():
            column = np.empty(first[-1], kind)
            column[targets] = getattr(old, name)[sources]
            column[last] = new[name]
            links[name] = column
        return Spots(first, **links)

    def _write(self, partition: int, index: Index, own: NDArray[np.intp]) -> None:
        spots = index.spots.of(own)
        ids = self._ids[partition]
        columns = {
            "ids": np.frombuffer(b"".join(ids), np.uint8),
            "lengths": np.array([len(page_id) for page_id in ids], np.int32),
            "keys": index.keys[own],
            "digests": index.digests[own],
            "bytes": index.sizes[own],
            "links": spots.lengths.astype(np.int8),
            **{name: getattr(spots, name) for name in SPOT_COLUMNS},
        }
        write_columns(
            self._place,
            folder_of(self._number),
            file_name(partition),
            columns,
            rising=("rows",),
            base=self._base,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self._texts.__exit__(kind, error, trace)


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
        self._name = f"{snapshot}/{file_name(partition)}{ENDING}"
        self._fresh = fresh
        self._texts = TextsReader(place)
        self._index, self._ids = _read(place, snapshot, partition)
        self.count = self._index.count

    @cached_property
    def ids(self) -> list[str]:
        """The id of each page."""
        with reading(self._place, self._name):
            return [page_id.decode("utf-8", "surrogatepass") for page_id in self._ids()]

    @property
    def keys(self) -> NDArray[np.void]:
        """The digest of each page's id."""
        return self._index.keys

    @property
    def digests(self) -> NDArray[np.void]:
        """The digest of each page's text."""
        return self._index.digests

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
            spots = self._index.spots.of(stored)
            texts = {int(stored[number]): text for number, text in self._texts.read(spots)}
            for row in batch:
                yield row, texts[row] if row in texts else self._fresh[row]
            start = end


def read_index(place: Place, snapshot: str, partitions: int) -> Index:
    """Read the index of all pages of a snapshot."""
    # Ids are only looked at in the partition that works on a page.
    parts = [_read(place, snapshot, number)[0] for number in range(partitions)]
    return Index(
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.digests for part in parts]),
        np.concatenate([part.partitions for part in parts]),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.sizes for part in parts]),
        join_spots([part.spots for part in parts]),
    )


def read_partition(place: Place, snapshot: str, number: int) -> Index:
    """Read the index of one partition."""
    return _read(place, snapshot, number)[0]


_Ids: TypeAlias = Callable[[], list[bytes]]


def _read(place: Place, snapshot: str, partition: int) -> tuple[Index, _Ids]:
    """The index of a partition, and its ids when they are asked for."""
    name = file_name(partition)
    columns = read_columns(place, snapshot, name)
    if columns is None:
        return _read_table(place, snapshot, partition)
    with reading(place, f"{snapshot}/{name}{ENDING}"):
        arrays = columns.arrays
        ends = np.cumsum(arrays["lengths"], dtype=np.int64)
        if len(arrays["ids"]) != (ends[-1] if len(ends) else 0):
            raise ValueError("its ids don't have the lengths that it lists")

        def ids() -> list[bytes]:
            data = arrays["ids"].tobytes()
            starts = np.concatenate(([0], ends[:-1])).tolist() if len(ends) else []
            return [data[start:end] for start, end in zip(starts, ends.tolist(), strict=True)]

        first = np.concatenate(([0], np.cumsum(arrays["links"], dtype=np.int64)))
        spots = Spots(first, *(arrays[column] for column in SPOT_COLUMNS))
        index = _index(partition, arrays["keys"], arrays["digests"], arrays["bytes"], spots)
        return index, ids


def _read_table(place: Place, snapshot: str, partition: int) -> tuple[Index, _Ids]:
    """The same of a file of an earlier format, in which all texts are whole."""
    from rowen.storage.snapshots import parquet_files

    name = f"{snapshot}/{file_name(partition)}"
    if not place.exists(name + parquet_files.ENDING):
        raise missing(place, name + ENDING)
    table = parquet_files.read_table(place, name + parquet_files.ENDING)
    with reading(place, name + parquet_files.ENDING):
        sizes = table.column("size").to_numpy()
        folders, files, rows = (
            table.column(column).to_numpy() for column in ("folder", "file", "row")
        )
        spots = Spots(np.arange(len(sizes) + 1), folders, files, rows, sizes)
        keys, digests = (parquet_files.voids(table, column) for column in ("key", "digest"))
        return _index(partition, keys, digests, sizes, spots), table.column("id").to_pylist


def _index(
    partition: int,
    keys: NDArray[np.void],
    digests: NDArray[np.void],
    sizes: NDArray[np.int64],
    spots: Spots,
) -> Index:
    count = len(keys)
    own = np.full(count, partition, np.int32)
    return Index(keys, digests, own, np.arange(count, dtype=np.int32), sizes, spots)

"""The pages of a snapshot: partitions by a hash of the page's id, each a file."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rowen.limits import PAGE_GROUP_BYTES, WAITING_BYTES
from rowen.model.page import Page
from rowen.stores.place import Place, telling
from rowen.stores.tables import open_table, reading, table_writer

SCHEMA = pa.schema([("id", pa.binary()), ("digest", pa.binary(16)), ("text", pa.large_binary())])


def encoded(text: str) -> bytes:
    """A text as it is kept: lone surrogates too, which Arrow's strings can't hold."""
    return text.encode("utf-8", "surrogatepass")


def digest_of(data: bytes) -> bytes:
    """What tells texts apart, and ids."""
    return blake2b(data, digest_size=16).digest()


def file_name(snapshot: str, partition: int) -> str:
    """Where the pages of a partition are."""
    return f"{snapshot}/pages-{partition:04}.parquet"


@dataclass(frozen=True, slots=True)
class Index:
    """What is known of each page without its text, in the order of its partition's file."""

    ids: NDArray[np.void]
    digests: NDArray[np.void]
    partitions: NDArray[np.int32]
    rows: NDArray[np.int32]
    sizes: NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self.ids)


class PagesWriter:
    """Takes pages as they come and puts each into its partition's file, some megabytes at once."""

    def __init__(self, place: Place, snapshot: str, partitions: int) -> None:
        self.partitions = partitions
        self._group_bytes = min(PAGE_GROUP_BYTES, WAITING_BYTES // partitions)
        self._files = ExitStack()
        self._writers = []
        self._waiting: list[list[tuple[bytes, bytes, bytes]]] = [[] for _ in range(partitions)]
        self._waiting_bytes = [0] * partitions
        self._counts = [0] * partitions
        self._ids = bytearray()
        self._digests = bytearray()
        self._partitions: list[int] = []
        self._rows: list[int] = []
        self._sizes: list[int] = []
        for number in range(partitions):
            stream = self._files.enter_context(place.writing(file_name(snapshot, number)))
            self._writers.append(table_writer(stream, SCHEMA))

    def add(self, page_id: bytes, id_digest: bytes, text: bytes) -> None:
        """One page more."""
        number = int.from_bytes(id_digest[:4], "little") % self.partitions
        digest = digest_of(text)
        self._ids += id_digest
        self._digests += digest
        self._partitions.append(number)
        self._rows.append(self._counts[number])
        self._sizes.append(len(text))
        self._counts[number] += 1
        self._waiting[number].append((page_id, digest, text))
        self._waiting_bytes[number] += len(text) + 64
        if self._waiting_bytes[number] >= self._group_bytes:
            self._flush(number)

    def _flush(self, number: int) -> None:
        waiting = self._waiting[number]
        if waiting:
            columns = [
                pa.array(column, field.type)
                for column, field in zip(zip(*waiting, strict=True), SCHEMA, strict=True)
            ]
            table = pa.table(columns, schema=SCHEMA)
            self._writers[number].write_table(table, row_group_size=len(waiting))
        self._waiting[number] = []
        self._waiting_bytes[number] = 0

    def close(self) -> Index:
        """Finish all files; what was written."""
        with telling("write the snapshot's pages"):
            for number, writer in enumerate(self._writers):
                self._flush(number)
                writer.close()
            self._files.close()
        return Index(
            np.frombuffer(bytes(self._ids), np.dtype("V16")),
            np.frombuffer(bytes(self._digests), np.dtype("V16")),
            np.array(self._partitions, np.int32),
            np.array(self._rows, np.int32),
            np.array(self._sizes, np.int64),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None:
            for writer in self._writers:
                with suppress(OSError, pa.ArrowException):  # else it tries again when it is freed
                    writer.close()
            self._files.__exit__(kind, error, trace)  # type: ignore[arg-type]  # drops the files


class Pages:
    """The pages of one partition, read when asked for, group by group."""

    def __init__(self, place: Place, snapshot: str, partition: int) -> None:
        self._place = place
        self._name = file_name(snapshot, partition)
        with reading(place, self._name):
            self._file = open_table(place, self._name)
        metadata = self._file.metadata
        sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
        self._first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.count = int(self._first[-1])

    @cached_property
    def ids(self) -> list[str]:
        """The id of each page."""
        with reading(self._place, self._name):
            column = self._file.read(columns=["id"]).column("id").to_pylist()
            return [one.decode("utf-8", "surrogatepass") for one in column]

    def all_texts(self) -> Iterator[tuple[int, str]]:
        """Every row with its text."""
        return self.texts(np.arange(self.count))

    def texts(self, rows: NDArray[np.intp]) -> Iterator[tuple[int, str]]:
        """Rows, which must ascend, each with its text."""
        groups = np.searchsorted(self._first, rows, "right") - 1
        for group in np.unique(groups).tolist():
            with reading(self._place, self._name):
                column = self._file.read_row_group(group, columns=["text"]).column("text")
            for row in rows[groups == group].tolist():
                with reading(self._place, self._name):
                    data = column[row - int(self._first[group])].as_buffer()
                    text = str(data, "utf-8", "surrogatepass")
                yield row, text


def read_index(place: Place, snapshot: str, partitions: int) -> Index:
    """What is known of all pages of a snapshot."""
    parts = []
    for number in range(partitions):
        name = file_name(snapshot, number)
        with reading(place, name):
            parts.append(open_table(place, name).read(columns=["id", "digest"], use_threads=False))
    ids = [digest_of(one) for part in parts for one in _values(part, "id")]
    digests = [one for part in parts for one in _values(part, "digest")]
    counts = [part.num_rows for part in parts]
    return Index(
        np.frombuffer(b"".join(ids), np.dtype("V16")),
        np.frombuffer(b"".join(digests), np.dtype("V16")),
        np.repeat(np.arange(partitions, dtype=np.int32), counts),
        np.concatenate([np.arange(count, dtype=np.int32) for count in counts]),
        np.zeros(sum(counts), np.int64),
    )


def _values(table: pa.Table, name: str) -> Iterable[bytes]:
    found: list[bytes] = table.column(name).to_pylist()
    return found


def page_key(page: Page) -> tuple[bytes, bytes]:
    """A page's id as it is kept, and its digest."""
    page_id = encoded(page.id)
    return page_id, digest_of(page_id)

"""The texts of pages: each is written once, and snapshots that have it refer to it.

Snapshot N writes the texts that are new in it to the folder `texts/N`, one file per partition:

    snapshot 0   pages a, b, c    texts/000000: a, b, c
    snapshot 1   b has changed    texts/000001: b          a and c refer to texts/000000

A folder stays as long as a snapshot refers to it. So that old folders go, texts in folders that are
little used are written again.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from rowen.storage.place import Place, store_errors
from rowen.storage.snapshots.tables import open_table, reading, table_writer

TEXT_GROUP_BYTES = 256 * 1024
"""Limit: bytes of text that are compressed together. To read one page, its whole group is read."""

TEXT_FOLDERS = 8
"""Limit: folders of earlier texts that a snapshot may refer to. To read a partition, a file in
each of them is opened. Texts in smaller folders are written again."""

WAITING_BYTES = 64 * 1024 * 1024
"""Limit: bytes of text that wait in memory to be written, over all partitions."""

TEXTS = "texts"
_SCHEMA = pa.schema([("text", pa.large_binary())])


def encoded(text: str) -> bytes:
    """A text as it is stored. Arrow's strings can't hold lone surrogates, which pages may have."""
    return text.encode("utf-8", "surrogatepass")


def texts_folder(number: int) -> str:
    """The folder of the texts that came with a snapshot."""
    return f"{TEXTS}/{number:06}"


def texts_file(number: int, partition: int) -> str:
    """The file of those of one partition."""
    return f"{texts_folder(number)}/{partition:04}.parquet"


@dataclass(frozen=True, slots=True)
class Spots:
    """Where texts are: the snapshot with which each came, its partition there, and its row."""

    folders: NDArray[np.int32]
    files: NDArray[np.int32]
    rows: NDArray[np.int32]


def worth_keeping(
    folders: NDArray[np.int32], sizes: NDArray[np.int64], written: Mapping[str, int]
) -> set[int]:
    """The folders to which the next snapshot may refer, given those of the last snapshot's texts.

    Folders of which less than half is in use may not be referred to, nor all but the largest few:
    their texts are written again, so that the folders can be removed.
    """
    numbers, where = np.unique(folders, return_inverse=True)
    used = np.bincount(where, sizes, len(numbers)).tolist()
    half_used = [
        (size, number)
        for number, size in zip(numbers.tolist(), used, strict=True)
        # So a snapshot keeps folders with about twice its own bytes, at most.
        if 2 * size >= written.get(str(number), 0)
    ]
    return {number for _, number in sorted(half_used, reverse=True)[:TEXT_FOLDERS]}


_GROUPS_WAITING = 4
"""Limit: groups that wait to be written while more texts come."""


class TextsWriter:
    """Writes texts to the files of their partitions, in groups.

    A thread compresses and writes a group while the next texts are read.
    """

    def __init__(self, place: Place, number: int, partitions: int) -> None:
        self._place = place
        self._number = number
        self._group_bytes = min(TEXT_GROUP_BYTES, WAITING_BYTES // partitions)
        self._files = ExitStack()
        self._writers: dict[int, pq.ParquetWriter] = {}
        # One thread, so that the groups of a file are written in the order in which rows were
        # counted.
        self._thread = ThreadPoolExecutor(1, "rowen-texts")
        self._writing: deque[Future[None]] = deque()
        self._waiting: list[list[bytes]] = [[] for _ in range(partitions)]
        self._waiting_bytes = [0] * partitions
        self._counts = [0] * partitions
        self.bytes = 0

    def add(self, partition: int, text: bytes) -> int:
        """Write a text; returns its row."""
        row = self._counts[partition]
        self._counts[partition] = row + 1
        self._waiting[partition].append(text)
        # With something for the object: pages without text would otherwise wait without limit.
        self._waiting_bytes[partition] += len(text) + 64
        self.bytes += len(text)
        if self._waiting_bytes[partition] >= self._group_bytes:
            self._flush(partition)
        return row

    def _flush(self, partition: int) -> None:
        waiting = self._waiting[partition]
        if waiting:
            self._writing.append(self._thread.submit(self._write, partition, waiting))
            self._waiting[partition] = []
            self._waiting_bytes[partition] = 0
            self._await(_GROUPS_WAITING)

    def _await(self, most: int) -> None:
        """Wait until at most `most` groups are left to write."""
        while len(self._writing) > most:
            self._writing.popleft().result()

    def _write(self, partition: int, waiting: Sequence[bytes]) -> None:
        if partition not in self._writers:
            name = texts_file(self._number, partition)
            stream = self._files.enter_context(self._place.writing(name))
            self._writers[partition] = table_writer(stream, _SCHEMA)
        ends = np.cumsum([0, *map(len, waiting)], dtype=np.int64)
        column = pa.Array.from_buffers(
            pa.large_binary(),
            len(waiting),
            [None, pa.py_buffer(ends), pa.py_buffer(b"".join(waiting))],
        )
        table = pa.table([column], schema=_SCHEMA)
        self._writers[partition].write_table(table, row_group_size=len(column))

    def close(self) -> None:
        """Finish all files."""
        with store_errors("write the snapshot's texts"):
            for partition in range(len(self._waiting)):
                self._flush(partition)
            self._await(0)
            self._thread.shutdown()
            for writer in self._writers.values():
                writer.close()
            self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None:
            self._thread.shutdown(cancel_futures=True)
            for writer in self._writers.values():
                with suppress(OSError, pa.ArrowException):  # else it tries again when it is freed
                    writer.close()
            self._files.__exit__(kind, error, trace)  # type: ignore[arg-type]  # drops the files


class TextsReader:
    """Reads texts by their spots. Each group of a file is read once per call."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._open: dict[tuple[int, int], tuple[pq.ParquetFile, NDArray[np.int64]]] = {}

    def read(self, spots: Spots) -> Iterator[tuple[int, str]]:
        """The numbers of spots and their texts, in the order in which the texts are stored."""
        # In the order of the files, so that each group of texts is decompressed once.
        order = np.lexsort((spots.rows, spots.files, spots.folders))
        group, column, first = None, None, 0
        for number in order.tolist():
            folder, file, row = (
                int(column[number]) for column in (spots.folders, spots.files, spots.rows)
            )
            name = texts_file(folder, file)
            with reading(self._place, name):
                table, starts = self._file(folder, file)
                if group is None or group[:2] != (folder, file) or row >= group[2]:
                    at = int(np.searchsorted(starts, row, "right")) - 1
                    first, end = int(starts[at]), int(starts[at + 1])
                    group = folder, file, end
                    read = table.read_row_group(at, columns=["text"], use_threads=False)
                    column = read.column("text")
                assert column is not None
                text = str(column[row - first].as_buffer(), "utf-8", "surrogatepass")
            yield number, text

    def _file(self, folder: int, file: int) -> tuple[pq.ParquetFile, NDArray[np.int64]]:
        if (folder, file) not in self._open:
            table = open_table(self._place, texts_file(folder, file))
            metadata = table.metadata
            sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
            starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
            self._open[folder, file] = table, starts
        return self._open[folder, file]

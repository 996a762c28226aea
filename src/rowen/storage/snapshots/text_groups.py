"""Files of texts in groups that are compressed together. A run without new texts needs none."""

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from rowen.storage.place import Place
from rowen.storage.snapshots.tables import open_table, table_writer

READ_BYTES = 4 * 1024 * 1024
"""Limit: bytes of object storage that are read with one request, if neighbouring groups of texts
are wanted. A request takes as long as reading about a megabyte does."""

_SCHEMA = pa.schema([("text", pa.large_binary())])


class GroupsWriter:
    """Writes a file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._writer: pq.ParquetWriter = table_writer(stream, _SCHEMA)

    def write(self, texts: Sequence[bytes]) -> None:
        """Write a group."""
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        column = pa.Array.from_buffers(
            pa.large_binary(),
            len(texts),
            [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))],
        )
        table = pa.table([column], schema=_SCHEMA)
        self._writer.write_table(table, row_group_size=len(column))

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


class Groups:
    """Reads a file. The group that was read last is at hand."""

    def __init__(self, place: Place, name: str) -> None:
        self._table = open_table(place, name)
        metadata = self._table.metadata
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        sizes = [group.num_rows for group in groups]
        self._bytes = [group.column(0).total_compressed_size for group in groups]
        # On a disk, several groups at once would only take more memory.
        self._most = 0 if place.is_local else READ_BYTES
        self._wanted: frozenset[int] = frozenset()
        self._starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self._first, self._end = 0, 0
        self._bounds: list[int] = []
        self._data = memoryview(b"")

    def want(self, rows: NDArray[np.int32]) -> None:
        """Say which rows will be read, in their order, so that groups are read together."""
        wanted = np.searchsorted(self._starts, rows, "right") - 1
        self._wanted = frozenset(wanted.tolist())

    def text(self, row: int) -> bytes:
        """The text of a row."""
        if not self._first <= row < self._end:
            self._read(int(np.searchsorted(self._starts, row, "right")) - 1)
        at = row - self._first
        return bytes(self._data[self._bounds[at] : self._bounds[at + 1]])

    def _read(self, group: int) -> None:
        self.forget()
        end, size = group + 1, self._bytes[group]
        while end in self._wanted and size + self._bytes[end] <= self._most:
            size += self._bytes[end]
            end += 1
        groups = list(range(group, end))
        column = self._table.read_row_groups(groups, columns=["text"], use_threads=False)["text"]
        texts = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        # Buffers of Arrow: a call for each text would take longer than most texts do.
        _, ends, data = texts.buffers()
        bounds = np.frombuffer(ends, np.int64, len(texts) + 1, 8 * texts.offset)
        if len(texts) and (bounds[0] < 0 or bounds[-1] > data.size or np.any(np.diff(bounds) < 0)):
            raise ValueError("its texts have no place in it")
        self._bounds = bounds.tolist()
        self._data = memoryview(data)
        self._first, self._end = int(self._starts[group]), int(self._starts[end])
        if len(texts) != self._end - self._first:
            raise ValueError("it has fewer texts than it lists")

    def forget(self) -> None:
        """Release the group that was read last."""
        self._first, self._end = 0, 0
        self._bounds = []
        self._data = memoryview(b"")

"""Files of texts in groups that are compressed together. A run without new texts needs none."""

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rowen.storage.place import Place
from rowen.storage.snapshots.tables import open_table, table_writer

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
        sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
        self._starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self._first, self._end = 0, 0
        self._bounds: list[int] = []
        self._data = memoryview(b"")

    def text(self, row: int) -> bytes:
        """The text of a row."""
        if not self._first <= row < self._end:
            self._read(int(np.searchsorted(self._starts, row, "right")) - 1)
        at = row - self._first
        return bytes(self._data[self._bounds[at] : self._bounds[at + 1]])

    def _read(self, group: int) -> None:
        self.forget()
        column = self._table.read_row_group(group, columns=["text"], use_threads=False)["text"]
        texts = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        # Buffers of Arrow: a call for each text would take longer than most texts do.
        _, ends, data = texts.buffers()
        bounds = np.frombuffer(ends, np.int64, len(texts) + 1, 8 * texts.offset)
        if len(texts) and (bounds[0] < 0 or bounds[-1] > data.size or np.any(np.diff(bounds) < 0)):
            raise ValueError("its texts have no place in it")
        self._bounds = bounds.tolist()
        self._data = memoryview(data)
        self._first, self._end = int(self._starts[group]), int(self._starts[group + 1])
        if len(texts) != self._end - self._first:
            raise ValueError("it has fewer texts than it lists")

    def forget(self) -> None:
        """Release the group that was read last."""
        self._first, self._end = 0, 0
        self._bounds = []
        self._data = memoryview(b"")

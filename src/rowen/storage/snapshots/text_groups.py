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
        self._column: pa.ChunkedArray | None = None

    def text(self, row: int) -> bytes:
        """The text of a row."""
        if self._column is None or not self._first <= row < self._end:
            at = int(np.searchsorted(self._starts, row, "right")) - 1
            self._first, self._end = int(self._starts[at]), int(self._starts[at + 1])
            read = self._table.read_row_group(at, columns=["text"], use_threads=False)
            self._column = read.column("text")
        text: bytes = self._column[row - self._first].as_buffer().to_pybytes()
        return text

    def forget(self) -> None:
        """Release the group that was read last."""
        self._column = None

"""The index of pages and the records of snapshots of format 2, which were Parquet files.

Nothing writes such files any more. A store that has them goes on: its next snapshots are written
in the new format, and the old ones stay as they are until they are removed.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rowen.storage.place import Place
from rowen.storage.snapshots.reading import reading
from rowen.storage.snapshots.tables import open_table

ENDING = ".parquet"
SHAPES = b"rowen.shapes"


def read_table(place: Place, name: str) -> pa.Table:
    """A whole file."""
    with reading(place, name):
        return open_table(place, name).read(use_threads=False).combine_chunks()


def voids(table: pa.Table, name: str) -> NDArray[np.void]:
    """A column of digests."""
    kind = np.dtype("V16")
    if not table.num_rows:
        return np.empty(0, kind)
    chunk = table.column(name).chunk(0)
    values: NDArray[np.void] = np.frombuffer(chunk.buffers()[1], kind)
    return values[chunk.offset : chunk.offset + len(chunk)]


def lists(column: pa.ChunkedArray) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The numbers of all lists, and how many each has. Arrow's own function is slow to import."""
    combined = combine(column)
    offsets = combined.offsets.to_numpy()
    return combined.values.to_numpy()[offsets[0] : offsets[-1]], np.diff(offsets)


def combine(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    return pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)

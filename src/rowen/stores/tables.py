"""Parquet files of a store: checked as they are read, so that a damaged one is told by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from rowen.model.errors import StoreError
from rowen.stores.place import Place, telling


@contextmanager
def reading(place: Place, name: str) -> Iterator[None]:
    """What a file holds is not what a store writes: say which file it is."""
    path = place.path(name)
    try:
        with telling(f"read {path}"):
            try:
                yield
            except pa.ArrowInvalid as error:  # neither Parquet nor one of ours
                raise ValueError(str(error)) from error
    except (ValueError, KeyError, IndexError) as error:
        reason = str(error).split("\n", maxsplit=1)[0]
        raise StoreError(
            f"{path} is damaged: {reason}; `--scratch` makes a snapshot that needs no other"
        ) from error


def open_table(place: Place, name: str) -> pq.ParquetFile:
    """A file to read from; within `reading`."""
    stream = place.files.open_input_file(place.path(name))
    return pq.ParquetFile(stream, page_checksum_verification=True)


def table_writer(stream: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    """Writes a file; the sums of its parts are in it."""
    return pq.ParquetWriter(
        stream,
        schema,
        compression="lz4",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )


def release_memory() -> None:
    """Give back what Arrow keeps for later: several times the largest page that it wrote."""
    pa.default_memory_pool().release_unused()

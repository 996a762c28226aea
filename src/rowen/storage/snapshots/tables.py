"""The Parquet files of a store. They have checksums, so that an error names a damaged file."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from rowen.model.errors import StoreError
from rowen.storage.place import Place, store_errors


@contextmanager
def reading(place: Place, name: str) -> Iterator[None]:
    """Turn any error in the content of a file into a `StoreError` that names it."""
    path = place.path(name)
    try:
        with store_errors(f"read {path}"):
            try:
                yield
            except pa.ArrowInvalid as error:  # not Parquet, or a wrong checksum
                raise ValueError(str(error)) from error
    except (ValueError, KeyError, IndexError) as error:
        reason = str(error).split("\n", maxsplit=1)[0]
        raise StoreError(
            f"{path} is damaged: {reason}; run with `--scratch` to make a snapshot without it"
        ) from error


def missing(place: Place, name: str) -> StoreError:
    """The error for a file that should be there."""
    return StoreError(
        f"{place.path(name)} is missing; run with `--scratch` to make a snapshot without it"
    )


def open_table(place: Place, name: str) -> pq.ParquetFile:
    """Open a file for reading; to be used within `reading`."""
    stream = place.files.open_input_file(place.path(name))
    return pq.ParquetFile(stream, page_checksum_verification=True)


def table_writer(stream: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    """A writer of a file with checksums."""
    return pq.ParquetWriter(
        stream,
        schema,
        compression="zstd",
        # Digests, texts and offsets hardly ever repeat, and nothing is searched for by its value.
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )


def release_memory() -> None:
    """Give back memory that Arrow holds for later: several times the largest page that it wrote."""
    pa.default_memory_pool().release_unused()

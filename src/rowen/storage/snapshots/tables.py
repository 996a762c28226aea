"""The Parquet files of a store. They have checksums, so that an error names a damaged file."""

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from rowen.storage.place import Place


def open_table(place: Place, name: str) -> pq.ParquetFile:
    """Open a file for reading; to be used within `reading`."""
    stream = place.files.open_anywhere(place.path(name))
    # Buffered ahead, neighbouring groups are one request of object storage.
    return pq.ParquetFile(stream, page_checksum_verification=True, pre_buffer=not place.is_local)


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

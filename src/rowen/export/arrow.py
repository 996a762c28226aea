"""Records as a Parquet file or an Arrow file, with the columns of `Records.to_arrow`."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol

from rowen.export.plan import Plan
from rowen.export.table_writer import TableWriter
from rowen.export.target import Target
from rowen.model import OutputError
from rowen.model.extras import needs
from rowen.records.arrow import EXTRACTOR, PAGE, ArrowLayout, Leading
from rowen.records.columns import text_of
from rowen.records.outline import Outline
from rowen.records.written import Written

with needs("store", "a Parquet or Arrow file"):
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

ROW_GROUP_ROWS = 20_000
"""Limit: the rows of a Parquet row group or Arrow batch: as Python objects they take 50 MB."""

ROW_GROUP_BYTES = 8 * 1024 * 1024
"""Limit: the bytes of a row group as JSON, for records with long values."""


class _TableFile(Protocol):
    def write_table(self, table: pa.Table) -> None: ...
    def close(self) -> None: ...


class ArrowWriter(TableWriter):
    """One row per record, in an Arrow IPC file (Feather).

    A file has one schema, but which fields without a type occur, and which of them repeat, is known
    only at the end. So records are spooled first. A lone surrogate becomes U+FFFD.
    """

    needs_outline = True

    def _prepare(self) -> None:
        self._layout: ArrowLayout | None = None
        self._file: _TableFile | None = None

    def _begin(self, group: str, outline: Outline) -> None:  # noqa: ARG002  # there is only one
        plan = self.plan
        self._layout = ArrowLayout(
            outline, leading=_leading(plan), source=plan.source, spans=plan.spans
        )
        sink = pa.PythonFile(_ArrowFile(self._target), mode="w")
        self._file = self._open_file(sink, self._layout.schema)

    def _open_file(self, sink: pa.NativeFile, schema: pa.Schema) -> _TableFile:
        # Arrow's own tools read any compression; Feather's readers all know LZ4.
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        file: _TableFile = pa.ipc.new_file(sink, schema, options=options)
        return file

    def _add(self, group: str, rows: Iterator[Written]) -> None:  # noqa: ARG002  # there is only one
        assert self._layout is not None
        assert self._file is not None
        for batch in _row_groups(rows):
            self._file.write_table(self._layout.table(batch))

    def _end(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _discard(self) -> None:
        super()._discard()
        if self._file is not None:
            # After a failure: a file that is left open would write its end when it is collected.
            with suppress(OSError, OutputError):
                self._file.close()
            self._file = None


class ParquetWriter(ArrowWriter):
    """The same in a Parquet file."""

    def _open_file(self, sink: pa.NativeFile, schema: pa.Schema) -> _TableFile:
        file: _TableFile = pq.ParquetWriter(sink, schema, compression="zstd")
        return file


def _leading(plan: Plan) -> list[Leading]:
    """The columns before those of the fields; records of a store say where they are from."""
    if plan.snapshot is None:
        return [PAGE, EXTRACTOR] if plan.name_extractor else [PAGE]
    number = plan.snapshot

    def key(record: Written) -> str | None:
        """What identifies the record: its key's values as one text, None if one is missing."""
        names = plan.schema_of(record.extractor).keys_of_records
        values = [record.content["values"].get(name) for name in names]
        return None if not values or None in values else text_of(values)

    return [
        Leading("snapshot", pa.int64(), lambda _: number),
        EXTRACTOR,
        PAGE,
        Leading("key", pa.string(), key),
    ]


def _row_groups(rows: Iterator[Written]) -> Iterator[list[Written]]:
    batch: list[Written] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += row.size
        if len(batch) >= ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _ArrowFile:
    """A target with the methods of a file that pyarrow needs; the writer closes it."""

    closed = False

    def __init__(self, target: Target) -> None:
        self._target = target
        self._written = 0

    def write(self, data: Any) -> int:
        written = bytes(data)
        self._target.write(written)
        self._written += len(written)
        return len(written)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

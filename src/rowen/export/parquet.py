"""Records as a Parquet file, with the columns of the record files."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowen.export.jsonl import RecordEncoder
from rowen.export.spool import Spool
from rowen.export.target import Target
from rowen.export.unicode import encode
from rowen.export.writer import TargetWriter
from rowen.limits import ROW_GROUP_BYTES, ROW_GROUP_ROWS
from rowen.model import Page, Record
from rowen.model.arrow import Shape


class ParquetWriter(TargetWriter):
    """A row a record; the columns are those of `Records.to_arrow`, and the extractor if asked.

    Which fields come, and which of them repeat, shows only at the end. So records wait as JSON
    lines, and go to row groups of one schema when all are known. A lone surrogate becomes U+FFFD.
    """

    def __init__(self, target: Target, *, fields: Sequence[str], name_extractor: bool) -> None:
        super().__init__(target)
        self._leading = ["page", *(["extractor"] * name_extractor)]
        self._shape = Shape(fields)
        self._encoder = RecordEncoder(name_extractor=name_extractor)
        self._waiting = Spool()

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Keep the records aside."""
        for batch in self._encoder.batches(self._seen(records), page=page, extractor=extractor):
            batch.append("")
            self._waiting.write(encode("\n".join(batch)))

    def _seen(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self._shape.widen(record)
            yield record

    def _finish(self) -> None:
        schema = self._shape.schema(self._leading)
        file = pa.PythonFile(_ArrowFile(self._target), mode="w")
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for rows in self._row_groups():
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))

    def _row_groups(self) -> Iterator[list[dict[str, Any]]]:
        rows: list[dict[str, Any]] = []
        size = 0
        for line in self._waiting.lines():
            rows.append(self._shape.conform(json.loads(line)))
            size += len(line)
            if len(rows) >= ROW_GROUP_ROWS or size >= ROW_GROUP_BYTES:
                yield rows
                rows, size = [], 0
        if rows:
            yield rows

    def _discard(self) -> None:
        self._waiting.close()


class _ArrowFile:
    """A target as the file that pyarrow asks for; closing it is left to the writer."""

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

"""The results of an extractor for a partition: one row per page, in the order of the pages."""

import json
import re
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from rowen.records.packed import EMPTY, NESTED, Packed, Shapes, join
from rowen.storage.place import Place
from rowen.storage.snapshots.tables import open_table, reading, table_writer

SCHEMA = pa.schema(
    [
        ("shapes", pa.large_list(pa.int32())),
        ("bounds", pa.large_list(pa.int32())),
        ("failure", pa.string()),
        ("complete", pa.bool_()),
    ]
)
"""`complete` is false if the extractor raised: then there are no records to reuse. A wrapper that
no longer fits a page gives the records up to that point, and `failure` says why it stopped."""

_SHAPES = b"rowen.shapes"


def file_name(snapshot: str, extractor: str, partition: int) -> str:
    """The file of an extractor's results of a partition."""
    # A name may have any character. As a file name it must not leave the folder of the snapshot.
    safe = re.sub(r"[^A-Za-z0-9_.-]", lambda match: f"%{ord(match[0]):x}.", extractor)
    return f"{snapshot}/records-{safe}-{partition:04}.parquet"


class Results(NamedTuple):
    """The records of all pages, page after page, and how many each page has."""

    records: Packed
    counts: NDArray[np.int64]
    failures: list[str | None]
    complete: NDArray[np.bool_]
    shapes: Shapes

    def first(self) -> NDArray[np.int64]:
        """The number of each page's first record, and at the end the number of records."""
        return np.concatenate(([0], np.cumsum(self.counts)))


class ResultsBuilder:
    """Collects the results of pages, one by one or in blocks copied from other results."""

    def __init__(self) -> None:
        self.shapes = Shapes()
        self._parts: list[Packed] = []
        self._counts: list[NDArray[np.int64]] = []
        self._failures: list[str | None] = []
        self._complete: list[NDArray[np.bool_]] = []

    def add(self, records: Packed, failure: str | None = None, *, complete: bool = True) -> None:
        """Add the next page's records."""
        self._parts.append(records)
        self._counts.append(np.array([records.count], np.int64))
        self._failures.append(failure)
        self._complete.append(np.array([complete]))

    def fail(self, reason: str) -> None:
        """The extractor failed on the next page, which has no records."""
        self.add(EMPTY, reason, complete=False)

    def copy(self, old: Results, first: NDArray[np.int64], start: int, end: int) -> int:
        """Copy the pages from row `start` to `end` of other results; returns how many records."""
        part = old.records.slice(int(first[start]), int(first[end]))
        self._parts.append(part.renumbered(old.shapes.numbers_in(self.shapes)))
        self._counts.append(old.counts[start:end])
        self._failures += old.failures[start:end]
        self._complete.append(old.complete[start:end])
        return part.count

    def done(self) -> Results:
        """The results of all pages. Equal records give equal files, however they were made."""
        # Shapes are numbered in the order of records. Otherwise copied and extracted records would
        # be stored in different bytes, and no test could compare a run with one from scratch.
        records, shapes = join(self._parts).numbered_anew(self.shapes)
        return Results(
            records,
            np.concatenate(self._counts) if self._counts else np.empty(0, np.int64),
            self._failures,
            np.concatenate(self._complete) if self._complete else np.empty(0, np.bool_),
            shapes,
        )


def write_results(
    place: Place, snapshot: str, extractor: str, partition: int, results: Results
) -> int:
    """Write the file; returns its size in bytes."""
    records = results.records
    first = results.first()
    table = pa.table(
        [
            pa.LargeListArray.from_arrays(first, pa.array(records.shapes)),
            pa.LargeListArray.from_arrays(records.offsets[first], pa.array(records.bounds)),
            pa.array(results.failures, pa.string()),
            pa.array(results.complete),
        ],
        schema=SCHEMA.with_metadata({_SHAPES: json.dumps(results.shapes.written)}),
    )
    name = file_name(snapshot, extractor, partition)
    with place.writing(name) as stream:
        with table_writer(stream, table.schema) as writer:
            writer.write_table(table)
        return int(stream.tell())


def read_results(place: Place, snapshot: str, extractor: str, partition: int) -> Results:
    """Read the results of an extractor for a partition."""
    name = file_name(snapshot, extractor, partition)
    with reading(place, name):
        return _results(open_table(place, name).read(use_threads=False))


def _results(table: pa.Table) -> Results:
    shapes = Shapes(json.loads(table.schema.metadata[_SHAPES]))
    flat, counts = _flat(table.column("shapes"))
    flat_bounds, _ = _flat(table.column("bounds"))
    widths = np.array([_width(json.loads(shape)) for shape in shapes.written], np.int64)
    sizes = widths[flat] if len(widths) else np.empty(0, np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    # Checksums show damage, not a file that was made wrong on purpose: bounds would be read
    # shifted.
    if len(flat_bounds) != offsets[-1]:
        raise ValueError("its records don't fit the shapes that it lists")
    return Results(
        Packed(flat, offsets, flat_bounds),
        counts,
        table.column("failure").to_pylist(),
        _combined(table.column("complete")).to_numpy(zero_copy_only=False),
        shapes,
    )


def _flat(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The numbers of all lists, and how many each has. Arrow's own function is slow to import."""
    lists = _combined(column)
    offsets = lists.offsets.to_numpy()
    return lists.values.to_numpy()[offsets[0] : offsets[-1]], np.diff(offsets)


def _combined(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)


def _width(shape: dict[str, object]) -> int:
    """How many numbers a record of this shape has."""
    total = 0
    for count in shape.values():
        if count == 1:
            total += 2
        elif isinstance(count, dict):
            total += sum(map(_width, count[NESTED]))
        elif isinstance(count, list):
            total += sum(_width(part) if isinstance(part, dict) else 2 * part for part in count)
    return total

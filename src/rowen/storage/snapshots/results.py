"""The results of an extractor for a partition: one row per page, in the order of the pages."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.records.packed import EMPTY, NESTED, Packed, Shapes, join
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import ENDING, read_columns, write_columns
from rowen.storage.snapshots.reading import missing, reading


def file_name(extractor: str, partition: int) -> str:
    """The file of an extractor's results of a partition, in the folder of a snapshot."""
    # A name may have any character. As a file name it must not leave the folder of the snapshot.
    safe = re.sub(r"[^A-Za-z0-9_.-]", lambda match: f"%{ord(match[0]):x}.", extractor)
    return f"records-{safe}-{partition:04}"


class Results(NamedTuple):
    """The records of all pages, page after page, and how many each page has."""

    records: Packed
    counts: NDArray[np.int64]
    failures: list[str | None]
    complete: NDArray[np.bool_]
    """Whether the extractor came to an end. If it raised, there are no records to reuse; a wrapper
    that no longer fits a page gives the records up to that point, and its failure says why."""
    shapes: Shapes
    raw: bytes = b""
    """What their file holds, if they were read from one of the present format."""

    def first(self) -> NDArray[np.int64]:
        """The number of each page's first record, and at the end the number of records."""
        return np.concatenate(([0], np.cumsum(self.counts)))


class ResultsBuilder:
    """Collects the results of pages, one by one or in blocks copied from other results."""

    def __init__(self) -> None:
        self.shapes = Shapes()
        self._parts: list[Packed] = []
        self._counts: list[int] = []
        self._failures: list[str | None] = []
        self._complete: list[bool] = []

    def add(self, records: Packed, failure: str | None = None, *, complete: bool = True) -> None:
        """Add the next page's records."""
        self._parts.append(records)
        self._counts.append(records.count)
        self._failures.append(failure)
        self._complete.append(complete)

    def add_pages(
        self, records: Packed, counts: Sequence[int], failures: Sequence[str | None]
    ) -> None:
        """Add the records of the next pages, of which each has so many."""
        self._parts.append(records)
        self._counts += counts
        self._failures += failures
        self._complete += [True] * len(counts)

    def fail(self, reason: str) -> None:
        """The extractor failed on the next page, which has no records."""
        self.add(EMPTY, reason, complete=False)

    def copy(self, old: Results, first: NDArray[np.int64], start: int, end: int) -> int:
        """Copy the pages from row `start` to `end` of other results; returns how many records."""
        part = old.records.slice(int(first[start]), int(first[end]))
        self._parts.append(part.renumbered(old.shapes.numbers_in(self.shapes)))
        self._counts += old.counts[start:end].tolist()
        self._failures += old.failures[start:end]
        self._complete += old.complete[start:end].tolist()
        return part.count

    def done(self) -> Results:
        """The results of all pages. Equal records give equal files, however they were made."""
        # Shapes are numbered in the order of records. Otherwise copied and extracted records would
        # be stored in different bytes, and no test could compare a run with one from scratch.
        records, shapes = join(self._parts).numbered_anew(self.shapes)
        return Results(
            records,
            np.array(self._counts, np.int64),
            self._failures,
            np.array(self._complete, np.bool_),
            shapes,
        )


def write_results(  # what, and where to
    place: Place,
    snapshot: str,
    extractor: str,
    partition: int,
    results: Results,
    *,
    base: int | None = None,
    base_raw: bytes = b"",
) -> int:
    """Write the file, as a difference from that of snapshot `base`; returns its size in bytes."""
    records = results.records
    return write_columns(
        place,
        snapshot,
        file_name(extractor, partition),
        {
            "counts": results.counts.astype(np.int32),
            "complete": results.complete,
            "shapes": records.shapes,
            "bounds": records.bounds,
        },
        {
            "shapes": results.shapes.written,
            "failures": {
                row: failure for row, failure in enumerate(results.failures) if failure is not None
            },
        },
        # From one bound to the next it is not far, wherever on the page they are.
        rising=("bounds",),
        base=base,
        base_raw=base_raw,
    )


def read_results(place: Place, snapshot: str, extractor: str, partition: int) -> Results:
    """Read the results of an extractor for a partition."""
    name = file_name(extractor, partition)
    columns = read_columns(place, snapshot, name)
    if columns is None:
        return _read_table(place, snapshot, name)
    with reading(place, f"{snapshot}/{name}{ENDING}"):
        counts, complete, shapes, bounds = columns.arrays.values()
        failures: list[str | None] = [None] * len(counts)
        for row, failure in columns.notes["failures"].items():
            failures[int(row)] = failure
        numbered = Shapes(columns.notes["shapes"])
        packed = _packed(shapes, bounds, numbered)
        return Results(packed, counts.astype(np.int64), failures, complete, numbered, columns.raw)


def _read_table(place: Place, snapshot: str, name: str) -> Results:
    """The results in a file of an earlier format."""
    from rowen.storage.snapshots import parquet_files

    path = f"{snapshot}/{name}"
    if not place.exists(path + parquet_files.ENDING):
        raise missing(place, f"{path}{ENDING}")
    table = parquet_files.read_table(place, path + parquet_files.ENDING)
    with reading(place, path + parquet_files.ENDING):
        shapes = Shapes(json.loads(table.schema.metadata[parquet_files.SHAPES]))
        flat, counts = parquet_files.lists(table.column("shapes"))
        bounds, _ = parquet_files.lists(table.column("bounds"))
        complete = parquet_files.combine(table.column("complete"))
        return Results(
            _packed(flat, bounds, shapes),
            counts,
            table.column("failure").to_pylist(),
            complete.to_numpy(zero_copy_only=False),
            shapes,
        )


def _packed(flat: NDArray[np.int32], bounds: NDArray[np.int32], shapes: Shapes) -> Packed:
    widths = np.array([_width(json.loads(shape)) for shape in shapes.written], np.int64)
    sizes = widths[flat] if len(widths) else np.empty(0, np.int64)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    # Checksums show damage, not a file that was made wrong on purpose: bounds would be read
    # shifted.
    if len(bounds) != offsets[-1]:
        raise ValueError("its records don't fit the shapes that it lists")
    return Packed(flat, offsets, bounds)


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

"""Works in Parquet files: read in batches, and only in the columns that are needed."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rowen.model.errors import SourceError
from rowen.model.extras import needs

with needs("store", "a Parquet file"):
    import pyarrow as pa
    import pyarrow.parquet as pq

WORKS_AT_ONCE = 4_096
"""Limit: how many works are read at once; the nested columns of one may have megabytes."""

TITLES = ("title", "display_name")
"""The columns that a title may be in: a dump needs one of them."""

KEYS = (*TITLES, "subtitle", "doi", "volume", "page", "pages", "biblio")
"""The columns that candidates are found by; the others are converted for candidates only."""

DETAILS = (
    "id", "author", "authors", "authorships", "publication_year", "year", "publication_date",
    "date", "issued", "published", "published-print", "published-online", "created",
    "container-title", "primary_location", "container", "journal",
)  # fmt: skip
"""The columns that a candidate is compared by, as Crossref, OpenAlex and plain tables name them."""

_PARTS = {
    "author": ("given", "family", "name"),
    "authorships": ("author.display_name",),
    "primary_location": ("source.display_name",),
}
"""Of these columns only some parts are read: `authorships` has whole addresses."""


class Dump:
    """The works of Parquet files."""

    def __init__(self, places: Sequence[str | os.PathLike[str]]) -> None:
        self.files = [file for place in places for file in _files(Path(place))]
        self.works = 0
        for file in self.files:
            with _opened(file) as table:
                names = {name.lower() for name in table.schema_arrow.names}
                if not names & set(TITLES):
                    shown = ", ".join(map(repr, table.schema_arrow.names[:20])) or "none"
                    raise SourceError(
                        f"{file} has no column of titles ('title' or 'display_name'); "
                        f"its columns are {shown}"
                    )
                self.works += int(table.metadata.num_rows)

    def batches(self) -> Iterator["Batch"]:
        """All works, some thousands at a time."""
        for file in self.files:
            try:
                with _opened(file) as table:
                    columns = _columns(table)
                    for rows in table.iter_batches(WORKS_AT_ONCE, columns=columns):
                        yield Batch(rows)
            except (pa.ArrowException, OSError, ValueError) as error:
                raise _unreadable(file, error) from None


class Batch:
    """Some works of a file: the keys of all, and whole rows of those that are asked for."""

    def __init__(self, rows: pa.RecordBatch) -> None:
        self._rows = rows
        self._names = {name.lower(): name for name in reversed(rows.schema.names)}

    def __len__(self) -> int:
        return int(self._rows.num_rows)

    def keys(self) -> Iterator[dict[str, Any]]:
        """What candidates are found by, row by row."""
        names = [name for name in KEYS if name in self._names]
        columns = [_values(self._rows.column(self._names[name])) for name in names]
        for values in zip(*columns, strict=True):
            yield dict(zip(names, values, strict=True))

    def row(self, number: int) -> dict[str, Any]:
        """A whole row, by column names in lower case."""
        return {low: _value(self._rows.column(name)[number]) for low, name in self._names.items()}


def _columns(table: pq.ParquetFile) -> list[str]:
    """The paths of the columns to read, as the file writes them."""
    paths = [table.schema.column(number).path for number in range(len(table.schema.names))]
    chosen = []
    for path in paths:
        top, *inner = path.split(".")
        if top.lower() not in {*KEYS, *DETAILS}:
            continue
        # Lists have levels of their own in a path, of names that differ between writers.
        below = ".".join(part for part in inner if part not in {"list", "element", "item", "array"})
        parts = _PARTS.get(top.lower())
        if parts is None or not below or below in parts:
            chosen.append(path)
    return chosen


def _files(place: Path) -> list[Path]:
    if not place.is_dir():
        return [place]
    files = sorted(file for file in place.rglob("*") if file.suffix in {".parquet", ".pq"})
    if not files:
        raise SourceError(f"{place} has no Parquet files (.parquet, .pq)")
    return files


def _opened(file: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(file)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _unreadable(file, error) from None


def _unreadable(file: Path, error: Exception) -> SourceError:
    reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
    return SourceError(f"can't read {file} as Parquet: {reason}")


def _values(column: pa.Array) -> list[Any]:
    # pyarrow converts a whole column or fails: only one with a bad string is read value by value.
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = [_value(scalar) for scalar in column]
    return values


def _value(scalar: pa.Scalar) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return None

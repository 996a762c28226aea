"""Parquet tables with the columns `id` and `text`."""

import os
from collections.abc import Iterator
from typing import Any

from rowen.model.errors import DocumentError, SourceError
from rowen.model.extras import needs
from rowen.model.page import Page
from rowen.sources.base import Source, page_or_error, unicode_id
from rowen.text.charset import PAGE_BYTES

with needs("store", "a Parquet file"):
    import pyarrow as pa
    import pyarrow.parquet as pq

SOURCE_BATCH_ROWS = 256
"""Limit: how many rows of a Parquet table are read at once: pages may have megabytes each."""


class Parquet(Source):
    """The rows of a table as pages, read in batches.

    A text is a string, or bytes whose charset is detected as in a file; an id is a string or a
    whole number.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit
        # The schema is checked at once, so that a wrong table is reported before any work is done.
        with self._open() as table:
            schema = table.schema_arrow
            self._check_column(schema, "id", _is_id)
            self._check_column(schema, "text", _is_text)
            self._rows = int(table.metadata.num_rows)

    @property
    def count_hint(self) -> int:
        """The number of rows."""
        return self._rows

    def found(self) -> Iterator[Page | DocumentError]:
        """The pages; a row without an id or a text is reported with its number, counted from 1."""
        row = 0
        with self._open() as table:
            batches = table.iter_batches(SOURCE_BATCH_ROWS, columns=["id", "text"])
            while (batch := self._next(batches)) is not None:
                ids = _values(batch.column("id"))
                texts = _values(batch.column("text"))
                for page_id, text in zip(ids, texts, strict=True):
                    row += 1
                    yield self._page(page_id, text, row)

    def _open(self) -> pq.ParquetFile:
        try:
            return pq.ParquetFile(self.path)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise self._unreadable(error) from None

    def _next(self, batches: Iterator[pa.RecordBatch]) -> pa.RecordBatch | None:
        try:
            return next(batches, None)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: Exception) -> SourceError:
        reason = (str(error) or type(error).__name__).splitlines()[0].rstrip(".")
        return SourceError(f"can't read {self.name} as Parquet: {reason}")

    def _check_column(self, schema: pa.Schema, name: str, accepts: Any) -> None:
        index = schema.get_field_index(name)
        if index < 0:
            names = ", ".join(map(repr, schema.names[:20])) or "none"
            raise SourceError(
                f"{self.name} needs exactly one column {name!r}; its columns are {names}"
            )
        column_type = schema.field(index).type
        if not accepts(
            column_type.value_type if pa.types.is_dictionary(column_type) else column_type
        ):
            raise SourceError(f"{self.name}: column {name!r} holds {column_type}, not text")

    def _page(self, page_id: Any, text: Any, row: int) -> Page | DocumentError:
        if isinstance(page_id, int):
            page_id = str(page_id)
        elif isinstance(page_id, UnicodeDecodeError):
            page_id = page_id.object
        if not page_id:
            return DocumentError(f"{self.name}: row {row}", "has no id")
        page_id = unicode_id(page_id)
        if text is None:
            return DocumentError(page_id, f"has no text in row {row}")
        if isinstance(text, UnicodeDecodeError):
            return DocumentError(
                page_id, f"is not valid UTF-8 in row {row}, although its column is of strings"
            )
        if isinstance(text, bytes):
            return page_or_error(text, page_id, limit=self.limit)
        # Characters, not bytes: a text has at least as many bytes, and encoding it only to count is
        # slow.
        if len(text) > self.limit:
            return DocumentError(page_id, f"is larger than the limit of {self.limit:,} bytes")
        return Page(text, page_id)


def _is_text(column_type: pa.DataType) -> bool:
    kinds = pa.types
    return bool(
        kinds.is_string(column_type)
        or kinds.is_large_string(column_type)
        or kinds.is_string_view(column_type)
        or kinds.is_binary(column_type)
        or kinds.is_large_binary(column_type)
        or kinds.is_binary_view(column_type)
    )


def _is_id(column_type: pa.DataType) -> bool:
    return _is_text(column_type) or pa.types.is_integer(column_type)


def _values(column: pa.Array) -> list[Any]:
    """The values of a column, with an error for each string that is not UTF-8."""
    # pyarrow converts a whole column or fails: only one with a bad string is read value by value.
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = [_value(scalar) for scalar in column]
    return values


def _value(scalar: pa.Scalar) -> Any:
    try:
        return scalar.as_py()
    except UnicodeDecodeError as error:
        return error

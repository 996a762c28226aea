"""Parquet tables with the columns `id` and `text`."""

import os
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rowen.limits import PAGE_BYTES, SOURCE_BATCH_ROWS
from rowen.model.errors import DocumentError, SourceError
from rowen.model.page import Page
from rowen.sources.base import Source, page_or_error, unicode_id


class Parquet(Source):
    """The rows of a table as pages, read in batches.

    A text may be a string or bytes, whose charset is then found as for a file; an id may be a
    string or a whole number.
    """

    def __init__(self, path: str | os.PathLike[str], *, limit: int = PAGE_BYTES) -> None:
        self.path = os.fspath(path)
        self.name = unicode_id(self.path)
        self.limit = limit
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
        """The pages; a row without an id or a text is reported by its number, from 1."""
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
            there = ", ".join(map(repr, schema.names[:20])) or "none"
            raise SourceError(f"{self.name} needs one column {name!r}; its columns are {there}")
        given = schema.field(index).type
        if not accepts(given.value_type if pa.types.is_dictionary(given) else given):
            raise SourceError(f"{self.name}: column {name!r} holds {given}, not text")

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
                page_id, f"is not valid UTF-8, as the column in row {row} promises"
            )
        if isinstance(text, bytes):
            return page_or_error(text, page_id, limit=self.limit)
        if len(text) > self.limit:
            return DocumentError(page_id, f"is larger than the limit of {self.limit:,} bytes")
        return Page(text, page_id)


def _is_text(given: pa.DataType) -> bool:
    kinds = pa.types
    return bool(
        kinds.is_string(given)
        or kinds.is_large_string(given)
        or kinds.is_string_view(given)
        or kinds.is_binary(given)
        or kinds.is_large_binary(given)
        or kinds.is_binary_view(given)
    )


def _is_id(given: pa.DataType) -> bool:
    return _is_text(given) or pa.types.is_integer(given)


def _values(column: pa.Array) -> list[Any]:
    """The values; in place of a string that is no UTF-8, the error."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = [_value(one) for one in column]
    return values


def _value(one: pa.Scalar) -> Any:
    try:
        return one.as_py()
    except UnicodeDecodeError as error:
        return error

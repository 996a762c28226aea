"""Records as a table of comma-separated values (RFC 4180), or of values separated by tabs.

A value with the separator, a quote or a line break stands in quotes, in both.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from typing import TypeAlias

from rowen.export.jsonl import BATCH
from rowen.export.spool import Spool
from rowen.export.target import Target
from rowen.export.unicode import encode
from rowen.export.writer import TargetWriter
from rowen.model import ExtractorError, Page, Record

BETWEEN_VALUES = "; "
"""Stands between the values of a field that has several."""

COMMA = ","
TAB = "\t"

Row: TypeAlias = dict[str, str]


class CsvWriter(TargetWriter):
    """A row a record, a column a field; nested, a row a leaf with its parents' fields repeated.

    The header comes first but names all fields. Where `fields` lists them, rows are written as they
    come; otherwise they wait until the end. A lone surrogate becomes U+FFFD.
    """

    def __init__(
        self,
        target: Target,
        *,
        fields: Sequence[str],
        name_extractor: bool,
        separator: str = COMMA,
    ) -> None:
        super().__init__(target)
        self._separator = separator
        self._leading = ["page", *(["extractor"] * name_extractor)]
        self._fields = dict.fromkeys(fields)
        self._waiting = None if fields else Spool()
        if not self._waiting:
            self._write_header()

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add the rows of each record."""
        leading = [page.id, extractor][: len(self._leading)]
        rows: list[tuple[list[str], Row]] = []
        for record in records:
            for row in _rows(record, page.text, {}):
                self._check(row, extractor)
                rows.append((leading, row))
            if len(rows) >= BATCH:
                self._write(rows)
                rows = []
        self._write(rows)

    def _check(self, row: Row, extractor: str) -> None:
        if row.keys() <= self._fields.keys():
            return
        new = [name for name in row if name not in self._fields]
        if not self._waiting:
            raise ExtractorError(
                f"extractor {extractor!r} gives a field that it does not declare: {new[0]!r}"
            )
        self._fields.update(dict.fromkeys(new))

    def _write(self, rows: list[tuple[list[str], Row]]) -> None:
        if self._waiting:
            self._waiting.write("".join(f"{json.dumps(row)}\n" for row in rows).encode())
        else:
            self._write_rows(rows)

    def _write_header(self) -> None:
        self._target.write(_encode_rows([[*self._leading, *self._fields]], self._separator))

    def _write_rows(self, rows: Iterable[tuple[list[str], Row]]) -> None:
        cells = ([*leading, *(row.get(name, "") for name in self._fields)] for leading, row in rows)
        self._target.write(_encode_rows(cells, self._separator))

    def _finish(self) -> None:
        if self._waiting:
            self._write_header()
            rows = map(json.loads, self._waiting.lines())
            while batch := list(islice(rows, BATCH)):
                self._write_rows(batch)

    def _discard(self) -> None:
        if self._waiting:
            self._waiting.close()


def _rows(record: Record, text: str, inherited: Row) -> Iterator[Row]:
    row = inherited | {
        name: BETWEEN_VALUES.join(span.of(text) for span in spans) for name, spans in record.items()
    }
    if not record.children:
        yield row
    for child in record.children:
        yield from _rows(child, text, row)


def _encode_rows(rows: Iterable[Iterable[str]], separator: str) -> bytes:
    buffer = StringIO(newline="")
    csv.writer(buffer, delimiter=separator).writerows(rows)
    return encode(buffer.getvalue())

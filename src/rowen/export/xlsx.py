"""Records as an Excel workbook: a sheet for each extractor, and one for each nested field."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from math import isfinite
from typing import Any

from rowen.export.spool import TemporaryFiles
from rowen.export.table_writer import TableWriter
from rowen.model import OutputError
from rowen.model.extras import needs
from rowen.model.text import replace_surrogates
from rowen.records.arrow import without_zone
from rowen.records.columns import Column, text_of
from rowen.records.outline import Outline
from rowen.records.table import Table, tables_of
from rowen.records.written import Written

with needs("store", "a workbook"):
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import XlsxWriterException
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

SHEET_ROWS = 1_048_576
"""Limit: the rows of an Excel sheet; further records go to another sheet."""

SHEET_COLUMNS = 16_384
"""Limit: the columns of an Excel sheet."""

CELL_CHARACTERS = 32_767
"""Limit: the characters of an Excel cell, in UTF-16; longer texts are cut, and that is reported."""

EXACT_DIGITS = 15
"""Limit: the digits of a number in an Excel cell; longer numbers are written as texts."""

_NAME_CHARACTERS = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_FIRST_DATE = date(1900, 1, 1)
_FILE = "workbook.xlsx"


class XlsxWriter(TableWriter):
    """Typed cells: numbers, amounts, dates and truth values are such; lists are joined texts."""

    by_extractor = True

    def _prepare(self) -> None:
        self._files = TemporaryFiles()
        # Rows go to a file per sheet at once: memory does not grow with them.
        options = {"constant_memory": True, "tmpdir": str(self._files.folder), "use_zip64": True}
        self._book = Workbook(str(self._files.folder / _FILE), options)
        self._formats = _Formats(self._book)
        self._sheets: dict[str, list[_Sheet]] = {}
        self._names: set[str] = {"history"}  # Excel keeps this name for itself
        self._cut = 0

    def _begin(self, group: str, outline: Outline) -> None:
        schema = outline.schema(every_level=True)
        tables = tables_of(schema, source=self.plan.source, spans=self.plan.spans)
        self._sheets[group] = [_Sheet(self, table, group) for table in tables]

    def _add(self, group: str, rows: Iterator[Written]) -> None:
        with self._files.reporting():
            for record in rows:
                for sheet in self._sheets[group]:
                    for row in sheet.table.rows(record):
                        sheet.add(row)

    def _end(self) -> None:
        if not self._sheets:
            self._begin("records", Outline())
        with self._files.reporting():
            try:
                self._book.close()
            except XlsxWriterException as error:
                raise OutputError(f"can't write the workbook: {error}") from error
        self._files.copy_to(self._target, _FILE)
        if self._cut:
            self.notes.append(
                f"cut {self._cut:,} texts to {CELL_CHARACTERS:,} characters: Excel has no longer "
                "cells"
            )

    def _discard(self) -> None:
        super()._discard()
        for sheet in self._book.worksheets():
            # After a failure the files of rows are still open.
            file = getattr(sheet, "row_data_fh", None)
            if file is not None and not file.closed:
                file.close()
        self._book.fileclosed = True  # or it would warn that it was not closed
        self._files.close()

    def open_sheet(self, name: str) -> Worksheet:
        """A new sheet with a name that Excel allows."""
        name = _FORBIDDEN.sub("_", replace_surrogates(name)).strip("' ") or "records"
        candidate, number = _shortened(name, ""), 1
        while candidate.lower() in self._names:
            number += 1
            candidate = _shortened(name, f" ({number})")
        self._names.add(candidate.lower())
        return self._book.add_worksheet(candidate)

    def write_cell(self, sheet: Worksheet, row: int, column: int, value: Any) -> None:
        """Write a value in the cell type of its own type."""
        formats = self._formats
        match value:
            case None:
                pass
            case bool():
                sheet.write_boolean(row, column, value)
            case int() if len(str(abs(value))) <= EXACT_DIGITS:
                sheet.write_number(row, column, value)
            case float() if isfinite(value):
                sheet.write_number(row, column, value)
            case Decimal() if len(value.as_tuple().digits) <= EXACT_DIGITS:
                sheet.write_number(row, column, float(value), formats.amount(value))
            case datetime() if value.date() > _FIRST_DATE:
                sheet.write_datetime(row, column, without_zone(value), formats.time)
            case date() if not isinstance(value, datetime) and value >= _FIRST_DATE:
                sheet.write_datetime(row, column, value, formats.day)
            case _:
                text = self._fitting(replace_surrogates(text_of(value)))
                sheet.write_string(row, column, text)

    def write_header(self, sheet: Worksheet, columns: tuple[Column, ...]) -> None:
        """Write the names of the columns, which stay visible."""
        if len(columns) > SHEET_COLUMNS:
            raise OutputError(
                f"can't write {len(columns):,} columns: an Excel sheet has {SHEET_COLUMNS:,}"
            )
        sheet.freeze_panes(1, 0)
        for number, column in enumerate(columns):
            sheet.write_string(0, number, self._fitting(column.name), self._formats.header)

    def _fitting(self, text: str) -> str:
        if len(text) * 2 <= CELL_CHARACTERS:
            return text
        units = text.encode("utf-16-le")
        if len(units) <= 2 * CELL_CHARACTERS:
            return text
        self._cut += 1
        return units[: 2 * CELL_CHARACTERS].decode("utf-16-le", "ignore")


class _Sheet:
    """The sheet of a table, and the next one where it is full."""

    def __init__(self, writer: XlsxWriter, table: Table, group: str) -> None:
        self.table = table
        self._writer = writer
        self._name = " ".join([group, *table.path]) if table.path else group
        self._columns = table.all_columns
        self._open()

    def _open(self) -> None:
        self._sheet = self._writer.open_sheet(self._name)
        self._writer.write_header(self._sheet, self._columns)
        self._row = 1

    def add(self, cells: list[Any]) -> None:
        """Add a row."""
        if self._row >= SHEET_ROWS:
            self._open()
        for number, value in enumerate(cells):
            self._writer.write_cell(self._sheet, self._row, number, value)
        self._row += 1


class _Formats:
    """How cells are shown."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self.header: Format = book.add_format({"bold": True})
        self.day: Format = book.add_format({"num_format": "yyyy-mm-dd"})
        self.time: Format = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._amounts: dict[int, Format] = {}

    def amount(self, value: Decimal) -> Format:
        """With as many places as the page shows."""
        places = max(0, -int(value.as_tuple().exponent))
        if places not in self._amounts:
            shown = f"0.{'0' * places}" if places else "0"
            self._amounts[places] = self._book.add_format({"num_format": shown})
        return self._amounts[places]


def _shortened(name: str, suffix: str) -> str:
    return name[: _NAME_CHARACTERS - len(suffix)].rstrip("' ") + suffix

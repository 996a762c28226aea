"""Records as comma-separated (RFC 4180) or tab-separated values.

In both, a value that contains the separator, a quote or a line break is quoted.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import islice
from typing import Any

from rowen.export.jsonl import BATCH
from rowen.export.plan import Plan, check_table
from rowen.export.table_writer import TableWriter
from rowen.export.target import Target
from rowen.export.unicode import encode
from rowen.records.columns import text_of
from rowen.records.outline import Outline
from rowen.records.table import Table, tables_of
from rowen.records.written import Written

COMMA = ","
TAB = "\t"


class CsvWriter(TableWriter):
    """One row per record, one column per field, as texts.

    Of nested fields, `Plan.table` chooses one, whose rows are then written instead of the records.
    The thesis' nested records have one row per leaf, with the fields of its parents repeated. A
    lone surrogate becomes U+FFFD.
    """

    def __init__(self, target: Target, plan: Plan, *, separator: str = COMMA) -> None:
        self._separator = separator
        self._table: Table | None = None
        super().__init__(target, plan)

    def _begin(self, group: str, outline: Outline) -> None:  # noqa: ARG002  # there is only one
        schema = outline.schema(every_level=True)
        plan = self.plan
        check_table(plan.table, schema)
        tables = tables_of(schema, leading=plan.leading, source=plan.source, spans=plan.spans)
        self._table = next(table for table in tables if table.name == (plan.table or ""))
        if plan.table is None and len(tables) > 1:
            names = ", ".join(table.name for table in tables[1:])
            self.notes.append(f"nested fields are left out; --table writes one of them: {names}")
        self._write([[column.name for column in self._table.all_columns]])

    def _add(self, group: str, rows: Iterator[Written]) -> None:  # noqa: ARG002  # there is only one
        assert self._table is not None
        table = self._table
        texts = ([text_of(cell) for cell in row] for record in rows for row in table.rows(record))
        while batch := list(islice(texts, BATCH)):
            self._write(batch)

    def _write(self, rows: Iterable[Iterable[Any]]) -> None:
        buffer = StringIO(newline="")
        csv.writer(buffer, delimiter=self._separator).writerows(rows)
        self._target.write(encode(buffer.getvalue()))

    def _end(self) -> None:
        pass

"""Write records as JSON lines, as tables of many formats, or as an HTML report."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from rowen.export.plan import Plan
from rowen.export.target import Destination, Target, open_target
from rowen.export.writer import Writer
from rowen.model import UsageError
from rowen.records.schema import Schema

__all__ = ["FORMATS", "TABLES", "Destination", "Writer", "open_writer"]

FORMATS = ("jsonl", "json", "csv", "tsv", "xlsx", "parquet", "arrow", "sqlite", "html")
"""The formats that `open_writer` accepts."""

TABLES = ("csv", "tsv", "xlsx", "parquet", "arrow", "sqlite")
"""Those that have columns, to which `source` and `spans` can add."""


def open_writer(
    format: str,  # noqa: A002  # the documented signature
    target: Destination,
    *,
    fields: Sequence[str] | Mapping[str, Sequence[str]] = (),
    name_extractor: bool = False,
    schema: Schema | Mapping[str, Schema] | None = None,
    table: str | None = None,
    source: bool = False,
    spans: bool = False,
    snapshot: int | None = None,
) -> Writer:
    r"""Open a writer to a path, an open binary file or, for None, standard output.

    `fields` lists all possible fields in the order of the columns, and `schema` says what they
    hold; both may be given by the name of the extractor. If an extractor does not declare its
    fields, rows are written at the end. With `name_extractor` each record names its extractor. The
    formats are `jsonl`, `json`, `csv`, `tsv`, `xlsx`, `parquet`, `arrow`, `sqlite` and `html`. A
    file appears when it is complete.

    In `csv` and `tsv`, `table` chooses a nested field, whose rows are written with the keys of
    their record. In all tables `source` adds the page's own text of each field and `spans` its
    start and end. With the number of a `snapshot`, parquet and arrow also have the columns
    `snapshot`, `extractor` and `key`.

    >>> from pathlib import Path
    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> page = rowen.Page("Databases: CS 105", id="a.html")
    >>> with rowen.open_writer("csv", "rooms.csv", fields=rooms.fields) as writer:
    ...     writer.write(rooms.extract(page), page=page, extractor=rooms.name)
    >>> print(Path("rooms.csv").read_text("utf-8"))
    page,room
    a.html,CS 105
    <BLANKLINE>
    """
    plan = Plan(
        fields,
        Schema() if schema is None else schema,
        name_extractor,
        table,
        source,
        spans,
        snapshot,
    )
    _check(format, plan)
    if format == "sqlite" and isinstance(target, str | os.PathLike):
        from rowen.export.sqlite import refuse_foreign

        refuse_foreign(Path(target))
    output = open_target(target)
    try:
        return _writer(format, output, plan)
    except BaseException:
        output.abandon()
        raise


def _check(chosen: str, plan: Plan) -> None:
    if chosen not in FORMATS:
        raise UsageError(f"unknown format {chosen!r}; the formats are {', '.join(FORMATS)}")
    if plan.table is not None and chosen not in {"csv", "tsv"}:
        raise UsageError(
            f"a nested table can be chosen for csv and tsv only: {chosen} has them all"
        )
    if (plan.source or plan.spans) and chosen not in TABLES:
        raise UsageError(
            f"columns for sources and spans are for {', '.join(TABLES)}: {chosen} has both anyway"
        )


def _writer(chosen: str, output: Target, plan: Plan) -> Writer:  # noqa: PLR0911  # one per format
    match chosen:
        case "jsonl":
            from rowen.export.jsonl import JsonlWriter

            return JsonlWriter(output, name_extractor=plan.name_extractor)
        case "json":
            from rowen.export.json_array import JsonWriter

            return JsonWriter(output, name_extractor=plan.name_extractor)
        case "csv" | "tsv":
            from rowen.export.csv import COMMA, TAB, CsvWriter

            return CsvWriter(output, plan, separator=TAB if chosen == "tsv" else COMMA)
        case "xlsx":
            from rowen.export.xlsx import XlsxWriter

            return XlsxWriter(output, plan)
        case "parquet":
            from rowen.export.arrow import ParquetWriter

            return ParquetWriter(output, plan)
        case "arrow":
            from rowen.export.arrow import ArrowWriter

            return ArrowWriter(output, plan)
        case "sqlite":
            from rowen.export.sqlite import SqliteWriter

            return SqliteWriter(output, plan)
        case _:
            from rowen.export.html import HtmlWriter

            return HtmlWriter(output, fields=plan.all_fields, name_extractor=plan.name_extractor)

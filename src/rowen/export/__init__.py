"""Writing records: a line a record, a table, a Parquet file, or a page for people."""

from collections.abc import Sequence

from rowen.export.target import Destination, open_target
from rowen.export.writer import Writer
from rowen.model import UsageError

__all__ = ["FORMATS", "Destination", "Writer", "open_writer"]

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "html")
"""The names that `open_writer` knows."""


def open_writer(
    format: str,  # noqa: A002  # the documented signature
    target: Destination,
    *,
    fields: Sequence[str] = (),
    name_extractor: bool = False,
) -> Writer:
    """A writer to a path, an open binary file or, for None, standard output.

    `fields` lists all fields that can come, in the order of the columns; leave it empty where any
    extractor can't know. With `name_extractor` each record tells who found it.
    """
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}: it is one of {', '.join(FORMATS)}")
    output = open_target(target)
    try:
        match format:
            case "jsonl":
                from rowen.export.jsonl import JsonlWriter

                return JsonlWriter(output, name_extractor=name_extractor)
            case "json":
                from rowen.export.json_array import JsonWriter

                return JsonWriter(output, name_extractor=name_extractor)
            case "csv" | "tsv":
                from rowen.export.csv import COMMA, TAB, CsvWriter

                return CsvWriter(
                    output,
                    fields=fields,
                    name_extractor=name_extractor,
                    separator=TAB if format == "tsv" else COMMA,
                )
            case "parquet":
                from rowen.export.parquet import ParquetWriter

                return ParquetWriter(output, fields=fields, name_extractor=name_extractor)
            case _:
                from rowen.export.html import HtmlWriter

                return HtmlWriter(output, fields=fields, name_extractor=name_extractor)
    except BaseException:
        output.abandon()
        raise

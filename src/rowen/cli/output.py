"""The output options of commands: where to write, and in which format."""

import sys
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

import click

from rowen.model.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

FORMATS = ("jsonl", "json", "csv", "tsv", "xlsx", "parquet", "arrow", "sqlite", "html")

ENDINGS = {
    **{name: name for name in FORMATS},
    "ndjson": "jsonl",
    "htm": "html",
    "pq": "parquet",
    "tab": "tsv",
    "feather": "arrow",
    "sqlite3": "sqlite",
    "db": "sqlite",
}
"""The format of records by the suffix of the output file."""

BINARY = {"xlsx": "Excel", "parquet": "Parquet", "arrow": "Arrow", "sqlite": "SQLite"}
"""Formats that a terminal can't show, by their names."""

WRAPPERS = {"json": "json"}
"""The format of wrappers by the suffix of the output file: there is only one."""


summary_option = click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How the summary is written.",
)

output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Output file; it appears when it is complete. [default: standard output]",
)


def output_options(command: Decorated) -> Decorated:
    """-f, -o and the options of tables, for commands that write records."""
    for option in (
        click.option("--spans", is_flag=True, help="Add columns with the place of each field."),
        click.option(
            "--source", is_flag=True, help="Add columns with the page's own text of each field."
        ),
        click.option(
            "--table",
            metavar="FIELD",
            help="Write the rows of this nested field, with the keys of its record (csv, tsv).",
        ),
        output_option,
        click.option(
            "-f",
            "--format",
            "format_",
            type=click.Choice(FORMATS),
            help="Format of the records. [default: by the suffix of -o, else jsonl]",
        ),
    ):
        command = option(command)
    return command


def choose_format(format_: str | None, output: str | None) -> str:
    """The format of records: the one from -f, else by the suffix of the output, else jsonl."""
    chosen = format_ or format_of(output, ENDINGS, default="jsonl")
    if chosen in BINARY and output is None and sys.stdout.isatty():
        raise UsageError(
            f"{BINARY[chosen]} is binary and can't be printed on a terminal: give -o FILE"
        )
    return chosen


def format_of(
    output: str | None, endings: Mapping[str, str], *, default: str, option: str = "-f"
) -> str:
    """The format by an output's suffix; a usage error if no format has that suffix.

    Without an output or a suffix it is the default. `option` is the option that names a format.
    Call it before any work is done, so that a wrong name costs nothing.
    """
    name = PurePath(output or "").name.lower()
    parts = [part for part in name.lstrip(".").split(".")[1:] if part]
    for count in (2, 1):  # .tei.xml before .xml
        if len(parts) >= count and (format_ := endings.get(".".join(parts[-count:]))) is not None:
            return format_
    if not parts:
        return default
    supported = ", ".join(f".{ending}" for ending in endings)
    named = f" or name the format with {option}" if len(set(endings.values())) > 1 else ""
    raise UsageError(f"can't write .{parts[-1]} files ({output}): use {supported}{named}")

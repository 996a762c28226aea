"""Where commands write records, and how."""

import sys
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, TypeVar

import click

from rowen.model.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "html")

ENDINGS = {
    **{name: name for name in FORMATS},
    "ndjson": "jsonl",
    "htm": "html",
    "pq": "parquet",
    "tab": "tsv",
}
"""The format of records by the ending of the file that they go to."""

WRAPPERS = {"json": "json"}
"""The only format of wrappers."""


output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write here instead of to standard output; the file appears when it is complete.",
)


def output_options(command: Decorated) -> Decorated:
    """-f and -o, of commands that write records."""
    for option in (
        output_option,
        click.option(
            "-f",
            "--format",
            "format_",
            type=click.Choice(FORMATS),
            help="How to write the records. [default: by the ending of -o, else jsonl]",
        ),
    ):
        command = option(command)
    return command


def choose_format(format_: str | None, output: str | None) -> str:
    """The format of records: what is named, else what the output's ending says, else jsonl."""
    chosen = format_ or format_of(output, ENDINGS, default="jsonl")
    if chosen == "parquet" and output is None and sys.stdout.isatty():
        raise UsageError("parquet is not for terminals: give -o FILE")
    return chosen


def format_of(
    output: str | None, endings: Mapping[str, str], *, default: str, option: str = "-f"
) -> str:
    """The format that an output's ending names; a usage error where it names none.

    Without an output or an ending it is the default; `option` is what names a format. Called
    before any work is done.
    """
    name = PurePath(output or "").name.lower()
    parts = [part for part in name.lstrip(".").split(".")[1:] if part]
    for count in (2, 1):  # .tei.xml before .xml
        if len(parts) >= count and (found := endings.get(".".join(parts[-count:]))) is not None:
            return found
    if not parts:
        return default
    known = ", ".join(f".{ending}" for ending in endings)
    named = f" or name the format with {option}" if len(set(endings.values())) > 1 else ""
    raise UsageError(f"can't write .{parts[-1]} files ({output}): use {known}{named}")

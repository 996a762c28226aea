"""Where commands write records, and how."""

import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeVar

import click

from rowen.model.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

FORMATS = ("jsonl", "json", "csv", "parquet", "html")


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
    """The format that is named, else that of the output's ending, else jsonl."""
    chosen = format_ or _format_of(output)
    if chosen == "parquet" and output is None and sys.stdout.isatty():
        raise UsageError("parquet is not for terminals: give -o FILE")
    return chosen


def _format_of(output: str | None) -> str:
    ending = PurePath(output or "").suffix.lower().removeprefix(".")
    return {"htm": "html", "pq": "parquet"}.get(ending, ending if ending in FORMATS else "jsonl")

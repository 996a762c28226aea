"""`rowen cite`: reference strings to citations."""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of, output_option
from rowen.model.errors import InputError, UsageError

if TYPE_CHECKING:
    from rowen.scholar.citations.citation import Citation

BATCH = 256

ENDINGS = {
    "json": "json",
    "jsonl": "json",
    "bib": "bibtex",
    "csl.json": "csl",
    "csl": "csl",
}
"""The format by the ending of the output."""


@click.command(short_help="Take reference strings apart: authors, title, journal, year and so on.")
@click.argument("file", required=False)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("json", "bibtex", "csl")),
    help="json: an object a line, with where each field stands; csl: CSL-JSON, one list. [default: "
    "by the ending of -o, else json]",
)
@output_option
@common_options
def command(
    *, file: str | None, format_: str | None, output: str | None, quiet: bool, verbose: bool
) -> int:
    """Take the reference strings of FILE apart, one a line, in their order.

    Without FILE, or where it is -, they are read from standard input. Empty lines are passed over.

    \b
    rowen cite refs.txt
    rowen cite refs.txt -f bibtex -o refs.bib
    echo 'Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111.' | rowen cite
    """  # noqa: D301, E501  # click reads the backspace; a reference is long
    from rowen.cli.console import Console
    from rowen.export.target import open_target
    from rowen.scholar.citations.parser import parse_citations

    chosen = format_ or format_of(output, ENDINGS, default="json")
    if file in {None, "-"} and sys.stdin.isatty():
        raise UsageError("give a file with reference strings, or send them to standard input")
    console = Console(quiet=quiet, verbose=verbose)
    target = open_target(output)
    count = 0

    def parsed() -> "Iterator[Citation]":
        nonlocal count
        strings = _strings(file)
        with console.gauge(None, doing="parsing references") as tell:
            while batch := list(islice(strings, BATCH)):
                yield from parse_citations(batch)
                count += len(batch)
                tell(count)

    try:
        for text in _written(parsed(), chosen):
            target.write(text.encode())
        target.commit()
    except BaseException:
        target.abandon()
        raise
    console.tell(f"{count:,} references")
    return 0


def _strings(file: str | None) -> Iterator[str]:
    """The lines that have something to parse."""
    if file is None or file == "-":
        yield from _decoded(sys.stdin.buffer, "standard input")
        return
    try:
        with Path(file).open("rb") as lines:
            yield from _decoded(lines, file)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error


def _decoded(lines: BinaryIO, name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise InputError(f"{name}: line {number} is not UTF-8") from None
        if text:
            yield text


def _written(citations: "Iterator[Citation]", format_: str) -> Iterator[str]:
    if format_ == "bibtex":
        from rowen.export.bibtex import bibtex_entries

        return bibtex_entries(citations)
    if format_ == "csl":
        from rowen.export.csl import csl_list

        return csl_list(citations)
    return (f"{json.dumps(one.to_json(), ensure_ascii=False)}\n" for one in citations)

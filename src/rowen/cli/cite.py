"""`rowen cite`: reference strings to citations."""

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
    from rowen.citations.citation import Citation

BATCH = 256
"""How many references are parsed at once; results are written after each batch."""

ENDINGS = {
    "json": "json",
    "jsonl": "json",
    "bib": "bibtex",
    "ris": "ris",
    "csl.json": "csl",
    "csl": "csl",
}
"""The format by the suffix of the output."""


@click.command(short_help="Parse reference strings: authors, title, journal, year and so on.")
@click.argument("file", required=False)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("json", "bibtex", "ris", "csl")),
    help="json: one object per line, with the place of each field; csl: CSL-JSON, one list. "
    "[default: by the suffix of -o, else json]",
)
@output_option
@click.option(
    "--model",
    type=click.Path(),
    help="A model that `rowen train citations` wrote. [default: the model of the package]",
)
@common_options
def command(
    *,
    file: str | None,
    format_: str | None,
    output: str | None,
    model: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Parse the reference strings of FILE, one per line.

    Without FILE, or if it is -, they are read from standard input. Empty lines are skipped.

    Each object of -f json has `confidence`, how probable it is that all fields are right, the same
    for each field, and `is_reference`, which is false for text that looks like no reference.

    \b
    rowen cite refs.txt
    rowen cite refs.txt -f bibtex -o refs.bib
    echo 'Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111.' | rowen cite
    """  # noqa: D301, E501  # click reads the backspace; a reference is long
    import rowen
    from rowen.cli.console import Console

    chosen = format_ or format_of(output, ENDINGS, default="json")
    if file in {None, "-"} and sys.stdin.isatty():
        raise UsageError("no reference strings: give a file, or pipe them to standard input")
    console = Console(quiet=quiet, verbose=verbose)

    def parsed() -> "Iterator[Citation]":
        strings = _strings(file)
        done = 0
        with console.gauge(None, doing="parsing references") as tell:
            # One by one would be slow, all at once would show nothing before the last one is read.
            while batch := list(islice(strings, BATCH)):
                yield from rowen.parse_citations(batch, model=model)
                done += len(batch)
                tell(done)

    count = rowen.write_citations(output, parsed(), format=chosen)
    console.inform(f"{count:,} references")
    return 0


def _strings(file: str | None) -> Iterator[str]:
    """The lines of a file or of standard input that are not empty."""
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

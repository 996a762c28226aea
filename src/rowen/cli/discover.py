"""`rowen discover`: the tables of a site, without any mark."""

import json
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import WRAPPERS, format_of
from rowen.model.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rowen.structure.discover import Table

FORMATS = ("text", "json", "html")
ENDINGS = {"txt": "text", "json": "json", "html": "html", "htm": "html"}

SHOWN_CHARACTERS = 40
"""This much of a value is shown."""

SHOWN_COLUMNS = 15
"""So many columns of a table are in the text; JSON has all."""


@click.command(short_help="Find the tables of a site without any mark.")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--table",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write a wrapper for table N instead of the report.",
)
@click.option("--name", help="The name of the wrapper.  [default: wrapper]")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format of the report. [default: by the ending of -o, else text]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write the report or the wrapper here instead of to standard output.",
)
@common_options
def command(
    pages: tuple[str, ...],
    *,
    number: int | None,
    name: str | None,
    format_: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """List the tables of the PAGEs of one site, best first: columns, types and sample values.

    A table is a group of regions of the same shape, such as rows, cards or list items. With
    --table its records become a wrapper, which rowen extract runs like any other.

    \b
    rowen discover crawl/
    rowen discover crawl/ -o tables.html
    rowen discover crawl/ --table 1 -o wrapper.json
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, write_text, write_wrapper
    from rowen.sources import open_pages

    if number is not None and format_ is not None:
        raise UsageError("--table writes a wrapper, which is always JSON: leave out --format")
    if number is not None:
        format_of(output, WRAPPERS, default="json")
    form = format_ or ("json" if number else format_of(output, ENDINGS, default="text"))
    console = Console(quiet=quiet, verbose=verbose)
    reader = Reader(open_pages(pages), console)
    read = list(reader.watched("Reading pages"))
    reader.require()
    tables = rowen.discover(read)
    if number is None:
        if form == "html":
            from rowen.cli.discovery_page import report

            write_text(report(tables, read), output)
        else:
            write_text(_json(tables) if form == "json" else _text(tables), output)
        return 0
    if number > len(tables):
        raise InputError(f"there is no table {number}: {len(tables)} were found")
    wrapper = tables[number - 1].wrapper()
    if name is not None:
        wrapper.name = name
    write_wrapper(wrapper, output)
    return 0


def _text(tables: "Sequence[Table]") -> str:
    lines = [] if tables else ["No tables were found."]
    for number, table in enumerate(tables, 1):
        pages = f"{len(table.pages)} page{'' if len(table.pages) == 1 else 's'}"
        lines.append(f"Table {number}: {len(table.records):,} records on {pages}")
        for column in table.columns[:SHOWN_COLUMNS]:
            samples = ", ".join(map(_short, column.samples[:3]))
            lines.append(f"  {column.name} ({column.type}, {column.filled:.0%}): {samples}")
        if more := len(table.columns[SHOWN_COLUMNS:]):
            lines.append(f"  and {more} more columns; -f json lists all")
    if tables:
        lines.append("Save one as a wrapper: rowen discover PAGE... --table N -o wrapper.json")
    return "\n".join(lines) + "\n"


def _json(tables: "Sequence[Table]") -> str:
    return json.dumps([table.to_dict() for table in tables], indent=2, ensure_ascii=False) + "\n"


def _short(text: str) -> str:
    shown = " ".join(text.split())
    cut = SHOWN_CHARACTERS - 3
    return shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:cut]}..."

"""`rowen sync`: copy the records of a store to a database or files, and keep them up to date."""

import json
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import summary_option

if TYPE_CHECKING:
    from rowen.sinks.sync import Synced
    from rowen.store import Store


@click.command(short_help="Keep a database, Iceberg or Parquet files up to date with a store.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@click.option(
    "--to",
    metavar="TARGET",
    required=True,
    help="sqlite:FILE, duckdb:FILE, postgresql://USER@HOST/DATABASE, parquet:DIR, iceberg:DIR or "
    "iceberg://CATALOG/NAMESPACE.",
)
@click.option(
    "--extractor",
    "extractors",
    metavar="NAME",
    multiple=True,
    help="Only records of this extractor; may be repeated. [default: all]",
)
@click.option("--prefix", default="", help="Begin the names of all tables or files with this.")
@click.option("--rebuild", is_flag=True, help="Drop the tables first, and fill them anew.")
@summary_option
@common_options
def command(
    *,
    store: str,
    to: str,
    extractors: tuple[str, ...],
    prefix: str,
    rebuild: bool,
    format_: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Bring TARGET to the newest snapshot of a store.

    Each extractor has a table of its name, and each of its nested fields a table of its own. Only
    rows that differ are written, in one transaction that also notes the snapshot: if the command is
    interrupted, run it again. A field that the extractor has gained becomes a new column. In
    Iceberg tables and Parquet files nested fields are inside the rows. Parquet files are written
    anew when their records changed.

    A password can be given in the variable PGPASSWORD.

    \b
    rowen sync --store store/ --to duckdb:books.duckdb
    rowen sync --store store/ --to postgresql://me@localhost/shop --extractor books
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Bars, Console
    from rowen.sinks.sync import sync
    from rowen.store import Store

    console = Console(quiet=quiet, verbose=verbose)
    opened = Store(store, create=False)
    titles = {name: f"Writing {name}" for name in _names(opened)}
    with Bars(console, titles=titles) as bars:
        done = sync(
            opened,
            to,
            extractors=extractors,
            prefix=prefix,
            rebuild=rebuild,
            progress=bars.show if console.lively else None,
        )
    if format_ == "json":
        click.echo(json.dumps([synced.to_dict() for synced in done], ensure_ascii=False))
    elif not quiet:
        for synced in done:
            click.echo(_line(synced))
    return 0


def _names(store: "Store") -> list[str]:
    return sorted({name for manifest in store.snapshots() for name in manifest.extractors})


def _line(synced: "Synced") -> str:
    if synced.previous == synced.snapshot:
        return f"{synced.extractor}: snapshot {synced.snapshot}, up to date"
    since = "all records" if synced.previous is None else f"since snapshot {synced.previous}"
    return (
        f"{synced.extractor}: snapshot {synced.snapshot}, {since}: {synced.written:,} written, "
        f"{synced.deleted:,} deleted"
    )

"""`rowen changes`: the change feed of a store, one JSON line per change."""

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import output_option
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from rowen.store import Store

_WAIT = 2.0
"""Seconds between two looks for a new snapshot."""


@click.command(short_help="Print what changed from each snapshot to the next.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@click.option("--extractor", metavar="NAME", help="Only records of this extractor. [default: all]")
@click.option(
    "--since",
    metavar="N",
    type=click.IntRange(min=0),
    help="Only changes after snapshot N. [default: from the oldest one, whose records all came]",
)
@click.option("--follow", is_flag=True, help="Wait for new snapshots, until Ctrl-C.")
@output_option
@common_options
def command(
    *,
    store: str,
    extractor: str | None,
    since: int | None,
    follow: bool,
    output: str | None,
    quiet: bool,  # noqa: ARG001  # every command has it
    verbose: bool,  # noqa: ARG001
) -> int:
    """Write the change feed of a store: one line of JSON per change.

    A line has the number of the `snapshot`, when it was `created`, the `extractor`, and the change
    as `rowen records --diff` writes it. To go on where you stopped, pass the last number that you
    have seen to --since.

    \b
    rowen changes --store store/ --extractor books --since 12
    rowen changes --store store/ --follow
    """  # noqa: D301  # click reads the backspace
    from rowen.export.target import writing
    from rowen.store import Store

    if follow and output is not None:
        raise UsageError("--follow writes to standard output: a file appears only at the end")
    opened = Store(store, create=False)
    with writing(output) as target:
        since = _write(opened, extractor, since, target.write)
    while follow:
        time.sleep(_WAIT)
        with writing(None) as target:
            since = _write(opened, extractor, since, target.write)
    return 0


def _write(
    store: "Store", extractor: str | None, since: int | None, write: Callable[[bytes], None]
) -> int | None:
    """Write all changes after a snapshot; return the number of the newest one."""
    manifests = store.snapshots()
    if not manifests:
        return since
    newest = manifests[-1].number
    if since is not None and newest <= since:
        return since
    names = dict.fromkeys(name for manifest in manifests for name in manifest.extractors)
    for name in [extractor] if extractor is not None else names:
        for change in store.changes(name, since=since):
            line = {"extractor": name, **change}
            write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    return newest

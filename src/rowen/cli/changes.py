"""`rowen changes`: the change feed of a store, one JSON line per change."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import output_option
from rowen.model.errors import InputError, UsageError

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
@click.option("--webhook", metavar="URL", help="Send the changes there, in POST requests.")
@click.option(
    "--state",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="With --webhook: the file that says how far it got; created if missing.",
)
@click.option(
    "--secret-file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="With --webhook: the key that signs the requests. [default: $ROWEN_WEBHOOK_SECRET]",
)
@output_option
@common_options
def command(
    *,
    store: str,
    extractor: str | None,
    since: int | None,
    follow: bool,
    webhook: str | None,
    state: str | None,
    secret_file: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,  # noqa: ARG001
) -> int:
    """Write the change feed of a store: one line of JSON per change.

    A line has the number of the `snapshot`, when it was `created`, the `extractor`, and the change
    as `rowen records --diff` writes it. To go on where you stopped, pass the last number that you
    have seen to --since.

    With --webhook the lines are sent as POST requests, in order, each repeated until it is
    accepted. The file of --state notes what was accepted, so that the next call goes on from there.

    \b
    rowen changes --store store/ --extractor books --since 12
    rowen changes --store store/ --follow
    rowen changes --store store/ --webhook https://example.org/books --state books.state
    """  # noqa: D301  # click reads the backspace
    from rowen.export.target import writing
    from rowen.store import Store

    if webhook is None and (state is not None or secret_file is not None):
        raise UsageError("--state and --secret-file are for --webhook")
    if webhook is not None:
        if since is not None or output is not None:
            raise UsageError("with --webhook, its --state says where to begin and what was sent")
        if state is None:
            raise UsageError("--webhook needs --state FILE, to go on where it stopped")
        opened = Store(store, create=False)
        return _deliver(opened, extractor, webhook, state, secret_file, follow=follow, quiet=quiet)
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


def _deliver(
    store: "Store",
    extractor: str | None,
    url: str,
    state: str,
    secret_file: str | None,
    *,
    follow: bool,
    quiet: bool,
) -> int:
    from rowen.sinks.webhook import Webhook, deliver

    webhook = Webhook(url, _secret(secret_file))
    while True:
        names = [extractor] if extractor is not None else _extractors(store)
        for name in names:
            delivered = deliver(store, name, webhook, Path(state))
            if delivered and not quiet:
                click.echo(f"{name}: {delivered:,} changes delivered", err=True)
        if not follow:
            return 0
        time.sleep(_WAIT)


def _secret(path: str | None) -> bytes | None:
    if path is None:
        named = os.environ.get("ROWEN_WEBHOOK_SECRET")
        return named.encode() if named else None
    try:
        secret = Path(path).read_bytes().strip()
    except OSError as error:
        raise InputError(f"can't read {path}: {error.strerror}") from None
    if not secret:
        raise InputError(f"{path} is empty: it should hold the key that signs the requests")
    return secret


def _extractors(store: "Store") -> list[str]:
    return list(dict.fromkeys(name for kept in store.snapshots() for name in kept.extractors))


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
    for name in [extractor] if extractor is not None else _extractors(store):
        for change in store.changes(name, since=since):
            line = {"extractor": name, **change}
            write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    return newest

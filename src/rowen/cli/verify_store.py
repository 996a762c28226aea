"""`rowen verify-store`: read all files of a store and compare all digests."""

import click

from rowen.cli.app import common_options
from rowen.cli.quantities import counted


@click.command(short_help="Check all files of a store.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@common_options
def command(*, store: str, quiet: bool, verbose: bool) -> int:
    """Read every file of a store, and compare checksums, digests and counts.

    What is damaged is listed with what to do about it, and the exit code is 6. Nothing is changed.
    Snapshots that are listed can't be read as a whole; all others can. If the newest one is sound,
    `rowen prune` removes the damaged ones before it; else run once with --scratch.

    \b
    rowen verify-store --store store/
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.model.errors import StoreError
    from rowen.storage.snapshots.verification import Verified, verify
    from rowen.store import Store

    console = Console(quiet=quiet, verbose=verbose)
    opened = Store(store, create=False)
    manifests = opened.snapshots()
    verified, shown = Verified(), 0
    with console.gauge(len(manifests), doing="Checking snapshots") as show:
        for number, (_, verified) in enumerate(verify(opened.place, manifests), start=1):
            show(number)
            for snapshot, message in verified.damages[shown:]:
                console.complain(f"snapshot {snapshot}: {message}")
            shown = len(verified.damages)
    damaged = sorted({number for number, _ in verified.damages})
    if not quiet:
        click.echo(
            f"{counted(len(manifests), 'snapshot')}, {counted(verified.texts, 'text')}: "
            + (f"damaged: {', '.join(map(str, damaged))}" if damaged else "nothing is damaged")
        )
    if not damaged:
        return 0
    if damaged[-1] == manifests[-1].number:
        todo = "make a sound snapshot with `rowen run --scratch`"
    else:
        keep = sum(manifest.number > damaged[-1] for manifest in manifests)
        todo = f"remove the damaged ones with `rowen prune --keep {keep}`, or leave them"
    console.complain(f"{store}: {todo}")
    return StoreError.exit_code

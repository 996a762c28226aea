"""`rowen prune`: remove old snapshots of a store."""

import click

from rowen.cli.app import common_options


@click.command(short_help="Remove old snapshots of a store.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@click.option(
    "--keep",
    metavar="N",
    required=True,
    type=click.IntRange(min=1),
    help="Keep the newest N snapshots.",
)
@common_options
def command(*, store: str, keep: int, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """Keep only the newest N snapshots, and remove texts that only the others have.

    The next run still reuses the newest snapshot. The history of records begins with the oldest
    snapshot that is left.

    \b
    rowen prune --store store/ --keep 30
    """  # noqa: D301  # click reads the backspace
    from rowen.store import Store

    opened = Store(store, create=False)
    removed = opened.drop(keep=keep)
    if not quiet:
        click.echo(f"{removed:,} removed, {len(opened.snapshots()):,} left")
    return 0

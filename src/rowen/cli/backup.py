"""`rowen backup`: a copy of a service's data."""

from pathlib import Path

import click

from rowen.cli.app import common_options


@click.command(short_help="Copy a service's data while it runs.")
@click.argument("data", type=click.Path(file_okay=False))
@click.argument("target", type=click.Path(file_okay=False))
@common_options
def command(*, data: str, target: str, quiet: bool, verbose: bool) -> int:
    """Copy the data folder DATA of a service to TARGET, also while the service runs.

    The copy has every document that the service acknowledged before. A second backup to the same
    folder copies only new files, and removes deleted ones. If it is interrupted, the earlier backup
    can still be used.

    The copy is a data folder: to restore it, stop the service and serve the copy instead.

    \b
    rowen backup rowen-data /backup/rowen
    rowen serve --data /backup/rowen
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.home.applications import applications
    from rowen.service.backup import back_up

    copied = back_up(Path(data), Path(target), applications())
    Console(quiet=quiet, verbose=verbose).warn(
        f"{target} has {copied.documents:,} documents in {copied.files:,} files, "
        f"{copied.new:,} of them new"
    )
    return 0

"""What `rowen serve` and `rowen studio` share: where a service listens and keeps its data."""

from pathlib import Path

import click

from rowen.cli.app import Decorated

STRANGERS = (
    "listening on %s without access control: everyone who can reach it may read, add and delete "
    "documents; see `rowen serve --auth`"
)


def place_options(command: Decorated) -> Decorated:
    """The options of the commands that start a service: its address, its data, the studio."""
    for option in (
        click.option(
            "--fetch",
            type=click.Choice(("public", "any")),
            help="Let the studio fetch pages by URL: from public addresses, or from any, including "
            "this machine's networks. [default: none]",
        ),
        click.option(
            "--store",
            "stores",
            multiple=True,
            metavar="DIR",
            help="A store of `rowen run` whose runs are shown; can be repeated.",
        ),
        click.option(
            "--stores",
            "folders",
            multiple=True,
            type=click.Path(file_okay=False, exists=True, path_type=Path),
            metavar="DIR",
            help="Let people choose stores below this folder in the browser; with access tokens, "
            "each tenant below the subfolder of its name. Can be repeated.",
        ),
        click.option(
            "--data",
            type=click.Path(file_okay=False),
            default="rowen-data",
            show_default=True,
            help="The folder for documents, results and projects; created if missing.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=8080,
            show_default=True,
            help="The port to listen on; 0 chooses a free one.",
        ),
        click.option(
            "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
        ),
    ):
        command = option(command)
    return command

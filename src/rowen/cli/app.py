"""The frame of the command line: the list of commands, and the options that all of them share."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

COMMANDS = (
    "discover",
    "learn",
    "extract",
    "check",
    "repair",
    "explain",
    "run",
    "records",
    "history",
    "changes",
    "sync",
    "prune",
    "stores",
    "verify-store",
    "paper",
    "cite",
    "match",
    "train",
    "library",
    "serve",
    "studio",
    "mcp",
    "token",
    "backup",
    "demo",
    "completion",
)
"""The commands in the order of the help; each is a module of this package."""


class Commands(click.Group):
    """Commands that are imported when they are called, so that each starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """All commands, in the order of the data flow."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command from the module of the same name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"rowen.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command


def _show_version(ctx: click.Context, _parameter: click.Parameter, is_set: bool) -> None:  # noqa: FBT001
    if is_set and not ctx.resilient_parsing:
        from rowen import __version__

        click.echo(f"rowen {__version__}")
        ctx.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)


def common_options(command: Decorated) -> Decorated:
    """-q, -v and --version, which every command has."""
    for option in (
        version_option,
        click.option("-v", "--verbose", is_flag=True, help="Print more detail."),
        click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
    ):
        command = option(command)
    return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 success, 1 internal error, 2 usage, 3 no consistent wrapper, 4 bad "
    "input, 5 drift found, 6 store, service or output not usable, 7 learned, but some labels are "
    "not reproduced, 130 interrupted.",
)
@version_option
def app() -> None:
    """Information extraction that never does the same work twice.

    An extractor turns a page into records. Results go to standard output or to the file that -o
    names, progress and messages to standard error.
    """

"""`rowen completion`: shell completion."""

import click
from click.shell_completion import get_completion_class

from rowen.cli import COMPLETE
from rowen.cli.app import app, common_options

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(SHELLS))
@common_options
def command(shell: str, *, quiet: bool, verbose: bool) -> None:  # noqa: ARG001  # every command has them
    """Print a script that completes rowen's commands and options in a shell.

    \b
    bash:  eval "$(rowen completion bash)"    in ~/.bashrc
    zsh:   eval "$(rowen completion zsh)"     in ~/.zshrc
    fish:  rowen completion fish > ~/.config/fish/completions/rowen.fish
    """  # noqa: D301  # click reads the backspace
    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(app, {}, "rowen", COMPLETE).source())

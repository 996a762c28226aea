"""Write docs/commands.md: what `--help` says of every command.

python docs/generate_commands.py
"""  # noqa: INP001  # a script

from pathlib import Path

import click
from click.testing import CliRunner

from rowen.cli.app import COMMANDS, app

PAGE = Path(__file__).with_name("commands.md")
WIDTH = 80

INTRODUCTION = """\
<!-- Written by generate_commands.py: change the command's help instead, and run that. -->

# Commands

Results go to standard output or to the file that `-o` names; messages go to standard error, and
the progress bar shows only on a terminal. An output file appears when it is complete: until then
what was there before stays. How a command ends, its exit code tells: see
[Errors](errors.md#exit-codes).
"""


def page() -> str:
    """The whole page."""
    names = [f"rowen {name}" for name in COMMANDS]
    return INTRODUCTION + "".join(map(_section, ["rowen", *names]))


def _section(name: str) -> str:
    return f"\n## {name}\n" + "".join(map(_help, [name, *_inner(name)]))


def _inner(name: str) -> list[str]:
    """The commands of a command, where it has any."""
    command = app.get_command(click.Context(app), name.partition(" ")[2])
    return [f"{name} {one}" for one in command.commands] if isinstance(command, click.Group) else []


def _help(name: str) -> str:
    arguments = [*name.split()[1:], "--help"]
    shown = CliRunner().invoke(app, arguments, prog_name="rowen", terminal_width=WIDTH)
    return f"\n```text\n{shown.output.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

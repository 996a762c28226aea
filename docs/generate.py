"""Write the generated pages of the documentation: commands, limits and messages.

python docs/generate.py
"""  # noqa: INP001  # a script

import ast
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import NamedTuple

import click
from click.testing import CliRunner

import rowen
from rowen.cli.app import COMMANDS, app

DOCS = Path(__file__).parent
SOURCE = Path(rowen.__file__).parent
WIDTH = 80

NOTE = "<!-- Written by generate.py: change the source instead, and run that. -->\n\n"

COMMANDS_INTRODUCTION = """\
# Commands

Results go to standard output or to the file that `-o` names. Messages go to standard error, and
the progress bar shows only on a terminal. An output file appears when it is complete: until then
the old one stays. See [Errors](errors.md#exit-codes) for the exit codes.
"""

LIMITS_INTRODUCTION = """\
# Limits

Every limit on size, time, memory and depth, with its reason. Each is a constant beside the code
that keeps it.
"""

MESSAGES_INTRODUCTION = """\
# Messages

Every error that Rowen raises on purpose and every warning, by module, so that all of them can be
read in one go. `{...}` stands for a value. The help texts are in [Commands](commands.md), the
classes in [Errors](errors.md).
"""

LIMIT = "Limit: "
"""How the docstring of a constant begins that is a limit."""


class Message(NamedTuple):
    """A message and the class that carries it."""

    kind: str
    text: str


def commands() -> str:
    """What `--help` says of every command."""
    names = [f"rowen {name}" for name in COMMANDS]
    return COMMANDS_INTRODUCTION + "".join(map(_section, ["rowen", *names]))


def _section(name: str) -> str:
    return f"\n## {name}\n" + "".join(map(_help, [name, *_subcommands(name)]))


def _subcommands(name: str) -> list[str]:
    command = app.get_command(click.Context(app), name.partition(" ")[2])
    return [f"{name} {sub}" for sub in command.commands] if isinstance(command, click.Group) else []


def _help(name: str) -> str:
    arguments = [*name.split()[1:], "--help"]
    shown = CliRunner().invoke(app, arguments, prog_name="rowen", terminal_width=WIDTH)
    return f"\n```text\n{shown.output.rstrip()}\n```\n"


def limits() -> str:
    """The constants whose docstring begins with `Limit: `."""
    page = LIMITS_INTRODUCTION
    for name, tree in _modules():
        rows = "".join(
            f"| `{constant}` | `{value}` | {reason} |\n"
            for constant, value, reason in _limits(tree)
        )
        if rows:
            page += f"\n## {name}\n\n| limit | value | reason |\n| --- | --- | --- |\n{rows}"
    return page


def _limits(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for node, after in zip(tree.body, tree.body[1:], strict=False):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        if not isinstance(after, ast.Expr) or not isinstance(after.value, ast.Constant):
            continue
        text = after.value.value
        if isinstance(text, str) and text.startswith(LIMIT) and isinstance(target, ast.Name):
            yield target.id, _cell(ast.unparse(node.value)), _cell(text.removeprefix(LIMIT))


def messages() -> str:
    """The texts of all errors and warnings."""
    classes = _message_classes()
    page = MESSAGES_INTRODUCTION
    for name, tree in _modules():
        found = dict.fromkeys(_messages(tree, classes))
        rows = "".join(f"| `{message.kind}` | {message.text} |\n" for message in found)
        if rows:
            page += f"\n## {name}\n\n| class | message |\n| --- | --- |\n{rows}"
    return page


def _message_classes() -> set[str]:
    """The names of Rowen's errors, and of its warnings."""
    parents: dict[str, set[str]] = {}
    for _, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases = {_last_name(base) for base in node.bases}
                parents.setdefault(node.name, set()).update(bases)
    names = {"RowenError", "Warning"}
    while more := {name for name, bases in parents.items() if bases & names} - names:
        names |= more
    return names


def _messages(tree: ast.Module, classes: set[str]) -> Iterator[Message]:
    """The first text of each call that makes an error; arguments that are names are no texts."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = _last_name(node.func)
        if name not in classes and name != "error":  # `self.error`, `definition.error`
            continue
        texts = [text for argument in node.args if " " in (text := _template(argument))]
        if texts:
            yield Message("ExtractorError" if name == "error" else name, _cell(texts[0]))


def _last_name(node: ast.expr) -> str:
    """`InputError` of `InputError` and of `errors.InputError`; "" for what is no name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _template(node: ast.expr) -> str:
    """A text with `{...}` for what is filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{...}" for part in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return (_template(node.left) or "{...}") + (_template(node.right) or "{...}")
    return ""


@cache
def _modules() -> list[tuple[str, ast.Module]]:
    modules = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        modules.append((name.removesuffix(".__init__"), ast.parse(path.read_text("utf-8"))))
    return modules


def _cell(text: str) -> str:
    """A text as one cell of a Markdown table, shown as it is."""
    flat = " ".join(cleandoc(text).split())
    for sign in "\\`*_[]<>|":
        flat = flat.replace(sign, f"\\{sign}")
    return flat


PAGES = {"commands.md": commands, "limits.md": limits, "messages.md": messages}

if __name__ == "__main__":
    for file, page in PAGES.items():
        (DOCS / file).write_text(NOTE + page(), encoding="utf-8")

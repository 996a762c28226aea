"""The plan of the house: imports without cycles, rooms of a size that a reader can oversee."""

import ast
import importlib
import re
import tomllib
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import rowen

SOURCE = Path(rowen.__file__).parent
MOST_MODULES = 45
"""A room with more modules holds two families."""


def modules():
    """Each module of Rowen by its dotted name."""
    for path in SOURCE.rglob("*.py"):
        parts = ("rowen", *path.relative_to(SOURCE).with_suffix("").parts)
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports_of(name, path, names):
    """What a module imports of Rowen, wherever in it, but for what only type checkers read."""
    tree = ast.parse(path.read_text("utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name} has a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in names else node.module


def graph():
    names = dict(modules())
    return {
        name: {other for other in imports_of(name, path, names) if other in names} - {name}
        for name, path in names.items()
    }


def test_no_module_imports_itself_in_a_circle_not_even_late():
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_no_room_has_more_modules_than_a_reader_can_oversee():
    rooms = Counter(name.split(".")[1] for name, _ in modules() if "." in name)
    assert {room: count for room, count in rooms.items() if count > MOST_MODULES} == {}


CALLED_BY_OTHERS = {
    # The thesis' algorithms by their names; learning uses their steps one by one.
    "corrob",
    "corrob_star",
    # Called by click, IPython, logging, urllib, uvicorn, pydantic, Scrapy, LangChain, LlamaIndex.
    "emit",
    "get_command",
    "lazy_load",
    "lazy_load_data",
    "list_commands",
    "_repr_html_",
    "send_400_response",
    "model_config",
    "process_item",
    "redirect_request",
    # Public classes and methods, for users.
    "PaperLoader",
    "PaperReader",
    "new_end",
    "old_end",
    "suggest",
    "to_dicts",
    "to_models",
    # Part of an HTML token, as in the standard.
    "self_closing",
}


def definitions(tree):
    """The names that a module defines at its top level or in a class, but for decorated functions.

    A decorator may register a function, as routes and commands are.
    """
    for node in ast.walk(tree):
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if named and not any(isinstance(mark, ast.Call) for mark in node.decorator_list):
            yield node.name
        if isinstance(node, ast.Module | ast.ClassDef):
            for inner in node.body:
                targets = inner.targets if isinstance(inner, ast.Assign) else []
                if isinstance(inner, ast.AnnAssign):
                    targets = [inner.target]
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def uses(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        if isinstance(node, ast.Attribute):
            yield node.attr
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # an annotation in quotes, or the name in a table of programs


def test_nothing_is_defined_that_nobody_uses():
    root = Path(__file__).parents[1]
    own = [ast.parse(path.read_text("utf-8")) for _, path in modules()]
    others = [
        ast.parse(path.read_text("utf-8"))
        for folder in ("benchmarks", "training")
        for path in (root / folder).rglob("*.py")
    ]
    used = {name for tree in [*own, *others] for name in uses(tree)}
    defined = {name for tree in own for name in definitions(tree) if not name.startswith("__")}
    assert defined - used == CALLED_BY_OTHERS


PLACE = re.compile(r"`(rowen(?:\.\w+)+)(?::([\w.]+))?`")


def test_every_function_on_the_walks_of_the_architecture_exists():
    text = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text("utf-8")
    walks = text[text.index("## Five jobs") : text.index("## Imports point one way")]
    places = PLACE.findall(walks)
    assert len(places) > 25
    for module, name in places:
        thing = importlib.import_module(module)
        for part in filter(None, name.split(".")):
            thing = getattr(thing, part)


def test_the_architecture_shows_the_layers_that_are_checked():
    root = Path(__file__).parents[1]
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    text = (root / "docs" / "architecture.md").read_text("utf-8")
    shown = text[text.index("## Imports point one way") :].split("```")[1].splitlines()[1:]
    assert shown == [
        line.replace("rowen.", "").replace(" | ", "  |  ") for line in contract["layers"]
    ]

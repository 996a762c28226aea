"""Modules joined into one: what a program needs of Rowen is copied with it."""

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from importlib.resources import files

from rowen.values import tables

_TABLES = "rowen.values.tables"
_TABLE = re.compile(r'\bread_table\("([\w.]+)"\)')

_READ_TABLE = '''
TABLES = {
%s
}


def read_table(name: str) -> dict[str, Any]:
    """A table of names, signs and habits."""
    return tomllib.loads(TABLES[name])
'''


@cache
def assembled(modules: tuple[str, ...]) -> tuple[str, str]:
    """The merged imports of modules and of what they import of Rowen, and their joined source.

    Comments stay as they are, and so do names, but for private ones that two modules have: the
    later module's are renamed.
    """
    order: dict[str, None] = {}
    for module in modules:
        _collect(module, order)
    imports = {"from typing import Any"}
    bodies: list[str] = []
    names: set[str] = set()
    for module in order:
        own_imports, body = _parts(module)
        imports |= own_imports
        if module == _TABLES:
            body = _with_tables(order)
            imports |= {"import tomllib", "import unicodedata"}
        own = _top_level(body)
        for name in sorted(own & names):
            if not name.startswith("_"):
                raise ValueError(f"{module} has a name of another module: {name}")
            renamed = f"_{module.rpartition('.')[2]}{name}"
            body = re.sub(rf"(?<![\w.]){name}(?!\w)", renamed, body)
            own = own - {name} | {renamed}
        names |= own
        bodies.append(body)
    return _merged(imports), "\n\n\n".join(bodies)


def _collect(module: str, order: dict[str, None]) -> None:
    """Add what a module imports of Rowen, then the module itself."""
    if module not in order:
        for statement in ast.parse(_source(module)).body:
            if isinstance(statement, ast.ImportFrom) and _is_ours(statement):
                _collect(str(statement.module), order)
        order[module] = None


def _source(module: str) -> str:
    return inspect.getsource(import_module(module))


def _is_ours(statement: ast.ImportFrom) -> bool:
    return str(statement.module).startswith("rowen.")


def _parts(module: str) -> tuple[set[str], str]:
    """A module's imports of the standard library, and its source after all imports."""
    source = _source(module)
    _title, *statements = ast.parse(source).body
    imports = [item for item in statements if isinstance(item, ast.Import | ast.ImportFrom)]
    first = next(item for item in statements if item not in imports)
    decorators = getattr(first, "decorator_list", ())
    start = min([first.lineno, *(decorator.lineno for decorator in decorators)])
    body = "\n".join(source.splitlines()[start - 1 :]).strip()
    standard = {
        ast.unparse(item) for item in imports if isinstance(item, ast.Import) or not _is_ours(item)
    }
    return standard, body


def _with_tables(order: dict[str, None]) -> str:
    """The functions for tables, and the tables that the modules read."""
    read = {name for module in order for name in _TABLE.findall(_source(module))}
    texts = [
        f'    {name!r}: r"""\n{files("rowen.values").joinpath(name).read_text("utf-8")}""",'
        for name in sorted(read)
    ]
    return f"{inspect.getsource(tables.fold)}\n{_READ_TABLE % chr(10).join(texts)}".strip()


def _top_level(body: str) -> set[str]:
    names: set[str] = set()
    for statement in ast.parse(body).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {
                    node.id
                    for target in targets
                    for node in ast.walk(target)
                    if isinstance(node, ast.Name)
                }
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    return names


def _merged(imports: set[str]) -> str:
    """Each module once, plain imports first."""
    plain_imports = sorted(line for line in imports if line.startswith("import "))
    modules: dict[str, set[str]] = {}
    for line in imports:
        if line.startswith("from "):
            module, _, names = line.removeprefix("from ").partition(" import ")
            modules.setdefault(module, set()).update(names.split(", "))
    froms = [f"from {name} import {', '.join(sorted(modules[name]))}" for name in sorted(modules)]
    return "\n".join([*plain_imports, *froms])

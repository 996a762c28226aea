"""Which modules are a function's own: those of its package, or those beside a script.

An edit of these changes the function's identity. Modules of other packages are identified by name
only: their versions count if `depends` names them.
"""

import functools
import os
import sys
import types
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath
from typing import NamedTuple

_WRAPPERS = 40
"""Limit: how many decorators around a function are followed; real code has a handful."""


class Surroundings(NamedTuple):
    """The modules and folders that are a function's own."""

    packages: tuple[str, ...]
    """Top-level names of modules."""
    roots: tuple[str, ...] = ()
    """Their folders: where those are is not part of an identity."""


class OwnModules:
    """The names of the modules that are a function's own.

    These are the modules of its package. For a script, or a module outside of packages, they
    include the modules in its folder: its author edits those as well.
    """

    def __init__(self, function: object, surroundings: Surroundings | None) -> None:
        top = home_of(innermost(function)).partition(".")[0]
        self.known = {top: True}
        self.folder: str | None = None
        self.roots = set(surroundings.roots if surroundings else ())
        if surroundings is not None:
            self.known |= dict.fromkeys(surroundings.packages, True)
        module = sys.modules.get(top)
        folder = _folder_of(module)
        if folder is not None and not is_installed(folder):
            self.roots.add(folder)
            if not hasattr(module, "__path__"):
                self.folder = folder

    def __contains__(self, module: object) -> bool:
        if not isinstance(module, str) or not module:
            return False
        top = module.partition(".")[0]
        if top not in self.known:
            self.known[top] = (
                self.folder is not None
                and top not in sys.stdlib_module_names
                and _folder_of(sys.modules.get(top)) == self.folder
            )
        return self.known[top]

    @property
    def surroundings(self) -> Surroundings:
        """All modules known so far to be the function's own."""
        packages = tuple(sorted(name for name, own in self.known.items() if own))
        return Surroundings(packages, tuple(sorted(self.roots)))


def home_of(value: object) -> str:
    """The module in which something was defined; a decorator may claim another one."""
    if isinstance(value, types.FunctionType):
        name = value.__globals__.get("__name__")
        return name if isinstance(name, str) else str(value.__module__)
    return str(getattr(value, "__module__", None) or type(value).__module__)


def innermost(value: object) -> object:
    """The author's own function inside decorators, partials and methods."""
    for _ in range(_WRAPPERS):
        if isinstance(value, functools.partial):
            value = value.func
        elif isinstance(value, types.MethodType | staticmethod | classmethod):
            value = value.__func__
        elif (wrapped := wrapped_by(value)) is not None and not isinstance(value, type):
            value = wrapped
        else:
            break
    return value


def _folder_of(module: types.ModuleType | None) -> str | None:
    """The folder of a top-level module."""
    if module is None:
        return None
    paths = list(getattr(module, "__path__", ()))
    file = paths[0] if paths else getattr(module, "__file__", None)
    return os.path.dirname(os.path.abspath(file)) if isinstance(file, str) else None  # noqa: PTH100, PTH120  # as it is, without following links


def submodule(package: types.ModuleType, name: str) -> types.ModuleType | None:
    """A module of a package, imported if it was not yet."""
    full = f"{package.__name__}.{name}"
    if full in sys.modules or not hasattr(package, "__path__"):
        return sys.modules.get(full)
    try:
        return import_module(full) if find_spec(full) is not None else None
    except Exception:  # noqa: BLE001  # calling the function fails as well
        return None


def is_beside(name: str, own: OwnModules) -> bool:
    """Whether a module that is not imported yet is in a function's folder."""
    from importlib.machinery import PathFinder

    top = name.partition(".")[0]
    return top not in sys.stdlib_module_names and bool(
        own.folder and PathFinder.find_spec(top, [own.folder])
    )


def is_installed(folder: str) -> bool:
    """Whether a folder is one of installed packages: not all modules there are the author's."""
    parts = PurePath(folder).parts
    return "site-packages" in parts or "dist-packages" in parts


def wrapped_by(value: object) -> object | None:
    """The function inside a decorator, if it says so (`functools.wraps` does)."""
    try:
        return vars(value).get("__wrapped__")
    except TypeError:
        return None

"""Find extractors by name: a file, `module:attribute`, or an installed plugin."""

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rowen.extractors.base import Extractor
from rowen.extractors.saved import load_all
from rowen.model import ExtractorError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP = "rowen.extractors"
"""The entry point group in which packages register extractors."""


BUILT_IN = {"paper": "rowen.sheets.records:paper"}
"""Extractors of Rowen's own that need no file."""


def find_extractors(name: str) -> list[Extractor]:
    """All extractors that a name refers to; a file may have several."""
    path = Path(name)
    if path.suffix.lower() in (".json", ".toml"):
        return load_all(path)
    if path.is_file():
        raise ExtractorError(f"{name}: the name of a saved extractor must end in .json or .toml")
    if ":" in name:
        return [_attribute(name)]
    if name in BUILT_IN:
        return [_attribute(BUILT_IN[name])]
    plugins = _plugins()
    if name in plugins.names:
        return [_plugin(plugins[name])]
    raise ExtractorError(
        f"{name!r} is not an extractor: give a .json or .toml file, module:attribute, "
        f"`paper`, or the name of a plugin ({_listed(plugins)})"
    )


def installed_plugin(name: str) -> Extractor:
    """The extractor that an installed package registers under this name; never a file or module."""
    plugins = _plugins()
    if name not in plugins.names:
        raise ExtractorError(f"unknown plugin {name!r}; installed: {_listed(plugins)}")
    return _plugin(plugins[name])


def installed_names() -> list[str]:
    """The names of all plugins."""
    return sorted(_plugins().names)


def _plugins() -> "EntryPoints":
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _listed(plugins: "EntryPoints") -> str:
    return ", ".join(sorted(plugins.names)) or "none"


def _attribute(place: str) -> Extractor:
    # Python scripts can import from the folder they are run in, and so should the command.
    if (here := os.getcwd()) not in sys.path and "" not in sys.path:  # noqa: PTH109  # as sys.path has it
        sys.path.insert(0, here)
    module, _, attribute = place.partition(":")
    try:
        target: object = import_module(module)
        for name in attribute.split("."):
            target = getattr(target, name)
    except Exception as error:
        raise ExtractorError(f"can't load {place!r}: {type(error).__name__}: {error}") from error
    return _checked(place, target)


def _plugin(plugin: "EntryPoint") -> Extractor:
    try:
        target = plugin.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ExtractorError(f"can't load plugin {plugin.name!r}: {reason}") from error
    return _checked(plugin.name, target)


def _checked(name: str, candidate: object) -> Extractor:
    if isinstance(candidate, type) or not isinstance(candidate, Extractor):
        raise ExtractorError(
            f"{name!r} is not an extractor: it needs name, version, locality, fields and extract()"
        )
    return candidate

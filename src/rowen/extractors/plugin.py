"""Finding extractors by what people write: a file, `module:attribute`, or an installed plugin."""

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
"""The entry point group in which packages offer extractors."""


def find_extractors(given: str) -> list[Extractor]:
    """All extractors that `given` names; a file may hold several."""
    path = Path(given)
    if path.suffix.lower() in (".json", ".toml"):
        return load_all(path)
    if path.is_file():
        raise ExtractorError(f"{given}: a saved extractor ends in .json or .toml")
    if ":" in given:
        return [_attribute(given)]
    plugins = _plugins()
    if given in plugins.names:
        return [_plugin(plugins[given])]
    raise ExtractorError(
        f"{given!r} is no extractor: give a .json or .toml file, module:attribute, "
        f"or the name of a plugin ({_listed(plugins)})"
    )


def installed_plugin(name: str) -> Extractor:
    """The extractor that an installed package offers by this name, and by no other way."""
    plugins = _plugins()
    if name not in plugins.names:
        raise ExtractorError(f"there is no plugin {name!r} ({_listed(plugins)})")
    return _plugin(plugins[name])


def installed_names() -> list[str]:
    """The names of all plugins."""
    return sorted(_plugins().names)


def _plugins() -> "EntryPoints":
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _listed(plugins: "EntryPoints") -> str:
    return ", ".join(sorted(plugins.names)) or "none is installed"


def _attribute(given: str) -> Extractor:
    # A script sees the folder that it is run in, and so should the command.
    if (here := os.getcwd()) not in sys.path and "" not in sys.path:  # noqa: PTH109  # as sys.path has it
        sys.path.insert(0, here)
    module, _, attribute = given.partition(":")
    try:
        found: object = import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
    except Exception as error:
        raise ExtractorError(f"can't load {given!r}: {type(error).__name__}: {error}") from error
    return _checked(given, found)


def _plugin(plugin: "EntryPoint") -> Extractor:
    try:
        found = plugin.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ExtractorError(f"can't load plugin {plugin.name!r}: {reason}") from error
    return _checked(plugin.name, found)


def _checked(given: str, found: object) -> Extractor:
    if isinstance(found, type) or not isinstance(found, Extractor):
        raise ExtractorError(
            f"{given!r} is not an extractor: it needs name, version, locality, fields and extract()"
        )
    return found

"""Loading all modules of a package, for processes that won't be able to open files later."""

import pkgutil
from contextlib import suppress
from importlib import import_module


def load_packages(*names: str) -> None:
    """Import packages with all that is in them, except what needs something not installed."""
    for name in names:
        package = import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            with suppress(ImportError):
                import_module(module.name)

"""Packages that only the benchmarks use: `pip install rowen[peers]`."""

from importlib import import_module
from importlib.metadata import version
from typing import Any


def optional(module: str) -> Any:
    """The module, or None where it is not installed or doesn't load here."""
    try:
        return import_module(module)
    except ImportError:
        return None


def told(package: str) -> str:
    """A line for the results about a package that is not there."""
    try:
        import_module(package)
    except ImportError as error:
        return f"{package} is left out: {error}; `pip install rowen[peers]` has it."
    return f"{package} {version(package)}"

"""Loads modules that Python would load on first use, when a confined process can't open files."""

import codecs
import pkgutil
from contextlib import suppress
from importlib import import_module

from rowen.model.errors import MissingPackageError

_CODECS = (
    "ascii", "latin-1", "windows-1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be",
    "utf-32", "utf-32-le", "utf-32-be", "unicode_escape", "raw_unicode_escape", "idna", "punycode",
    "hex", "base64",
)  # fmt: skip
"""Python's codecs that Rowen may use; each is a module."""


_LAZY = (
    "numpy.ma", "numpy.linalg", "numpy.random", "numpy.fft", "numpy.polynomial", "numpy.rec",
    "numpy.char", "numpy.strings", "numpy.dtypes", "numpy.exceptions", "numpy.ctypeslib",
)  # fmt: skip
"""Submodules that `numpy` imports on first use, as `numpy.unique` does."""


def load_lazy() -> None:
    """Load codecs, and what libraries load late.

    Rowen's own codecs of the Web need no modules of Python.
    """
    for name in _CODECS:
        codecs.lookup(name)
    for name in _LAZY:
        with suppress(ImportError):
            import_module(name)


def load_packages(*names: str) -> None:
    """Import all modules of packages, except those that need something not installed."""
    for name in names:
        package = import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            with suppress(ImportError, MissingPackageError):
                import_module(module.name)

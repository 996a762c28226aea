"""Loading what Python else loads when it is first used: afterwards there may be no files."""

import codecs
import pkgutil
from contextlib import suppress
from importlib import import_module

_CODECS = (
    "ascii", "latin-1", "windows-1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be",
    "utf-32", "utf-32-le", "utf-32-be", "unicode_escape", "raw_unicode_escape", "idna", "punycode",
    "hex", "base64",
)  # fmt: skip
"""Those of Python's own that texts are read and written with; each is a module."""


_LAZY = (
    "numpy.ma", "numpy.linalg", "numpy.random", "numpy.fft", "numpy.polynomial", "numpy.rec",
    "numpy.char", "numpy.strings", "numpy.dtypes", "numpy.exceptions", "numpy.ctypeslib",
)  # fmt: skip
"""What `numpy` imports of itself when it is first named, as `numpy.unique` does."""


def load_lazy() -> None:
    """Load Python's codecs for Unicode and the West, and what libraries load late.

    The codecs of the Web have no modules of Python's.
    """
    for name in _CODECS:
        codecs.lookup(name)
    for name in _LAZY:
        with suppress(ImportError):
            import_module(name)


def load_packages(*names: str) -> None:
    """Import packages with all that is in them, except what needs something not installed."""
    for name in names:
        package = import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            with suppress(ImportError):
                import_module(module.name)

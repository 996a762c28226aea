"""The packages that only some parts need, and what to install where one is missing."""

from importlib.util import find_spec
from types import TracebackType
from typing import Self

from rowen.model.errors import MissingPackageError

__all__ = ["needs", "require"]


class needs:  # noqa: N801  # reads as a statement: `with needs("mcp", "rowen mcp"):`
    """Imports in this block are of an extra: one that is missing is named with what installs it.

    >>> with needs("mcp", "`rowen mcp`"):
    ...     import a_package_that_is_not_there
    Traceback (most recent call last):
    rowen.model.errors.MissingPackageError: `rowen mcp` needs the package a_package_that_is_not_there: pip install 'rowen[mcp]'
    """  # noqa: E501  # as it is printed

    def __init__(self, extra: str, purpose: str) -> None:
        self._extra = extra
        self._purpose = purpose

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A package of ours that is missing is a defect, and not a matter of installing.
        if isinstance(error, ModuleNotFoundError) and not f"{error.name}.".startswith("rowen."):
            package = (error.name or "?").partition(".")[0]
            raise MissingPackageError(self._purpose, package=package, extra=self._extra) from None


def require(extra: str, purpose: str, *packages: str) -> None:
    """Name the first of these packages that is missing, with what installs it; imports none.

    >>> require("store", "a store", "json", "a_package_that_is_not_there")
    Traceback (most recent call last):
    rowen.model.errors.MissingPackageError: a store needs the package a_package_that_is_not_there: pip install 'rowen[store]'
    """  # noqa: E501  # as it is printed
    for package in packages:
        try:
            is_there = find_spec(package) is not None
        except (ImportError, ValueError):
            is_there = False
        if not is_there:
            raise MissingPackageError(purpose, package=package, extra=extra)

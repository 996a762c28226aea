"""One tree of exceptions, each with its exit code and its HTTP status."""

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "DocumentError",
    "ExtractionError",
    "ExtractorError",
    "InputError",
    "LabelError",
    "LimitError",
    "LocalityError",
    "MissingPackageError",
    "NoConsistentWrapper",
    "OutputError",
    "RowenError",
    "SearchCutShort",
    "ServiceError",
    "SourceError",
    "StoreError",
    "UsageError",
]
"""All errors. `rowen.errors` and `rowen.model` take their names from this list."""

REASON_CHARACTERS = 500
"""Limit: how much is stored of the reason why a page failed: an exception may quote the page."""


class RowenError(Exception):
    """The root of all errors that Rowen raises on purpose."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with all attributes: errors cross the borders of worker processes."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[RowenError], args: tuple[object, ...], own: dict[str, Any]) -> RowenError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(own)
    return error


class UsageError(RowenError):
    """A command line or a call is wrong."""

    exit_code = 2
    http_status = 400


class MissingPackageError(UsageError):
    """A part of Rowen needs a package that is not installed; `extra` is what to install.

    >>> str(MissingPackageError("a webhook", package="httpx", extra="client"))
    "a webhook needs the package httpx: pip install 'rowen[client]'"
    """

    def __init__(self, purpose: str, *, package: str, extra: str) -> None:
        super().__init__(f"{purpose} needs the package {package}: pip install 'rowen[{extra}]'")
        self.purpose = purpose
        self.package = package
        self.extra = extra


class InputError(RowenError):
    """Input can't be used: the root of all errors about data."""

    exit_code = 4
    http_status = 422


class SourceError(InputError):
    """A place to read pages from is missing, unreadable or malformed."""


class DocumentError(InputError):
    """One page or document can't be read; `page` is its id."""

    http_status = 415

    def __init__(self, page: str, reason: str) -> None:
        super().__init__(f"{page}: {reason}")
        self.page = page
        self.reason = reason


class LimitError(DocumentError):
    """Reading a document exceeded a limit, such as time or memory, or crashed its process."""

    http_status = 422


class LabelError(InputError):
    """A label contradicts its page or itself; records count from 1, `2.1` is a child of 2."""

    def __init__(self, page: str, reason: str, *, record: str, field: str | None = None) -> None:
        place = f"{page}: record {record}" + (f", field {field!r}" if field is not None else "")
        super().__init__(f"{place}: {reason}")
        self.page = page
        self.record = record
        self.field = field
        self.reason = reason


class ExtractorError(InputError):
    """An extractor's definition can't be used: unknown, malformed, or a broken pattern."""


class ExtractionError(InputError):
    """An extractor failed on a page: an exception, a time limit, or spans outside the page."""

    def __init__(self, extractor: str, page: str, reason: str) -> None:
        super().__init__(f"{page}: extractor {extractor!r} {reason}")
        self.extractor = extractor
        self.page = page
        self.reason = reason


class NoConsistentWrapper(RowenError):  # noqa: N818  # the documented name
    """No wrapper of the class reproduces every label; names the field and the pages in conflict."""

    exit_code = 3
    http_status = 422
    prefix: ClassVar[str] = "no consistent wrapper"

    def __init__(
        self, reason: str, *, field: str | None = None, pages: tuple[str, ...] = ()
    ) -> None:
        where = f"field {field!r}: " if field is not None else ""
        among = f" (pages: {', '.join(pages)})" if pages else ""
        super().__init__(f"{self.prefix}: {where}{reason}{among}")
        self.field = field
        self.pages = pages
        self.reason = reason


class SearchCutShort(NoConsistentWrapper):
    """The search reached a limit before it found a wrapper; there may still be one."""

    prefix = "no wrapper was found before the search was cut short, though there may be one"

    def __init__(self, reason: str, *, pages: tuple[str, ...] = ()) -> None:
        super().__init__(
            f"{reason}; mark fewer records or smaller pages, or name a class", pages=pages
        )


class LocalityError(RowenError):
    """An extractor looks further than its locality, so reusing its results would be wrong."""

    exit_code = 4
    http_status = 422


class OutputError(RowenError):
    """Results can't be written to their destination."""

    exit_code = 6
    http_status = 507


class StoreError(RowenError):
    """A store can't be used: missing, damaged, of another version, locked, or its disk is full."""

    exit_code = 6
    http_status = 503


class ServiceError(RowenError):
    """A service refused a call of a client, or could not be reached.

    If the answer corresponds to a class here, such as InputError, the error is of both classes.
    """

    exit_code = 6
    http_status = 502

    def __init__(
        self, reason: str, *, status: int | None = None, problem: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(reason)
        self.status = status
        """None if there was no answer."""
        self.problem = dict(problem or {})
        """The problem details of the answer (RFC 9457)."""

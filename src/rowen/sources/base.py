"""Sources: places to read pages from."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias, TypeGuard

from rowen.documents.charset import read_page
from rowen.limits import PAGE_BYTES
from rowen.model.errors import DocumentError
from rowen.model.page import Page

OnError: TypeAlias = Callable[[DocumentError], None]

_UNPACKED = 5
"""How many times larger pages are without gzip."""


class Source(Protocol):
    """An iterable of pages that can be gone through again; `name` is what messages call it.

    A source implements `found`. Where the place itself fails, a `SourceError` ends the iteration;
    the pages before it have been given by then.
    """

    name: str

    @property
    def count_hint(self) -> int | None:
        """About how many pages there are, for a progress bar; None where it is not known."""
        return None

    @property
    def bytes_hint(self) -> int | None:
        """About how many bytes of text there are; None where it is not known."""
        return None

    @abstractmethod
    def found(self) -> Iterator[Page | DocumentError]:
        """Each page in order, or why it can't be read."""

    def pages(self, on_error: OnError | None = None) -> Iterator[Page]:
        """The pages; one that can't be read is raised, or given to `on_error` and passed over."""
        for page in self.found():
            if isinstance(page, Page):
                given = [page]
                del page  # it may have hundreds of megabytes, and whoever gets it may let it go
                yield given.pop()
            elif on_error is None:
                raise page
            else:
                on_error(page)

    def __iter__(self) -> Iterator[Page]:
        return self.pages()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def is_source(given: object) -> TypeGuard[Source]:
    """Whether it is a source, or only some iterable of pages."""
    return Source in type(given).__mro__


def page_or_error(
    data: bytes, page_id: str, *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Page | DocumentError:
    """What `found` gives for the bytes of one page."""
    try:
        return read_page(data, page_id, http_charset=http_charset, limit=limit)
    except DocumentError as error:
        return error


def unpacked_size(path: str) -> int | None:
    """About how many bytes a file has for those who read it."""
    try:
        size = os.stat(path).st_size  # noqa: PTH116  # the path may be any string
    except OSError:
        return None
    return size * _UNPACKED if path.lower().endswith(".gz") else size


def unicode_id(name: str | bytes) -> str:
    r"""A name as valid Unicode, which can be written anywhere; `\xff` stands for a stray byte."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "backslashreplace")
    if name.isascii():
        return name
    try:
        return unicode_id(name.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode()

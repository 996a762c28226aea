"""The protocol of sources: places to read pages from."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, Self, TypeAlias, TypeGuard

from rowen.model.errors import DocumentError
from rowen.model.page import Page
from rowen.text.charset import PAGE_BYTES, read_page

OnError: TypeAlias = Callable[[DocumentError], None]


@dataclass(frozen=True, slots=True)
class CrawlNote:
    """What a crawl found out about a page without getting a text of it."""

    page: str
    """The page's id."""
    state: Literal["unchanged", "gone", "failed", "same"]
    """The server said that it is as before (304), that there is none (404, 410), or failed; or the
    page has its old stamp and was not read."""
    reason: str = ""


class Stamps(Protocol):
    """Knows what sources said of pages in the last run, before they were read."""

    def is_known(self, page: str, stamp: str) -> bool:
        """Whether a page has the stamp that it had; if so, its source need not read it.

        An empty stamp says nothing.
        """


OnNote: TypeAlias = Callable[[CrawlNote], None]

_UNPACKED = 5
"""How many times larger pages are when gzip is unpacked."""


class Source(Protocol):
    """A repeatable iterable of pages; messages call it by its `name`.

    A source implements `found`. If the place itself fails, a `SourceError` ends the iteration after
    the pages before the failure.

    >>> import rowen
    >>> source = rowen.open_source("rowen-demo/feature-gates")
    >>> source.count_hint, next(source.pages()).id
    (16, 'AppArmor.md')
    """

    name: str

    @property
    def count_hint(self) -> int | None:
        """About how many pages there are, for a progress bar; None if unknown."""
        return None

    @property
    def bytes_hint(self) -> int | None:
        """About how many bytes of text there are; None if unknown."""
        return None

    @abstractmethod
    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """Each page in order, or the error for a page that can't be read, or a note about one."""

    def comparing(self, stamps: Stamps) -> Self:  # noqa: ARG002  # for sources that have stamps
        """The same source; pages whose stamps are known it does not read, but only notes.

        Most sources know nothing of a page before they have read it.
        """
        return self

    def pages(
        self, on_error: OnError | None = None, on_note: OnNote | None = None
    ) -> Iterator[Page]:
        """The pages; the error of a page is raised, or passed to `on_error` if there is one.

        Notes about pages whose text is not here are passed to `on_note`.
        """
        for page in self.pages_and_same(on_error, on_note):
            if isinstance(page, Page):
                handed_over = [page]  # as below
                del page
                yield handed_over.pop()

    def pages_and_same(
        self, on_error: OnError | None = None, on_note: OnNote | None = None
    ) -> Iterator[Page | CrawlNote]:
        """The same, and in their order notes about pages that have their old stamps."""
        for page in self.found():
            if isinstance(page, CrawlNote):
                if page.state == "same":
                    yield page
                elif on_note is not None:
                    on_note(page)
            elif isinstance(page, Page):
                # A page may have hundreds of megabytes. A generator that still refers to it would
                # keep it alive after the caller has dropped it, beside the next one.
                handed_over = [page]
                del page
                yield handed_over.pop()
            elif on_error is None:
                raise page
            else:
                on_error(page)

    def __iter__(self) -> Iterator[Page]:
        return self.pages()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


def is_source(pages: object) -> TypeGuard[Source]:
    """Whether an iterable of pages is a source; a class must say so, a similar method does not."""
    return Source in type(pages).__mro__


def page_or_error(
    data: bytes, page_id: str, *, http_charset: str | None = None, limit: int = PAGE_BYTES
) -> Page | DocumentError:
    """A page from its bytes, or the error, as `Source.found` gives it."""
    try:
        return read_page(data, page_id, http_charset=http_charset, limit=limit)
    except DocumentError as error:
        return error


def unpacked_size(path: str) -> int | None:
    """About how many bytes a file has when unpacked."""
    try:
        size = os.stat(path).st_size  # noqa: PTH116  # the path may be any string
    except OSError:
        return None
    return size * _UNPACKED if path.lower().endswith(".gz") else size


def unicode_id(name: str | bytes) -> str:
    r"""A name as valid Unicode, which every format can hold; a stray byte becomes `\xff`."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "backslashreplace")
    if name.isascii():
        return name
    try:
        return unicode_id(name.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return name.encode("utf-8", "backslashreplace").decode()

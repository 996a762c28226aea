"""Addresses of saved pages: their paths, as parts of the address that they come from."""

from collections.abc import Iterable, Iterator
from urllib.parse import quote, urljoin, urlsplit

from rowen.model import Page, UsageError


def addressed(pages: Iterable[Page], base: str | None) -> Iterable[Page]:
    """The pages, with addresses for ids where these are paths; the same without a base.

    >>> [page.id for page in addressed([Page("Tea", "tea/a b.html")], "https://shop.example/p/")]
    ['https://shop.example/p/tea/a%20b.html']
    """
    if base is None:
        return pages
    if not _is_address(base):
        raise UsageError(f"{base!r} is not an address such as https://example.org/")
    return _joined(pages, base)


def _joined(pages: Iterable[Page], base: str) -> Iterator[Page]:
    for page in pages:
        known = "://" in page.id
        yield page if known else Page(page.text, urljoin(base, quote(page.id.lstrip("/"))))


def _is_address(base: str) -> bool:
    try:
        parts = urlsplit(base)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)

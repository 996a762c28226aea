"""Head and tail delimiters that are easy to see: whole tags, at best once a page, near records.

These are what the search over all substrings would prefer, too; finding them takes a few searches
in the pages and no suffix order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rowen.wrappers.tabular.preference import ADDRESS
from rowen.wrappers.tabular.table import Table, TablePage

LENGTHS = 8
"""How many lengths of the first left delimiter to try."""
TAGS = 200
"""How many tags to look at on either side of the records."""

_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Ends:
    """A head, a tail and a first left delimiter that go together."""

    head: str
    tail: str
    left: str


def find_ends(table: Table, longest: str, lengths: Sequence[int]) -> Ends | None:
    """The delimiters around the records of pages that all have some, if they are easy."""
    begun = [page for page in table.pages if page.rows and page.rows[0][0] is not None]
    if not begun or not all(page.rows for page in table.pages):
        return None
    for length in lengths[:LENGTHS]:
        left = longest[len(longest) - length :]
        head = next(_heads(begun, left), None)
        tail = next(_tails(table.pages, left), None) if head is not None else None
        if head is not None and tail is not None:
            return Ends(head, tail, left)
    return None


def _heads(pages: Sequence[TablePage], left: str) -> Iterator[str]:
    """Tags from which on `left` is first found at the first record."""
    windows = []
    for page in pages:
        start = _begin(page)
        windows.append((page.text.rfind(left, 0, start - 1) + 1, start - len(left)))
    model, (low, _) = min(
        zip(pages, windows, strict=True), key=lambda pair: pair[1][1] - pair[1][0]
    )
    found = [match[0] for match in _TAG.finditer(model.text, low, _begin(model))]
    fitting = [
        tag
        for tag in _distinct(reversed(found[-TAGS:]))
        if all(
            low <= page.text.find(tag) <= high
            for page, (low, high) in zip(pages, windows, strict=True)
        )
    ]
    yield from _rarest_first(fitting, pages)


def _tails(pages: Sequence[TablePage], left: str) -> Iterator[str]:
    """Tags that first come after the last record and before any other `left`."""
    full = [page for page in pages if not _is_open(page)]
    model = min(full or pages, key=lambda page: len(page.text) - page.known_end)
    found = [match[0] for match in _TAG.finditer(model.text, model.known_end)]
    # Where records follow that are not marked, the last tags of the page are the safest.
    order = [*found[:TAGS], *found[-TAGS:]] if full else found[: -TAGS - 1 : -1]
    fitting = [tag for tag in _distinct(order) if all(_closes(page, tag, left) for page in pages)]
    yield from _rarest_first(fitting, pages)


def _closes(page: TablePage, tag: str, left: str) -> bool:
    end = page.known_end
    place = page.text.find(tag)
    if _is_open(page):
        return place < 0 or place >= end
    return place >= end and page.text.find(left, end, place + len(left) - 1) < 0


def _rarest_first(tags: list[str], pages: Sequence[TablePage]) -> Iterator[str]:
    """Tags that come once a page, then the others."""
    often = []
    for tag in tags:
        if any(page.text.count(tag) > 1 for page in pages):
            often.append(tag)
        else:
            yield tag
    yield from often


def _distinct(found: Iterable[str]) -> list[str]:
    """Each tag once; those with a link, which is another on each page, come last."""
    return sorted(dict.fromkeys(found), key=lambda tag: ADDRESS.search(tag) is not None)


def _begin(page: TablePage) -> int:
    first = page.rows[0][0]
    assert first is not None
    return first[0]


def _is_open(page: TablePage) -> bool:
    """Whether nobody knows where the last record ends."""
    return page.partial or page.rows[-1][-1] is None

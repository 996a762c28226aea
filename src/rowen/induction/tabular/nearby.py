"""Head and tail delimiters that are easy to see: whole tags near the records.

At best they occur once on a page. The search over all substrings would prefer them, too; finding
them takes a few `find` calls and no suffix array.

    <h1>Codes</h1><p><b>Ada</b><b>Alan</b><hr><b>End</b>       first left delimiter <b>

    head   from "<p>" on the first <b> is that of Ada
    tail   "<hr>" comes after Alan and before the next <b>
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rowen.induction.tabular.preference import ADDRESS
from rowen.induction.tabular.table import Table, TablePage

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
    """The delimiters around the records, if all pages have records and easy ones exist."""
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
    # A head must start after the last `left` that is too early, and leave room for the right one.
    windows = []
    for page in pages:
        start = _begin(page)
        windows.append((page.text.rfind(left, 0, start - 1) + 1, start - len(left)))
    model, (low, _) = min(
        zip(pages, windows, strict=True), key=lambda pair: pair[1][1] - pair[1][0]
    )
    tags = [match[0] for match in _TAG.finditer(model.text, low, _begin(model))]
    fitting = [
        tag
        for tag in _distinct(reversed(tags[-TAGS:]))
        if all(
            low <= page.text.find(tag) <= high
            for page, (low, high) in zip(pages, windows, strict=True)
        )
    ]
    yield from _rarest_first(fitting, pages)


def _tails(pages: Sequence[TablePage], left: str) -> Iterator[str]:
    """Tags that first come after the last record and before any other `left`."""
    # Pages whose tail is known decide; the others only have to have it after the known values.
    full = [page for page in pages if not _is_open(page)]
    model = min(full or pages, key=lambda page: len(page.text) - page.known_end)
    tags = [match[0] for match in _TAG.finditer(model.text, model.known_end)]
    # Where records follow that are not marked, the last tags of the page are the safest.
    order = [*tags[:TAGS], *tags[-TAGS:]] if full else tags[: -TAGS - 1 : -1]
    fitting = [tag for tag in _distinct(order) if all(_closes(page, tag, left) for page in pages)]
    yield from _rarest_first(fitting, pages)


def _closes(page: TablePage, tag: str, left: str) -> bool:
    end = page.known_end
    place = page.text.find(tag)
    if _is_open(page):
        return place < 0 or place >= end
    return place >= end and page.text.find(left, end, place + len(left) - 1) < 0


def _rarest_first(tags: list[str], pages: Sequence[TablePage]) -> Iterator[str]:
    """Tags that occur once on each page, then the others."""
    often = []
    for tag in tags:
        if any(page.text.count(tag) > 1 for page in pages):
            often.append(tag)
        else:
            yield tag
    yield from often


def _distinct(tags: Iterable[str]) -> list[str]:
    """Each tag once; those with a link, which differs between pages, come last."""
    return sorted(dict.fromkeys(tags), key=lambda tag: ADDRESS.search(tag) is not None)


def _begin(page: TablePage) -> int:
    first = page.rows[0][0]
    assert first is not None
    return first[0]


def _is_open(page: TablePage) -> bool:
    """Whether it is unknown where the last record ends."""
    return page.partial or page.rows[-1][-1] is None

"""Which mark would decide between wrappers that all reproduce the marks there are.

marked: a row of the second table      chosen: rows of table[@id="dep"]      rival: all rows
suggested: the first row of the other table, as a record or not
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rowen.learning.verification import shown
from rowen.model import Page
from rowen.model.suggestion import Suggestion
from rowen.records import Record
from rowen.wrappers.base import Wrapper

MOST = 3
"""Limit: so many places are suggested."""

COMPARED = 200_000
"""Limit: so many characters of a page are compared; a place near the beginning decides as well."""

PAGES = 3
"""Limit: wrappers are compared on so many pages."""


def suggest_marks(
    wrapper: Wrapper, rivals: Iterable[Wrapper], pages: Sequence[Page]
) -> tuple[Suggestion, ...]:
    """The first places where a wrapper and its rivals disagree, those of other rivals first."""
    beginnings = [Page(page.text[:COMPARED], id=page.id) for page in pages[:PAGES]]
    own = [list(wrapper.extract(page)) for page in beginnings]
    suggestions: dict[tuple[str, int], Suggestion] = {}
    for rival in rivals:
        for page, records in zip(beginnings, own, strict=True):
            place = next(_differences(page, records, list(rival.extract(page))), None)
            if place is not None:
                suggestions.setdefault((place.page, place.start), place)
                break
    return tuple(islice(suggestions.values(), MOST))


def _differences(
    page: Page, records: Sequence[Record], others: Sequence[Record]
) -> Iterator[Suggestion]:
    """Where two extractions disagree: what is a record, then what is a value of one."""
    pairs = _pairs(records, others)
    extra = set(range(len(others))) - set(pairs.values())
    for number in sorted(extra):
        yield _of_record(page, others[number], "it is no record so far; mark it if it is one")
    for number, record in enumerate(records):
        if number not in pairs:
            text = "it counts as a record, which is not sure; mark it if it is right"
            yield _of_record(page, record, text)
    for number, other in pairs.items():
        yield from _of_values(page, records[number], others[other])


def _of_record(page: Page, record: Record, message: str) -> Suggestion:
    extent = record.extent
    assert extent is not None
    return Suggestion(page.id, extent.start, extent.end, f"{shown(record)}: {message}")


def _of_values(page: Page, record: Record, other: Record) -> Iterator[Suggestion]:
    extent = record.extent
    there = dict(other.items())
    for name, spans in record.items():
        if extent is not None and sorted(spans) != sorted(there.get(name, ())):
            texts = [
                " ".join(span.of(page.text) for span in each) or "nothing"
                for each in (spans, there.get(name, ()))
            ]
            if texts[0] == texts[1]:
                continue
            message = f"{shown(record)}: mark its {name}; it may be {texts[0]!r} or {texts[1]!r}"
            yield Suggestion(page.id, extent.start, extent.end, message, name)


def _pairs(records: Sequence[Record], others: Sequence[Record]) -> dict[int, int]:
    """Records that overlap, as numbers in both; both are in page order."""
    pairs: dict[int, int] = {}
    place = 0
    for number, record in enumerate(records):
        extent = record.extent
        while extent is not None and place < len(others):
            other = others[place].extent
            if other is not None and other.start >= extent.end:
                break
            place += 1
            if other is not None and other.end > extent.start:
                pairs[number] = place - 1
                break
    return pairs

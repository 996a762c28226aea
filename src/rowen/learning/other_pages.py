"""The pages without labels after learning: what a wrapper finds there, and what it misses.

    marked pages    every one has a title
    other pages     18 of 25 records have no title      mark one of them next
    other pages     12 of 20 have no record             a warning

A page that is laid out in another way than the marked ones is seen here, and not only in the data.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from rowen.induction import budget
from rowen.learning.progress import report
from rowen.learning.suggestions import MOST
from rowen.model import Page, Warning  # noqa: A004  # the design's word
from rowen.model.suggestion import Suggestion
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper

OTHERS = 50
SECONDS = 2.0
"""Limits: so many pages without labels are looked at, for at most so much processor time."""

EMPTY = 0.5
"""If more than this share of the pages have no record, the marks may be of another kind of page."""

LACKING = 0.2
"""If more than this share of the records lack a field of all marked ones, there may be a layout
that nobody marked."""

FEWEST = 2
"""One record without a field is no layout."""

SHOWN = 3
"""So many pages are named."""


def look_at_others(wrapper: Wrapper, pages: Sequence[Page], examples: Sequence[Example]) -> None:
    """Add what the other pages say to the warnings and suggestions of a wrapper."""
    wrapper.warnings = (*wrapper.warnings, *_never_marked(examples))
    if not pages or not all(example.records for example in examples):
        return
    report("comparing records of other pages")
    found: list[tuple[Page, Record | None]] = []
    with budget.limit(SECONDS):
        for page in pages[:OTHERS]:
            if found and budget.spent():
                break
            found.append((page, next(iter(wrapper.extract(page)), None)))
    wrapper.warnings = (*wrapper.warnings, *_without_records(found))
    open_fields = _lacking(found, examples)
    wrapper.suggestions = tuple(islice(chain(wrapper.suggestions, open_fields), MOST))


def _never_marked(examples: Sequence[Example]) -> Iterator[Warning]:
    """The fields of which no record has a value."""
    records = [record for example in examples for record in example.records]
    stored = [pair for record in records for pair in record.stored()]
    marked = {name for name, value in stored if value}
    for name in dict.fromkeys(name for name, _ in stored):
        if name not in marked:
            message = "no marked record has a value, so that none is ever found; mark one that has"
            yield Warning("field-never-marked", message, field=name)


def _without_records(found: Sequence[tuple[Page, Record | None]]) -> Iterator[Warning]:
    without = [page.id for page, record in found if record is None]
    if len(without) > EMPTY * len(found):
        names = ", ".join(without[:SHOWN]) + (", ..." if len(without) > SHOWN else "")
        message = (
            f"{len(without)} of {len(found)} pages without labels have no record: {names}; "
            "if they should have some, mark one of them as well"
        )
        yield Warning("pages-without-records", message)


def _lacking(
    found: Sequence[tuple[Page, Record | None]], examples: Sequence[Example]
) -> Iterator[Suggestion]:
    """The fields of all marked pages that many others lack, where pages are one record each."""
    if any(example.partial or len(example.records) != 1 for example in examples):
        return
    marked = [example.records[0] for example in examples]
    records = [(page, record) for page, record in found if record is not None]
    for name in marked[0]:
        if not all(dict(record.items()).get(name) for record in marked):
            continue
        lacking = [(page, record) for page, record in records if not _has(record, name)]
        if len(lacking) < FEWEST or len(lacking) <= LACKING * len(records):
            continue
        page, record = lacking[0]
        extent = record.extent
        start, end = (0, len(page.text)) if extent is None else extent
        message = (
            f"mark its {name}, if it has one: all marked pages have one, and {len(lacking)} of "
            f"{len(records)} others have none"
        )
        yield Suggestion(page.id, start, end, message, name)


def _has(record: Record, name: str) -> bool:
    return bool(dict(record.items()).get(name))

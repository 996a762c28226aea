"""The records that the studio shows of a page: marked ones and, unless it is accepted, proposals.

The same rules as in the browser (static/records.js): both are tested on tests/studio/rows.json.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rowen.studio.state import Label, Marks

_DOTTED = re.compile(r"([^.\s](?:[^.]*[^.\s])?)\.([^.\s](?:[^.]*[^.\s])?)")


class Column(NamedTuple):
    """A field of the records in a list."""

    list: str
    name: str


def column_of(field: str) -> Column | None:
    """The column that a field is; None for a field of the record itself.

    >>> column_of("reviews.author"), column_of("no. of pages")
    (Column(list='reviews', name='author'), None)
    """
    match = _DOTTED.fullmatch(field)
    return None if match is None else Column(*match.groups())


def rows_of(
    label: Label | None,
    proposed: Sequence[Marks],
    fields: Sequence[str],
    regions: Sequence[Sequence[int]] = (),
) -> list[dict[str, Any]]:
    """The records in page order.

    A proposal for a marked record, which overlaps it or is in the same region, fills its unknown
    fields, unless the two contradict each other and share no value; it also goes on with a list
    that is marked in part. Only fields that were added since are filled where a page is accepted.
    """
    label = label or Label()
    waiting = [
        row
        for row in _only(proposed, fields)
        if extent_of(row) and not any(is_same_record(row, deleted) for deleted in label.rejected)
    ]
    rows: list[dict[str, Any]] = []
    accepted: list[dict[str, Any]] = []
    for marked in label.records:
        start, end = extent_of(marked) or (-1, -1)
        _, last = region = region_at(regions, start)
        while waiting and _is_before(waiting[0], start, region):
            rows.append(waiting.pop(0))
        completion: Marks = {}
        while waiting and _bounds(waiting[0])[0] < max(end, last):
            proposal = waiting.pop(0)
            if _agree(marked, proposal) or is_same_record(marked, proposal):
                completion = proposal
        record = {**completion, **marked}
        if not label.complete:
            record |= {name: completion[name] for name in _begun(marked, completion)}
        accepted.append(record)
        rows.append(accepted[-1])
    return accepted if label.complete else rows + waiting


def region_at(regions: Sequence[Sequence[int]], offset: int) -> tuple[int, int]:
    """The region around an offset; an empty one at the offset if there is none."""
    place = bisect_right(regions, offset, key=lambda region: region[0]) - 1
    if place >= 0 and offset < regions[place][1]:
        return regions[place][0], regions[place][1]
    return offset, offset


def is_same_record(left: Marks, right: Marks) -> bool:
    """Whether two records share a value: then one may still have more fields."""
    return any(value and _plain(value) == _plain(right.get(name)) for name, value in left.items())


def _is_before(row: Marks, start: int, region: tuple[int, int]) -> bool:
    first, last = _bounds(row)
    return last <= start and not region[0] <= first < region[1]


def _only(records: Iterable[Marks], fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    for record in records:
        yield {name: value for name, value in record.items() if name in fields}


def _agree(marked: Marks, proposed: Marks) -> bool:
    begun = set(_begun(marked, proposed))
    return all(
        name in begun or _plain(proposed[name]) == _plain(value)
        for name, value in marked.items()
        if name in proposed
    )


def _begun(marked: Marks, proposed: Marks) -> Iterator[str]:
    """The columns of lists with some marked values, of which the proposal has these and more."""
    for name in marked:
        if column_of(name) is not None:
            values, more = set(spans_of(marked[name])), set(spans_of(proposed.get(name)))
            if values and values <= more:
                yield name


def _bounds(record: Marks) -> tuple[int, int]:
    return extent_of(record) or (-1, -1)


def extent_of(record: Marks) -> tuple[int, int] | None:
    """From the first start to the last end of the record's values; None if it has none."""
    spans = [span for value in record.values() for span in spans_of(value)]
    if not spans:
        return None
    return min(start for start, _ in spans), max(end for _, end in spans)


def spans_of(value: Any) -> Iterator[tuple[int, int]]:
    """All spans of a value, those in nested records too."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from spans_of(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) == 2 and all(isinstance(offset, int) for offset in value):
            yield value[0], value[1]
        else:
            for inner in value:
                yield from spans_of(inner)


def _plain(value: Any) -> Any:
    """A value with lists where it has tuples: labels come from JSON, proposals from records."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value

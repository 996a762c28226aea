"""The records that the studio shows of a page: marked ones and, unless it is accepted, proposals.

The same rules as in the browser (static/records.js): both are tested on the same cases.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rowen.studio.state import Label, Marks


def rows_of(
    label: Label | None, proposed: Sequence[Marks], fields: Sequence[str]
) -> list[dict[str, Any]]:
    """The records in page order.

    A proposal that overlaps a marked record fills its unknown fields, unless the two contradict
    each other.
    """
    label = label or Label()
    waiting = [] if label.complete else [row for row in _only(proposed, fields) if _extent(row)]
    rows: list[dict[str, Any]] = []
    for marked in label.records:
        start, end = _extent(marked) or (-1, -1)
        while waiting and _bounds(waiting[0])[1] <= start:
            rows.append(waiting.pop(0))
        completion: Marks = {}
        while waiting and _bounds(waiting[0])[0] < end:
            proposal = waiting.pop(0)
            if _agree(marked, proposal):
                completion = proposal
        rows.append({**completion, **marked})
    return rows + waiting


def _only(records: Iterable[Marks], fields: Sequence[str]) -> Iterator[dict[str, Any]]:
    for record in records:
        yield {name: value for name, value in record.items() if name in fields}


def _agree(marked: Marks, proposed: Marks) -> bool:
    return all(
        _plain(proposed[name]) == _plain(value)
        for name, value in marked.items()
        if name in proposed
    )


def _bounds(record: Marks) -> tuple[int, int]:
    return _extent(record) or (-1, -1)


def _extent(record: Marks) -> tuple[int, int] | None:
    """From the first start to the last end of the record's values; None if it has none."""
    spans = [span for value in record.values() for span in _spans(value)]
    if not spans:
        return None
    return min(start for start, _ in spans), max(end for _, end in spans)


def _spans(value: Any) -> Iterator[tuple[int, int]]:
    """All spans of a value, those in nested records too."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _spans(inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) == 2 and all(isinstance(offset, int) for offset in value):
            yield value[0], value[1]
        else:
            for inner in value:
                yield from _spans(inner)


def _plain(value: Any) -> Any:
    """A value with lists where it has tuples: labels come from JSON, proposals from records."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value

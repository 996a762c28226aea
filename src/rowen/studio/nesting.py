"""Lists inside records: the field `reviews.author` is the author of each review of a record.

A person names, marks and sees such fields like all others, with several values each. Where labels
are learned from or written they are nested records, and proposals become columns again:

    {"title": [0, 4], "reviews.author": [[10, 12], [20, 22]], "reviews.text": [14, 18]}
    {"title": [0, 4], "reviews": [{"author": [10, 12], "text": [14, 18]}, {"author": [20, 22]}]}

In page order, a value of a column that a nested record has already begins the next one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rowen.studio.rows import column_of, spans_of
from rowen.studio.state import Marks


def folded_fields(fields: Iterable[str]) -> tuple[str, ...]:
    """The fields of the records themselves: of each list its name, once."""
    return tuple(dict.fromkeys(column.list if (column := column_of(f)) else f for f in fields))


def fold(record: Marks, *, complete: bool) -> dict[str, Any]:
    """A record with nested records; where it is `complete`, what they lack is missing."""
    folded: dict[str, Any] = {}
    values: dict[str, list[tuple[tuple[int, int], str]]] = {}
    columns: dict[str, list[str]] = {}
    for field, value in record.items():
        column = column_of(field)
        if column is None:
            folded[field] = value
            continue
        folded.setdefault(column.list, [])
        columns.setdefault(column.list, []).append(column.name)
        places = values.setdefault(column.list, [])
        places += ((span, column.name) for span in spans_of(value))
    for name, places in values.items():
        absent = [column for column in columns[name] if record[f"{name}.{column}"] is None]
        folded[name] = _grouped(sorted(places), columns[name] if complete else absent) or None
    return folded


def _grouped(
    places: Sequence[tuple[tuple[int, int], str]], expected: Sequence[str]
) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for span, column in places:
        if not groups or column in groups[-1]:
            groups.append({})
        groups[-1][column] = list(span)
    return [{**dict.fromkeys(expected), **group} for group in groups]


def flatten(record: Marks, fields: Sequence[str]) -> dict[str, Any]:
    """A record with the columns of its lists, as far as they are fields."""
    flat: dict[str, Any] = {}
    columns = [(field, column) for field in fields if (column := column_of(field))]
    lists = {column.list for _, column in columns}
    for name, value in record.items():
        if name not in lists:
            flat[name] = value
            continue
        for field, column in columns:
            if column.list == name:
                flat[field] = _values(value, column.name)
    return flat


def _values(nested: Any, column: str) -> Any:
    """All spans of a column: one by itself, several as a list, None without any."""
    spans = [
        list(span)
        for record in nested or ()
        if isinstance(record, Mapping)
        for span in spans_of(record.get(column) or ())
    ]
    return spans[0] if len(spans) == 1 else spans or None


def folded_types(types: Mapping[str, str]) -> dict[str, Any]:
    """Types of fields as a schema with nested fields."""
    folded: dict[str, Any] = {}
    for field, kind in types.items():
        column = column_of(field)
        if column is None:
            folded[field] = kind
        else:
            folded.setdefault(column.list, {"fields": {}})["fields"][column.name] = kind
    return folded

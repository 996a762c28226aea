"""Marks: a record as label files and the studio have it, with spans and without values."""

from typing import Any

from rowen.records import Record
from rowen.records.record import CHILDREN


def marks_of(record: Record, *, without: str | None = None) -> dict[str, Any]:
    """The spans of a record's fields, with its children; `without` leaves one field out.

    A field that is known to be missing is None, one that is unknown is left out.
    """
    marks: dict[str, Any] = {name: spans for name, spans in record.spans.items() if name != without}
    if record.children:
        marks[CHILDREN] = [marks_of(child, without=without) for child in record.children]
    return marks

"""Records as an HTML table, for notebooks."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowen.model.record import Record

ROWS = 100
"""A notebook shows so many records; more make the browser slow and nobody reads them."""


def html_table(records: Sequence["Record"]) -> str:
    """A plain table, a row a record, children as tables of their own."""
    fields = list(dict.fromkeys(name for record in records for name, _ in record.items()))
    nested = any(record.children for record in records[:ROWS])
    head = "".join(f"<th>{escape(name)}</th>" for name in [*fields, *(["children"] * nested)])
    rows = "".join(_row(record, fields, nested=nested) for record in records[:ROWS])
    more = f"<p>{len(records) - ROWS} more records</p>" if len(records) > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _row(record: "Record", fields: list[str], *, nested: bool) -> str:
    values = record.values
    cells = "".join(f"<td>{_cell(values.get(name))}</td>" for name in fields)
    if nested:
        cells += f"<td>{html_table(record.children) if record.children else ''}</td>"
    return f"<tr>{cells}</tr>"


def _cell(value: str | list[str] | None) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "<br>".join(escape(one) for one in value)
    return escape(value)

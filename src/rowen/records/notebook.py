"""What a notebook shows: small HTML tables, everything escaped, without scripts and styles."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from rowen.records.columns import text_of

if TYPE_CHECKING:
    from rowen.records.record import Record

ROWS = 100
"""Limit: how many records a notebook shows; more make the browser slow."""

CHARACTERS = 500
"""Limit: how much of a text a notebook shows in a cell."""


def html_table(records: Sequence["Record"]) -> str:
    """A plain table with one row per record; nested records and children are tables inside."""
    fields = list(dict.fromkeys(name for record in records[:ROWS] for name, _ in record.items()))
    nested = any(record.children for record in records[:ROWS])
    rows = (_row(record, fields, nested=nested) for record in records[:ROWS])
    more = f"<p>{len(records) - ROWS} more records</p>" if len(records) > ROWS else ""
    return _table([*fields, *(["children"] * nested)], rows) + more


def text_table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts and numbers."""
    return _table(headings, (map(_cell, row) for row in rows))


def fact_table(caption: str, facts: Mapping[str, object]) -> str:
    """A caption and a table of names with what they stand for; empty facts are left out."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td>{_cell(fact)}</td></tr>'
        for name, fact in facts.items()
        if fact not in (None, "", (), [])
    )
    return f"<p><b>{escape(_cut(caption))}</b></p><table><tbody>{rows}</tbody></table>"


def _table(headings: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(record: "Record", fields: list[str], *, nested: bool) -> list[str]:
    values = record.values
    cells = [_cell(values.get(name)) for name in fields]
    if nested:
        cells.append(html_table(record.children) if record.children else "")
    return cells


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        if value.keys() == {"amount", "currency"}:  # a price
            return escape(f"{text_of(value['amount'])} {value['currency'] or ''}".strip())
        value = [value]
    if isinstance(value, list | tuple):
        items = list(value[:ROWS])
        if items and all(isinstance(item, Mapping) and "amount" not in item for item in items):
            fields = list(dict.fromkeys(name for item in items for name in item))
            return _table(fields, ([_cell(item.get(name)) for name in fields] for item in items))
        return "<br>".join(map(_cell, items))
    return escape(_cut(text_of(value)))


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]} …"

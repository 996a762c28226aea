"""What a notebook shows: small HTML tables, everything escaped, without scripts and styles."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import cycle
from typing import TYPE_CHECKING, Any

from rowen.records.columns import text_of
from rowen.records.page_frame import COLOURS, page_frame

if TYPE_CHECKING:
    from rowen.model import Page
    from rowen.records.record import Record

ROWS = 100
"""Limit: how many records a notebook shows; more make the browser slow."""

CHARACTERS = 500
"""Limit: how much of a text a notebook shows in a cell."""


PAGE_CHARACTERS = 200_000
"""Limit: longer pages are not shown in a notebook, which would keep a copy of each."""

FRAME_STYLE = "width:100%;height:320px;border:1px solid #888;background:#fff"


def html_table(records: Sequence["Record"]) -> str:
    """A plain table with one row per record; nested records and children are tables inside."""
    fields = list(dict.fromkeys(name for record in records[:ROWS] for name, _ in record.items()))
    nested = any(record.children for record in records[:ROWS])
    rows = (_row(record, fields, nested=nested) for record in records[:ROWS])
    more = f"<p>{len(records) - ROWS} more records</p>" if len(records) > ROWS else ""
    return _table([*fields, *(["children"] * nested)], rows) + more


def marked_page(page: "Page", records: "Sequence[Record]", *, shown: bool = False) -> str:
    """A page with its records marked, to unfold; nothing for a page that is too long to show."""
    if len(page.text) > PAGE_CHARACTERS or not records:
        return ""
    fields = list(dict.fromkeys(name for record in records[:ROWS] for name, _ in record.items()))
    frame = page_frame(page, records, fields, style=FRAME_STYLE)
    name = escape(_cut(page.id))
    return f"<details{' open' * shown}><summary>on {name}</summary>{frame}</details>"


def bar(counts: Mapping[str, int]) -> str:
    """Counts as one bar of coloured parts, each with its name."""
    total = sum(counts.values())
    parts = "".join(
        f'<div title="{escape(name)}" style="flex:{count};background:{colour};color:#000;'
        f'padding:0 4px;overflow:hidden;white-space:nowrap">{count:,} {escape(name)}</div>'
        for (name, count), colour in zip(counts.items(), cycle(COLOURS), strict=False)
        if count
    )
    return f'<div style="display:flex;max-width:40em">{parts}</div>' if total else ""


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

"""The HTML report of `rowen discover`: the records of each table, and where they are on a page."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from rowen.records.page_frame import COLOURS, page_frame, shown_places

if TYPE_CHECKING:
    from rowen.model import Page
    from rowen.records import Record
    from rowen.structure.discover import Column, Table

ROWS = 10
"""So many records of a table are in the report."""

COLUMNS = 30
"""So many columns of a table are in the report."""

SHOWN_TABLES = 5
"""Limit: so many tables are shown on a page; each of them holds a copy of it."""

SHOWN_PAGE = 1_000_000
"""Limit: longer pages are not shown: a browser would take long with copies of them."""

SHOWN_CHARACTERS = 80
"""This much of a value is shown."""

STYLE = """
:root { color-scheme: light }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1.5rem }
h1 { margin: 0 } h2 { margin: 2.5rem 0 .3rem; border-top: 2px solid #ccc; padding-top: 1rem }
p { margin: .3rem 0 } code { background: #f0f0f0; padding: .1em .3em; border-radius: 3px }
nav a { display: inline-block; margin-right: 1rem }
.scroll { overflow-x: auto; margin: .6rem 0 }
table { border-collapse: collapse } th small { font-weight: normal; color: #444 }
td, th { border: 1px solid #bbb; padding: .25em .5em; text-align: left; vertical-align: top }
td { max-width: 16em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
iframe { width: 100%; height: 460px; border: 1px solid #888 }
summary { cursor: pointer; font-weight: 600; margin: .5rem 0 } .quiet { color: #555 }
"""


def report(tables: "Sequence[Table]", pages: "Sequence[Page]") -> str:
    """All tables, best first."""
    by_id = {page.id: page for page in pages}
    links = "".join(
        f'<a href="#table-{number}">Table {number} ({len(table.records):,})</a>'
        for number, table in enumerate(tables, 1)
    )
    count = f"{len(pages):,} page{'' if len(pages) == 1 else 's'}"
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tables</title>',
        f"<style>{STYLE}</style><h1>Tables on {count}</h1>",
        "<p>The most likely table is first. Names and types are suggestions.</p>",
        f"<nav>{links}</nav>" if tables else "<p>No tables were found.</p>",
    ]
    for number, table in enumerate(tables, 1):
        parts.extend(_section(number, table, by_id))
    return "".join(parts) + "</html>\n"


def _section(number: int, table: "Table", pages: "dict[str, Page]") -> Iterator[str]:
    columns = table.columns[:COLUMNS]
    records, count = len(table.records), len(table.pages)
    yield f'<section id="table-{number}"><h2>Table {number}: {records:,} records</h2>'
    where = escape(table.pages[0]) if count == 1 else f"{count:,} pages"
    yield f"<p>On {where}. To extract it from other pages, save it as a wrapper: "
    yield f"<code>rowen discover PAGE... --table {number} -o wrapper.json</code></p>"
    heads = "".join(map(_head, columns, range(len(columns))))
    rows = "".join(_row(record, columns) for record in table.records[:ROWS])
    yield f'<div class="scroll"><table><tr>{heads}{rows}</table></div>'
    hidden = [
        f"{count:,} more {what}"
        for count, what in ((records - ROWS, "records"), (len(table.columns) - COLUMNS, "columns"))
        if count > 0
    ]
    if hidden:
        yield f'<p class="quiet">And {" and ".join(hidden)}.</p>'
    page = pages.get(_fullest(table))
    if number <= SHOWN_TABLES and page is not None and len(page.text) <= SHOWN_PAGE:
        names = [column.name for column in table.columns]
        is_open = " open" if number == 1 else ""
        if any(shown_places(page, table.records, names)):
            yield f"<details{is_open}><summary>Where it is on {escape(page.id)}</summary>"
            yield f"{page_frame(page, table.records, names)}</details>"
        else:
            yield f"<p>Its values are in {escape(page.id)}, where a browser does not show them: in "
            yield "scripts or attributes.</p>"
    yield "</section>"


def _head(column: "Column", number: int) -> str:
    filled = "" if column.filled >= 1 else f", {column.filled:.0%} filled"
    colour = COLOURS[number % len(COLOURS)]
    name = escape(column.name)
    return f'<th style="background:{colour}">{name}<br><small>{column.type}{filled}</small>'


def _row(record: "Record", columns: "Iterable[Column]") -> str:
    values = record.values
    return "<tr>" + "".join(f"<td>{_cell(values[column.name])}" for column in columns)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "<br>".join(map(_cell, value))
    shown = " ".join(str(value).split())
    cut = SHOWN_CHARACTERS - 3
    return escape(shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:cut]}...")


def _fullest(table: "Table") -> str:
    """The page with the most records."""
    counts = dict.fromkeys(table.pages, 0)
    for record in table.records:
        counts[record.page.id] += 1
    return max(counts, key=lambda page: counts[page])

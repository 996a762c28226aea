"""Pages of a library's papers, sorted, and how many papers have which value of a facet."""

import base64
import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from rowen.library.selection import FACETS, Selection
from rowen.model.errors import InputError
from rowen.storage.documents.database import Value

LIST_PAPERS = 500
"""Limit: how many papers a page of a list has."""

FACET_VALUES = 100
"""Limit: how many values of a facet are listed, the most frequent ones."""

RANKED_PAPERS = 1_000
"""Limit: how many papers are sorted by how well they match; of more, the newest come first. Ranking
takes 50 microseconds for each paper with a frequent word."""

_WEIGHTS = "bm25(words, 10, 6, 4, 1, 0.5, 4)"
"""How much a word counts in each column: a title says more of a paper than its references."""

_LAST = "'\U0010ffff'"
_SORTS = {
    "title": "p.sort_title",
    "authors": "p.sort_author",
    "year": "p.year",
    "venue": "p.venue COLLATE NOCASE",
    "state": "p.state",
    "added": "p.number",
}
RELEVANCE = "relevance"
_LISTED = {"author": ("name", "people"), "tag": ("tag", "tags")}
"""Facets of which a paper may have several values, with their columns and tables."""

_ITEM = (
    "p.number, p.id, p.title, p.authors, p.year, p.venue, p.language, p.doi, p.state, p.reason,"
    " p.name, p.added, p.work,"
    " (SELECT count(*) FROM papers o WHERE o.work = p.work),"
    " (SELECT count(*) FROM citations c WHERE c.cited = p.number)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """A paper as a list shows it."""

    id: str
    title: str | None
    authors: list[str]
    year: str | None
    venue: str | None
    state: str
    """waiting, ready or failed."""
    language: str | None
    doi: str | None
    name: str
    """The name of its file."""
    added: str
    tags: list[str]
    versions: int
    """How many papers of the library are versions of this work, this one included."""
    cited: int
    """How often papers of the library cite it."""
    reason: str | None
    """Why it failed."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list."""

    items: list[Item]
    next: str | None
    """The cursor of what follows; None at the end."""
    total: int


def list_papers(
    do: sqlite3.Connection,
    selection: Selection,
    *,
    sort: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
    grouped: bool = False,
) -> Page:
    """A page of papers. Where `grouped`, only the first version of each work is listed."""
    tables, values = selection.written()
    works = "count(DISTINCT p.work)" if grouped else "count(*)"
    (total,) = do.execute(f"SELECT {works} FROM {tables}", values).fetchone()  # noqa: S608  # fixed names
    chosen = sort or (RELEVANCE if selection.ranked else "-added")
    key, descending = _sorting(chosen, selection, total)
    keyed = f"SELECT p.number AS number, p.work AS work, {key} AS key FROM {tables}"  # noqa: S608  # fixed names
    if grouped:
        first = "row_number() OVER (PARTITION BY work ORDER BY number) AS place"
        keyed = (
            f"SELECT number, key FROM (SELECT number, key, {first} FROM ({keyed})) WHERE place = 1"  # noqa: S608
        )
    order = "DESC" if descending else "ASC"
    start: list[Value] = [] if cursor is None else _place(cursor, chosen)
    after = f"WHERE (key, number) {'<' if descending else '>'} (?, ?)" if start else ""
    rows = do.execute(
        f"SELECT number, key FROM ({keyed}) {after} ORDER BY key {order}, number {order} LIMIT ?",  # noqa: S608
        [*values, *start, limit + 1],
    ).fetchall()
    page = rows[:limit]
    more = _cursor(chosen, page[-1][1], page[-1][0]) if len(rows) > limit else None
    return Page(items_of(do, [number for number, _ in page]), more, total)


def items_of(do: sqlite3.Connection, numbers: list[int]) -> list[Item]:
    """Papers by their numbers, in that order."""
    listed = json.dumps(numbers)
    rows = do.execute(
        f"SELECT {_ITEM} FROM papers p WHERE p.number IN (SELECT value FROM json_each(?))",  # noqa: S608
        (listed,),
    ).fetchall()
    people = _lists(do, "SELECT paper, name FROM people", listed)
    tags = _lists(do, "SELECT paper, tag FROM tags", listed)
    items = {row[0]: _item(row, people.get(row[0], []), tags.get(row[0], [])) for row in rows}
    return [items[number] for number in numbers if number in items]


def count_facets(
    do: sqlite3.Connection, selection: Selection
) -> dict[str, list[tuple[str | None, int]]]:
    """For each facet its most frequent values. A facet's own choice does not limit it."""
    columns = ", ".join(name for name in FACETS if name not in _LISTED)
    do.execute(f"CREATE TEMP TABLE IF NOT EXISTS chosen (number INTEGER PRIMARY KEY, {columns})")
    counts, chosen = {}, None
    for name in FACETS:
        others = selection.without(name)
        if not others.is_everything and others != chosen:
            # Searched once for all facets in which nothing is chosen.
            tables, values = others.written()
            named = ", ".join(f"p.{column}" for column in columns.split(", "))
            do.execute("DELETE FROM chosen")
            do.execute(f"INSERT INTO chosen SELECT p.number, {named} FROM {tables}", values)  # noqa: S608
            chosen = others
        counts[name] = _count(do, name, everything=others.is_everything)
    return counts


def _count(do: sqlite3.Connection, facet: str, *, everything: bool) -> list[tuple[str | None, int]]:
    if facet in _LISTED:
        column, table = _LISTED[facet]
        only = "" if everything else "WHERE paper IN (SELECT number FROM chosen)"
        # In the order of an index, so that values need not be sorted.
        rows = f"SELECT DISTINCT {column} AS value, paper FROM {table} {only}"  # noqa: S608  # fixed
    else:
        rows = f"SELECT {facet} AS value FROM {'papers' if everything else 'chosen'}"  # noqa: S608
    order = "value DESC" if facet == "year" else "number DESC, value"
    return do.execute(
        f"SELECT value, count(*) AS number FROM ({rows}) GROUP BY value"  # noqa: S608
        f" ORDER BY {order} LIMIT {FACET_VALUES}"
    ).fetchall()


def _lists(do: sqlite3.Connection, query: str, listed: str) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    query += " WHERE paper IN (SELECT value FROM json_each(?)) ORDER BY rowid"
    if " tags" in query:
        query = query.replace("rowid", "tag")
    for paper, text in do.execute(query, (listed,)).fetchall():
        found.setdefault(paper, []).append(text)
    return found


def _item(row: tuple[Any, ...], authors: list[str], tags: list[str]) -> Item:
    (
        _,
        id_,
        title,
        _,
        year,
        venue,
        language,
        doi,
        state,
        reason,
        name,
        added,
        _,
        versions,
        cited,
    ) = row
    return Item(
        id_,
        title,
        authors,
        year,
        venue,
        state,
        language,
        doi,
        name,
        added,
        tags,
        max(1, versions),
        cited,
        reason,
    )


def _sorting(sort: str, selection: Selection, total: int) -> tuple[str, bool]:
    """The expression that a list is sorted by, and whether it is descending."""
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    if name == RELEVANCE and selection.ranked:
        # The best rank is the smallest. To rank very many papers takes long and says little.
        return _WEIGHTS if total <= RANKED_PAPERS else "-p.number", descending
    if name not in _SORTS:
        names = ", ".join(_SORTS)
        raise InputError(f"unknown sort {sort!r}; sort by {names}, or, with words, by {RELEVANCE}")
    # What is missing comes last in both orders.
    return f"coalesce({_SORTS[name]}, {chr(39) * 2 if descending else _LAST})", descending


def _cursor(sort: str, key: Any, number: int) -> str:
    text = json.dumps([sort, key, number], ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def _place(cursor: str, sort: str) -> list[Value]:
    """Where a list goes on."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        written, key, number = json.loads(base64.urlsafe_b64decode(padded))
        str(key).encode()  # halves of characters are no text
        if type(number) is not int or not isinstance(key, str | int | float):
            raise ValueError("not a place")  # noqa: TRY301  # handled like other damage
    except (ValueError, TypeError, RecursionError):
        raise InputError("the cursor is damaged: take `next` of the page before") from None
    if written != sort:
        raise InputError("the cursor belongs to another order: begin again without it")
    # Larger numbers than SQLite has come after all others.
    return [min(max(own, -(2**62)), 2**62) if type(own) is int else own for own in (key, number)]

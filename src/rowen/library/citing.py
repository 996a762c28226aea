"""Who cites whom inside a library.

A reference means a paper of the library if both have the same DOI; or if the reference's title is
that of the paper (its first letters, without signs) and its text names one of the paper's authors.
Titles alone would do too often: many papers are called `A survey of information extraction`.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from rowen.library.keys import doi_key, plain, title_key
from rowen.library.layers import Cited


def put_citations(do: sqlite3.Connection, paper: int, citations: Sequence[Cited]) -> None:
    """Replace the references of a paper, and find what they mean."""
    do.execute("DELETE FROM citations WHERE paper = ?", (paper,))
    rows = []
    for position, cited in enumerate(citations):
        content = cited.content
        doi, title = doi_key(content.get("doi")), title_key(content.get("title"))
        names = [f"{name.get('family', '')}" for name in content.get("authors") or ()]
        text = plain(" ".join([str(content.get("raw", "")), *names]))
        flags = 2 if cited.added else int(cited.corrected)
        shown = json.dumps(content, ensure_ascii=False)
        meant = _meant(do, doi, title, text, but=paper)
        rows.append((paper, position, shown, flags, doi, title, text, meant))
    do.executemany("INSERT INTO citations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def find_citing(do: sqlite3.Connection, paper: int) -> None:
    """Find the references of other papers that mean this one; those that meant it may no longer."""
    places = citing_places(do, paper)
    title, doi = do.execute(
        "SELECT title_key, doi FROM papers WHERE number = ?", (paper,)
    ).fetchone()
    for column, value in (("title_key", title), ("doi", doi)):
        if value is not None:
            like = f"SELECT paper, position FROM citations WHERE {column} = ?"  # noqa: S608  # fixed
            places.update(do.execute(like, (value,)).fetchall())
    find_meant(do, places)


def citing_places(do: sqlite3.Connection, paper: int) -> set[tuple[int, int]]:
    """The references that mean a paper: the papers that they are in, and their positions."""
    rows = do.execute("SELECT paper, position FROM citations WHERE cited = ?", (paper,))
    return set(rows.fetchall())


def find_meant(do: sqlite3.Connection, places: Iterable[tuple[int, int]]) -> None:
    """Find what these references mean; some may be gone."""
    for paper, position in places:
        row = do.execute(
            "SELECT doi, title_key, plain FROM citations WHERE paper = ? AND position = ?",
            (paper, position),
        ).fetchone()
        if row is not None:
            do.execute(
                "UPDATE citations SET cited = ? WHERE paper = ? AND position = ?",
                (_meant(do, *row, but=paper), paper, position),
            )


def venue_of(do: sqlite3.Connection, paper: int) -> str | None:
    """Where most papers that cite a paper say that it was published."""
    rows = do.execute(
        "SELECT content ->> '$.container' FROM citations WHERE cited = ?", (paper,)
    ).fetchall()
    names = Counter(name for (name,) in rows if name)
    return max(names, key=lambda name: (names[name], name), default=None)


def _meant(
    do: sqlite3.Connection, doi: str | None, title: str | None, text: str, *, but: int
) -> int | None:
    """The paper that a reference means; the first one where there are several versions."""
    if doi is not None:
        row = do.execute(
            "SELECT min(number) FROM papers WHERE doi = ? AND number != ?", (doi, but)
        ).fetchone()
        if row[0] is not None:
            return int(row[0])
    if title is None:
        return None
    rows = do.execute(
        "SELECT number FROM papers WHERE title_key = ? AND number != ? ORDER BY number",
        (title, but),
    ).fetchall()
    for (number,) in rows:
        families = do.execute("SELECT family FROM people WHERE paper = ?", (number,)).fetchall()
        if any(family and family in text for (family,) in families):
            return int(number)
    return None

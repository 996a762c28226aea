"""Versions of a work: papers that are nearly equal, or have one DOI, or one title and an author.

Each pair is stored with its reason. A work is a connected group of such pairs, named by its first
paper.
"""

import secrets
import sqlite3
from collections.abc import Iterable

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.verified import VerifiedDuplicates

LIKE_PAPERS = 20
"""Limit: how many near-duplicates of a paper are looked at; forms may have hundreds."""


class Likeness:
    """The near-duplicates of a library's papers, by fingerprint."""

    def __init__(self, do: sqlite3.Connection) -> None:
        row = do.execute("SELECT value FROM settings WHERE name = 'key'").fetchone()
        if row is None:
            row = (secrets.token_bytes(8),)
            do.execute("INSERT INTO settings VALUES ('key', ?)", row)
        self._key = int.from_bytes(row[0], "little")
        self._index = VerifiedDuplicates()
        self._known: dict[int, Fingerprint] = {}
        rows = do.execute("SELECT number, fingerprint FROM papers WHERE fingerprint IS NOT NULL")
        for number, packed in rows.fetchall():
            self.put(number, Fingerprint.from_bytes(packed))

    def of(self, text: str) -> Fingerprint:
        """The fingerprint of a text."""
        return Fingerprint.of(text, key=self._key)

    def put(self, number: int, fingerprint: Fingerprint) -> None:
        """Add a paper, or what it is after another reading."""
        self.remove(number)
        self._known[number] = fingerprint
        self._index.add(number, fingerprint)

    def remove(self, number: int) -> None:
        """Remove a paper."""
        fingerprint = self._known.pop(number, None)
        if fingerprint is not None:
            self._index.remove(number, fingerprint)

    def nearest(self, number: int) -> list[tuple[int, float]]:
        """The near-duplicates of a paper, and how similar they are."""
        fingerprint = self._known.get(number)
        if fingerprint is None:
            return []
        matches = self._index.nearest(fingerprint, LIKE_PAPERS)
        return [(int(own.id), own.similarity) for own in matches if own.id != number]


def put_versions(do: sqlite3.Connection, paper: int, near: Iterable[tuple[int, float]]) -> None:
    """Store which papers are versions of the same work as this one."""
    before = _work(do, paper)
    do.execute("DELETE FROM likenesses WHERE paper = ? OR other = ?", (paper, paper))
    alike: dict[int, tuple[str, float | None]] = {}
    title, doi = do.execute(
        "SELECT title_key, doi FROM papers WHERE number = ?", (paper,)
    ).fetchone()
    if title is not None:
        rows = do.execute(
            "SELECT DISTINCT p.number FROM papers p JOIN people a ON a.paper = p.number"
            " WHERE p.title_key = ? AND p.number != ? AND a.family != ''"
            " AND a.family IN (SELECT family FROM people WHERE paper = ?)",
            (title, paper, paper),
        )
        alike |= {number: ("title", None) for (number,) in rows.fetchall()}
    if doi is not None:
        rows = do.execute("SELECT number FROM papers WHERE doi = ? AND number != ?", (doi, paper))
        alike |= {number: ("doi", None) for (number,) in rows.fetchall()}
    alike |= {number: ("text", similarity) for number, similarity in near}
    for other, (kind, similarity) in alike.items():
        pair = sorted((paper, other))
        row = (*pair, kind, similarity)
        do.execute("INSERT OR REPLACE INTO likenesses VALUES (?, ?, ?, ?)", row)
    _regroup(do, {paper, *alike, *before})


def drop_versions(do: sqlite3.Connection, paper: int) -> None:
    """Take a paper out of its group, which may fall apart."""
    others = _work(do, paper) - {paper}
    do.execute("DELETE FROM likenesses WHERE paper = ? OR other = ?", (paper, paper))
    _regroup(do, others)


def _work(do: sqlite3.Connection, paper: int) -> set[int]:
    rows = do.execute(
        "SELECT number FROM papers WHERE work = (SELECT work FROM papers WHERE number = ?)"
        " AND work != 0",
        (paper,),
    )
    return {number for (number,) in rows.fetchall()}


def _regroup(do: sqlite3.Connection, papers: Iterable[int]) -> None:
    """Name the groups of these papers anew."""
    waiting = set(papers)
    while waiting:
        group, edge = set[int](), [waiting.pop()]
        while edge:
            number = edge.pop()
            if number in group:
                continue
            group.add(number)
            rows = do.execute(
                "SELECT other FROM likenesses WHERE paper = ?1"
                " UNION SELECT paper FROM likenesses WHERE other = ?1",
                (number,),
            )
            edge += [other for (other,) in rows.fetchall()]
        waiting -= group
        do.executemany(
            "UPDATE papers SET work = ? WHERE number = ?",
            [(min(group), number) for number in group],
        )

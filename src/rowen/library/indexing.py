"""Fills the tables that are made from what was extracted and from what people say."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from rowen.library.citing import find_citing, put_citations, venue_of
from rowen.library.keys import doi_key, plain, searchable, sort_key, title_key
from rowen.library.layers import (
    Correction,
    extracted_header,
    shown_citations,
    shown_header,
)
from rowen.library.versions import Likeness, put_versions

INDEXED_CHARACTERS = 4_000_000
"""Limit: how much of a paper's body can be searched; a book of 1,000 pages has 3 million."""


def pack(content: Any) -> bytes:
    """JSON, compressed."""
    return zlib.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def unpack(packed: bytes) -> Any:
    """What `pack` wrote."""
    return json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))


def corrections_of(do: sqlite3.Connection, paper: int) -> list[Correction]:
    """What people say about a paper, oldest first."""
    rows = do.execute(
        "SELECT number, field, value, extracted, made, raw FROM corrections WHERE paper = ?"
        " ORDER BY number",
        (paper,),
    ).fetchall()
    return [
        Correction(number, field, json.loads(value), json.loads(extracted), made, raw)
        for number, field, value, extracted, made, raw in rows
    ]


def content_of(do: sqlite3.Connection, paper: int) -> dict[str, Any] | None:
    """All that was extracted of a paper; None before it was read."""
    row = do.execute("SELECT content FROM contents WHERE paper = ?", (paper,)).fetchone()
    return None if row is None else unpack(row[0])


def refresh(do: sqlite3.Connection, paper: int, likeness: Likeness) -> None:
    """Bring everything that is made from a paper's layers up to date."""
    content = content_of(do, paper) or {}
    corrections = corrections_of(do, paper)
    header = shown_header(extracted_header(content), corrections)
    name, fingerprint = do.execute(
        "SELECT name, fingerprint FROM papers WHERE number = ?", (paper,)
    ).fetchone()
    _put_row(do, paper, header)
    people = [(_name(own), plain(own["family"])) for own in header["authors"]]
    do.execute("DELETE FROM people WHERE paper = ?", (paper,))
    do.executemany("INSERT INTO people VALUES (?, ?, ?)", [(paper, *own) for own in people])
    citations = shown_citations(content.get("citations") or (), corrections)
    put_citations(do, paper, citations)
    find_citing(do, paper)
    for number in {paper, *_cited_by(do, paper)}:
        _infer_venue(do, number)
    put_versions(do, paper, likeness.nearest(paper) if fingerprint is not None else ())
    raws = "\n".join(str(cited.content.get("raw", "")) for cited in citations)
    put_words(
        do,
        paper,
        (
            header["title"] or "",
            "\n".join(name for name, _ in people),
            "\n".join([header["abstract"] or "", *header["keywords"]]),
            body_text(content),
            raws,
            "\n".join([name, *_said(do, paper)]),
        ),
    )


def put_words(do: sqlite3.Connection, paper: int, texts: tuple[str, ...]) -> None:
    """Index texts, one for each column, in place of those before; none to index nothing.

    The index has no copy of the texts. To remove words from it, it must be given the same texts
    again, so they are kept compressed.
    """
    (before,) = do.execute("SELECT indexed FROM texts WHERE paper = ?", (paper,)).fetchone()
    if before is not None:
        do.execute(
            "INSERT INTO words (words, rowid, title, authors, abstract, body, cites, notes)"
            " VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)",
            (paper, *unpack(before)),
        )
    if not texts:
        do.execute("UPDATE texts SET indexed = NULL WHERE paper = ?", (paper,))
        return
    written = [searchable(text[:INDEXED_CHARACTERS]) for text in texts]
    do.execute(
        "INSERT INTO words (rowid, title, authors, abstract, body, cites, notes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (paper, *written),
    )
    do.execute("UPDATE texts SET indexed = ? WHERE paper = ?", (pack(written), paper))


def body_text(content: Mapping[str, Any]) -> str:
    """The text of a paper's body with captions and footnotes; all of its text if it has none."""
    parts = list(_passages(content))
    return "\n".join(parts) if parts else str(content.get("text") or "")


def _passages(content: Mapping[str, Any]) -> Iterator[str]:
    for section in content.get("body") or ():
        yield from filter(None, (section.get("heading"), section.get("text")))
    for kind in ("figures", "tables"):
        yield from filter(None, (part.get("caption") for part in content.get(kind) or ()))
    yield from filter(None, (note.get("text") for note in content.get("footnotes") or ()))


def _put_row(do: sqlite3.Connection, paper: int, header: Mapping[str, Any]) -> None:
    authors = header["authors"]
    first = authors[0]["family"] if authors else ""
    title = header["title"]
    do.execute(
        "UPDATE papers SET title = ?, authors = ?, year = ?, venue = ?, language = ?, doi = ?,"
        " title_key = ?, sort_title = ?, sort_author = ? WHERE number = ?",
        (
            title,
            "; ".join(map(_name, authors)),
            header["year"],
            header["venue"],
            header["language"],
            doi_key(header["doi"]),
            title_key(title),
            sort_key(title) if title else None,
            sort_key(first) if first else None,
            paper,
        ),
    )
    do.execute(
        "INSERT INTO texts (paper, shown) VALUES (?, ?)"
        " ON CONFLICT (paper) DO UPDATE SET shown = excluded.shown",
        (paper, json.dumps(header, ensure_ascii=False)),
    )


def _infer_venue(do: sqlite3.Connection, paper: int) -> None:
    """Where nothing says where a paper was published, take it from the papers that cite it."""
    row = do.execute("SELECT shown FROM texts WHERE paper = ?", (paper,)).fetchone()
    if row is None:
        return
    corrected = do.execute(
        "SELECT 1 FROM corrections WHERE paper = ? AND field = 'venue'", (paper,)
    ).fetchone()
    venue = json.loads(row[0])["venue"]
    if venue is None and corrected is None:  # a person may have said that there is none
        venue = venue_of(do, paper)
    do.execute("UPDATE papers SET venue = ? WHERE number = ?", (venue, paper))


def _cited_by(do: sqlite3.Connection, paper: int) -> set[int]:
    rows = do.execute("SELECT cited FROM citations WHERE paper = ? AND cited IS NOT NULL", (paper,))
    return {cited for (cited,) in rows.fetchall()}


def _said(do: sqlite3.Connection, paper: int) -> list[str]:
    """Tags and notes."""
    rows = do.execute(
        "SELECT tag FROM tags WHERE paper = ?1 UNION ALL SELECT text FROM notes WHERE paper = ?1",
        (paper,),
    )
    return [text for (text,) in rows.fetchall()]


def _name(person: Mapping[str, Any]) -> str:
    return f"{person.get('given') or ''} {person.get('family') or ''}".strip()

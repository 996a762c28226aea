"""A library: the papers of one tenant, searched, corrected, tagged and grouped.

It refers to the documents that a service keeps, and has no copy of them.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rowen.library import waiting
from rowen.library.citing import citing_places, find_meant
from rowen.library.fields import CITATION, checked
from rowen.library.indexing import (
    content_of,
    corrections_of,
    pack,
    put_words,
    refresh,
)
from rowen.library.keys import proper
from rowen.library.layers import (
    Correction,
    correction_of_citation,
    extracted_header,
    shown_paper,
)
from rowen.library.listing import Item, Page, count_facets, items_of, list_papers
from rowen.library.selection import Selection
from rowen.library.tables import open_tables
from rowen.library.versions import Likeness, drop_versions
from rowen.model.errors import InputError
from rowen.storage.documents.store import Document

NOTE_CHARACTERS = 20_000
"""Limit: the length of a note."""

TAG_CHARACTERS = 100
"""Limit: the length of a tag."""

PAPER_TAGS = 100
"""Limit: the tags of a paper."""

PAPER_NOTES = 1_000
"""Limit: the notes of a paper."""


_OF_PAPERS = (
    "contents",
    "texts",
    "people",
    "tags",
    "notes",
    "corrections",
    "events",
    "citations",
)
"""The tables with rows of single papers."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark of a person."""

    number: int
    text: str
    made: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a paper."""

    kind: str
    """added, read, failed, corrected, restored, tagged, untagged, noted, unnoted."""
    detail: dict[str, Any]
    made: str


@dataclass(frozen=True, slots=True)
class Version:
    """Another version of a work."""

    item: Item
    kinds: tuple[str, ...]
    """Why: text (nearly equal), doi or title; empty where only other versions lead to it."""
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference of a paper."""

    content: dict[str, Any]
    corrected: bool
    added: bool
    """Whether only a correction has it."""
    cited: Item | None
    """The paper of the library that it means."""


@dataclass(frozen=True, slots=True)
class Details:
    """All that a library knows of a paper."""

    item: Item
    header: dict[str, Any]
    corrections: list[Correction]
    references: list[Reference]
    cited_by: list[Item]
    versions: list[Version]
    notes: list[Note]
    events: list[Event]
    version: str | None
    """The version of Rowen that read it."""
    content: dict[str, Any]
    """What was extracted."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A paper with its content as it is shown, for exports."""

    item: Item
    content: dict[str, Any]
    corrections: list[Correction]
    notes: list[Note]


class Library:
    """The papers of one tenant; every method may be used by any thread."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the data folder of the tenant."""
        self._database = open_tables(folder)
        try:
            with self._writing() as do:
                self._likeness = Likeness(do)
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    # Papers

    def add(self, document: Document) -> bool:
        """Add a document; whether it is new. It waits to be read.

        Equal documents are one paper, whatever their ids.
        """
        with self._writing() as do:
            done = do.execute(
                "INSERT INTO papers (id, digest, name, media_type, size, added)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (document.id, document.digest, proper(document.name), document.media_type,
                 document.size, _now()),
            )  # fmt: skip
            if not done.rowcount:
                return False
            number = int(done.lastrowid or 0)
            do.execute("UPDATE papers SET work = number WHERE number = ?", (number,))
            self._log(do, number, "added", {"name": proper(document.name)})
            refresh(do, number, self._likeness)
        return True

    def with_digest(self, digest: str) -> str | None:
        """The paper with this content."""
        with self._reading() as do:
            row = do.execute("SELECT id FROM papers WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else str(row[0])

    def remove(self, paper: str) -> bool:
        """Remove a paper with everything that was said about it; the document stays."""
        with self._writing() as do:
            row = do.execute("SELECT number FROM papers WHERE id = ?", (paper,)).fetchone()
            if row is None:
                return False
            number = int(row[0])
            self._likeness.remove(number)
            drop_versions(do, number)
            put_words(do, number, ())
            citing = citing_places(do, number)
            do.execute("DELETE FROM papers WHERE number = ?", (number,))
            for table in _OF_PAPERS:
                do.execute(f"DELETE FROM {table} WHERE paper = ?", (number,))  # noqa: S608  # fixed
            find_meant(do, citing)  # another version may take its place
        return True

    def put_content(self, number: int, content: Mapping[str, Any], version: str) -> None:
        """Store what was extracted of a paper; corrections, tags and notes stay."""
        fingerprint = self._likeness.of(str(content.get("text") or ""))
        with self._writing() as do:
            if do.execute("SELECT 1 FROM papers WHERE number = ?", (number,)).fetchone() is None:
                return  # it was removed meanwhile
            moment = _now()
            do.execute(
                "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?)",
                (number, version, moment, pack(content)),
            )
            do.execute(
                "UPDATE papers SET state = 'ready', reason = NULL, attempts = 0, due = 0,"
                " fresh = 0, fingerprint = ? WHERE number = ?",
                (fingerprint.to_bytes(), number),
            )
            self._log(do, number, "read", {"version": version})
            self._likeness.put(number, fingerprint)
            refresh(do, number, self._likeness)

    # Lists

    def page(
        self,
        selection: Selection,
        *,
        sort: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
        grouped: bool = False,
    ) -> Page:
        """A page of the papers of a selection."""
        with self._reading() as do:
            return list_papers(
                do, selection, sort=sort, cursor=cursor, limit=limit, grouped=grouped
            )

    def facets(self, selection: Selection) -> dict[str, list[tuple[str | None, int]]]:
        """How many papers of a selection have which values."""
        with self._reading() as do:
            return count_facets(do, selection)

    def chosen(self, selection: Selection) -> list[str]:
        """The ids of all papers of a selection, in the order in which they were added."""
        tables, values = selection.written()
        query = f"SELECT p.id FROM {tables} ORDER BY p.number"  # noqa: S608  # fixed names
        with self._reading() as do:
            return [id_ for (id_,) in do.execute(query, values).fetchall()]

    def items(self, papers: Sequence[str]) -> list[Item]:
        """Papers by their ids; those that are not here are left out."""
        with self._reading() as do:
            rows = do.execute(
                "SELECT id, number FROM papers WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(papers),),
            ).fetchall()
            numbers = dict(rows)
            return items_of(do, [numbers[paper] for paper in papers if paper in numbers])

    # One paper

    def details(self, paper: str) -> Details | None:
        """All that is known of a paper."""
        with self._reading() as do:
            number = _number(do, paper)
            if number is None:
                return None
            (item,) = items_of(do, [number])
            shown, work = do.execute(
                "SELECT t.shown, p.work FROM papers p JOIN texts t ON t.paper = p.number"
                " WHERE p.number = ?",
                (number,),
            ).fetchone()
            header = json.loads(shown)
            header["venue"] = item.venue
            row = do.execute("SELECT version FROM contents WHERE paper = ?", (number,)).fetchone()
            return Details(
                item,
                header,
                corrections_of(do, number),
                _references(do, number),
                _citing(do, number),
                _versions(do, number, work),
                _notes(do, number),
                _events(do, number),
                None if row is None else row[0],
                content_of(do, number) or {},
            )

    def papers(self, ids: Sequence[str]) -> Iterator[Whole]:
        """Papers with their whole content as it is shown, one after the other."""
        for item in self.items(ids):
            with self._reading() as do:
                number = _number(do, item.id)
                if number is None:
                    continue
                shown = do.execute("SELECT shown FROM texts WHERE paper = ?", (number,))
                header = {**json.loads(shown.fetchone()[0]), "venue": item.venue}
                corrections = corrections_of(do, number)
                content = content_of(do, number) or {}
                notes = _notes(do, number)
            paper = shown_paper(content, header, corrections)
            yield Whole(item, paper, corrections, notes)

    # What people say

    def correct(self, paper: str, field: str, value: Any, *, raw: str = "") -> bool:
        """Lay a correction over a field, in place of an earlier one; False without such a paper.

        `raw` is the text of the reference, where that is corrected.
        """
        proper_value = checked(field, value)
        raw = proper(raw).strip()
        if (field == CITATION) != bool(raw):
            raise InputError("a reference is named by its text, `raw`, and nothing else is")

        def change(do: sqlite3.Connection, number: int) -> None:
            content, said = content_of(do, number) or {}, proper_value
            if field == CITATION:
                before = correction_of_citation(
                    content.get("citations") or (), corrections_of(do, number), raw
                )
                extracted, earlier = before.extracted, before.correction
                if earlier is not None:
                    do.execute("DELETE FROM corrections WHERE number = ?", (earlier.number,))
                    if isinstance(earlier.value, dict) and isinstance(said, dict):
                        said = {**earlier.value, **said}
            else:
                extracted = extracted_header(content)[field]
            do.execute(
                "INSERT OR REPLACE INTO corrections (paper, field, raw, value, extracted, made)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (number, field, raw, _json(said), _json(extracted), _now()),
            )
            detail = {"field": field, "value": proper_value, **({"raw": raw} if raw else {})}
            self._log(do, number, "corrected", detail)

        return self._change(paper, change)

    def restore(self, paper: str, correction: int) -> bool:
        """Take a correction back; False without such a paper or correction."""
        restored = False

        def change(do: sqlite3.Connection, number: int) -> None:
            nonlocal restored
            row = do.execute(
                "SELECT field, raw FROM corrections WHERE number = ? AND paper = ?",
                (correction, number),
            ).fetchone()
            if row is not None:
                restored = True
                do.execute("DELETE FROM corrections WHERE number = ?", (correction,))
                self._log(do, number, "restored", {"field": row[0], "raw": row[1]})

        return self._change(paper, change) and restored

    def tag(self, paper: str, *, add: Collection[str] = (), remove: Collection[str] = ()) -> bool:
        """Add and remove tags; False without such a paper."""
        added, removed = map(_tags, (add, remove))

        def change(do: sqlite3.Connection, number: int) -> None:
            for tag in added:
                done = do.execute("INSERT OR IGNORE INTO tags VALUES (?, ?)", (number, tag))
                if done.rowcount:
                    self._log(do, number, "tagged", {"tag": tag})
            for tag in removed:
                done = do.execute("DELETE FROM tags WHERE paper = ? AND tag = ?", (number, tag))
                if done.rowcount:
                    self._log(do, number, "untagged", {"tag": tag})
            (count,) = do.execute("SELECT count(*) FROM tags WHERE paper = ?", (number,)).fetchone()
            if count > PAPER_TAGS:
                raise InputError(f"a paper may have at most {PAPER_TAGS} tags")

        return self._change(paper, change)

    def note(self, paper: str, text: str) -> bool:
        """Add a note; False without such a paper."""
        remark = proper(text).strip()
        if not remark or len(remark) > NOTE_CHARACTERS:
            raise InputError(f"a note has 1 to {NOTE_CHARACTERS:,} characters")

        def change(do: sqlite3.Connection, number: int) -> None:
            (count,) = do.execute(
                "SELECT count(*) FROM notes WHERE paper = ?", (number,)
            ).fetchone()
            if count >= PAPER_NOTES:
                raise InputError(f"a paper may have at most {PAPER_NOTES:,} notes")
            do.execute(
                "INSERT INTO notes (paper, text, made) VALUES (?, ?, ?)", (number, remark, _now())
            )
            self._log(do, number, "noted", {})

        return self._change(paper, change)

    def remove_note(self, paper: str, note: int) -> bool:
        """Remove a note; False without such a paper or note."""
        removed = False

        def change(do: sqlite3.Connection, number: int) -> None:
            nonlocal removed
            done = do.execute("DELETE FROM notes WHERE number = ? AND paper = ?", (note, number))
            removed = bool(done.rowcount)
            if removed:
                self._log(do, number, "unnoted", {})

        return self._change(paper, change) and removed

    def all_corrections(self) -> Iterator[tuple[Item, Correction]]:
        """All corrections of all papers."""
        with self._reading() as do:
            rows = do.execute(
                "SELECT DISTINCT p.id FROM corrections c JOIN papers p ON p.number = c.paper"
                " ORDER BY p.number"
            ).fetchall()
        for item in self.items([id_ for (id_,) in rows]):
            with self._reading() as do:
                number = _number(do, item.id)
                said = [] if number is None else corrections_of(do, number)
            for correction in said:
                yield item, correction

    # The queue

    def counts(self) -> dict[str, int]:
        """How many papers are in each state."""
        with self._reading() as do:
            return waiting.count_states(do)

    def next_waiting(self, *, but: Collection[int] = ()) -> waiting.Waiting | None:
        """The paper that is next to be read."""
        with self._reading() as do:
            return waiting.next_waiting(do, but=but)

    def next_due(self) -> float | None:
        """When the next retry is due."""
        with self._reading() as do:
            return waiting.next_due(do)

    def put_failure(self, number: int, reason: str, *, final: bool) -> None:
        """Remember that a paper could not be read."""
        with self._writing() as do:
            if waiting.put_failure(do, number, proper(reason), final=final):
                self._log(do, number, "failed", {"reason": proper(reason)})

    def read_again(self, papers: Collection[str] | None = None) -> int:
        """Let papers be read again, with nothing reused: these, or all failed ones; how many."""
        with self._writing() as do:
            if papers is None:
                rows = do.execute("SELECT number FROM papers WHERE state = 'failed'").fetchall()
                numbers = [number for (number,) in rows]
            else:
                numbers = [number for paper in papers if (number := _number(do, paper)) is not None]
            for number in numbers:
                waiting.put_waiting(do, number, fresh=True)
        return len(numbers)

    def _change(self, paper: str, change: Callable[[sqlite3.Connection, int], None]) -> bool:
        """Change what is said about a paper, and what is made from it; False without the paper."""
        with self._writing() as do:
            number = _number(do, paper)
            if number is None:
                return False
            change(do, number)
            refresh(do, number, self._likeness)
        return True

    def _log(self, do: sqlite3.Connection, number: int, kind: str, detail: dict[str, Any]) -> None:
        do.execute(
            "INSERT INTO events (paper, kind, detail, made) VALUES (?, ?, ?, ?)",
            (number, kind, _json(detail), _now()),
        )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._database.writing(), self._database.transaction() as do:
            yield do

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """All that is read within is of one state."""
        with self._database.reporting():
            do = self._database.connection()
            do.execute("BEGIN")
            try:
                yield do
            finally:
                do.execute("COMMIT")


def _number(do: sqlite3.Connection, paper: str) -> int | None:
    row = do.execute("SELECT number FROM papers WHERE id = ?", (proper(paper),)).fetchone()
    return None if row is None else int(row[0])


def _references(do: sqlite3.Connection, number: int) -> list[Reference]:
    rows = do.execute(
        "SELECT content, corrected, cited FROM citations WHERE paper = ? ORDER BY position",
        (number,),
    ).fetchall()
    cited = sorted({own for *_, own in rows if own is not None})
    items = dict(zip(cited, items_of(do, cited), strict=True))
    return [
        Reference(json.loads(content), flag > 0, flag > 1, items.get(meant))
        for content, flag, meant in rows
    ]


def _citing(do: sqlite3.Connection, number: int) -> list[Item]:
    rows = do.execute(
        "SELECT DISTINCT paper FROM citations WHERE cited = ? ORDER BY paper", (number,)
    ).fetchall()
    return items_of(do, [paper for (paper,) in rows])


def _versions(do: sqlite3.Connection, number: int, work: int) -> list[Version]:
    rows = do.execute(
        "SELECT number FROM papers WHERE work = ? AND number != ? ORDER BY number", (work, number)
    ).fetchall()
    numbers = [other for (other,) in rows]
    likenesses = {
        other: (kind, similarity)
        for other, kind, similarity in do.execute(
            "SELECT CASE WHEN paper = ?1 THEN other ELSE paper END, kind, similarity"
            " FROM likenesses WHERE paper = ?1 OR other = ?1",
            (number,),
        ).fetchall()
    }
    versions = []
    for other, item in zip(numbers, items_of(do, numbers), strict=True):
        kind, similarity = likenesses.get(other, (None, None))
        versions.append(Version(item, () if kind is None else (kind,), similarity))
    return versions


def _notes(do: sqlite3.Connection, number: int) -> list[Note]:
    rows = do.execute(
        "SELECT number, text, made FROM notes WHERE paper = ? ORDER BY number", (number,)
    )
    return [Note(*row) for row in rows.fetchall()]


def _events(do: sqlite3.Connection, number: int) -> list[Event]:
    rows = do.execute(
        "SELECT kind, detail, made FROM events WHERE paper = ? ORDER BY number", (number,)
    )
    return [Event(kind, json.loads(detail), made) for kind, detail, made in rows.fetchall()]


def _tags(tags: Collection[str]) -> list[str]:
    cleaned = [" ".join(proper(tag).split()) for tag in tags]
    if any(not tag or len(tag) > TAG_CHARACTERS for tag in cleaned):
        raise InputError(f"a tag has 1 to {TAG_CHARACTERS} characters")
    return cleaned


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

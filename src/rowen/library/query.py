r"""What people type into a search box, as an expression of SQLite's full-text search.

    wrappers induction          papers with both words, in any part
    "wrapper induction"         the words in this order
    wrap*                       words that begin so
    author:knuth -title:tex     in a part; without a word

Nothing that can be typed is an error: signs that mean nothing here are passed over.
"""

import re
from dataclasses import dataclass
from typing import Self

from rowen.library.keys import searchable

QUERY_CHARACTERS = 1_000
"""Limit: the length of a query; people type less, and each word costs a search."""

QUERY_TERMS = 64
"""Limit: the words of a query; further ones are passed over."""

PARTS = {
    "title": "title",
    "author": "authors",
    "abstract": "abstract",
    "body": "body",
    "cites": "cites",
    "note": "notes",
}
"""The parts of a paper by the names that a query may use, and their columns."""

_TERM = re.compile(rf'(-)?(?:({"|".join(PARTS)}):)?(?:"([^"]*)"?(\*)?|(\S+))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or words in a row."""

    words: str
    part: str | None = None
    """The column that must have it; None for any."""
    prefix: bool = False
    """Whether the last word is only a beginning."""
    excluded: bool = False

    @property
    def expression(self) -> str:
        """The term in the language of FTS5; quoted, so that no sign in it has a meaning."""
        quoted = '"{}"'.format(searchable(self.words).replace('"', " "))
        column = f"{self.part} : " if self.part else ""
        return f"{column}{quoted}{' *' if self.prefix else ''}"


@dataclass(frozen=True, slots=True)
class Query:
    """The terms of a query."""

    terms: tuple[Term, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self:
        """Parse what somebody typed."""
        terms: list[Term] = []
        for minus, part, phrase, star, word in _TERM.findall(text[:QUERY_CHARACTERS]):
            words = phrase or word
            if not any(letter.isalnum() for letter in words):
                continue
            prefix = bool(star) or (not phrase and words.endswith("*"))
            terms.append(Term(words, PARTS.get(part.lower()), prefix, bool(minus)))
        return cls(tuple(terms[:QUERY_TERMS]))

    @property
    def required(self) -> str | None:
        """What a paper must have; None where nothing is asked for."""
        parts = [term.expression for term in self.terms if not term.excluded]
        return " AND ".join(parts) or None

    @property
    def excluded(self) -> str | None:
        """What it must not have."""
        parts = [term.expression for term in self.terms if term.excluded]
        return " OR ".join(parts) or None

"""Which papers of a library are meant: a query, and values of facets."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from rowen.library.keys import proper
from rowen.library.query import Query
from rowen.model.errors import InputError
from rowen.storage.documents.database import Value

FACETS = ("year", "venue", "author", "language", "state", "tag")
"""What papers can be chosen by; several values of one facet mean any of them."""

SELECTED_PAPERS = 100_000
"""Limit: how many papers a request may name one by one."""

_IN = {
    "author": "p.number IN (SELECT paper FROM people WHERE name IN ({}))",
    "tag": "p.number IN (SELECT paper FROM tags WHERE tag IN ({}))",
}

_WITHOUT = {
    "author": "p.number NOT IN (SELECT paper FROM people)",
    "tag": "p.number NOT IN (SELECT paper FROM tags)",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Papers by a query, by facets, or by their ids; all of these must agree."""

    query: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """An empty value means papers without any."""
    ids: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        unknown = self.facets.keys() - set(FACETS)
        if unknown:
            raise InputError(f"unknown facet {min(unknown)!r}; the facets are {', '.join(FACETS)}")
        if self.ids is not None and len(self.ids) > SELECTED_PAPERS:
            raise InputError(f"name at most {SELECTED_PAPERS:,} papers at once")

    def without(self, facet: str) -> Self:
        """The same papers, whatever value of a facet they have."""
        return replace(
            self, facets={name: own for name, own in self.facets.items() if name != facet}
        )

    @property
    def is_everything(self) -> bool:
        """Whether no paper is left out."""
        query = Query.of(self.query)
        return not (query.terms or any(self.facets.values()) or self.ids is not None)

    @property
    def ranked(self) -> bool:
        """Whether papers can be sorted by how well they match."""
        return Query.of(self.query).required is not None

    def written(self) -> tuple[str, list[Value]]:
        """What follows FROM in a statement: tables `p` and, where ranked, `words`."""
        query = Query.of(self.query)
        tables, conditions, values = "papers p", ["1"], list[Value]()
        if query.required is not None:
            tables = "words JOIN papers p ON p.number = words.rowid"
            conditions.append("words MATCH ?")
            values.append(query.required)
        if query.excluded is not None:
            conditions.append("p.number NOT IN (SELECT rowid FROM words WHERE words MATCH ?)")
            values.append(query.excluded)
        for name, chosen in self.facets.items():
            if chosen:
                condition, more = _condition(name, chosen)
                conditions.append(condition)
                values += more
        if self.ids is not None:
            conditions.append("p.id IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(self.ids))
        return f"{tables} WHERE {' AND '.join(conditions)}", values


def _condition(name: str, chosen: tuple[str, ...]) -> tuple[str, list[Value]]:
    named = [proper(value) for value in chosen if value]
    marks = ", ".join("?" * len(named))
    parts = []
    if named:
        parts.append(_IN.get(name, f"p.{name} IN ({{}})").format(marks))
    if len(named) < len(chosen):
        parts.append(_WITHOUT.get(name, f"p.{name} IS NULL"))
    return f"({' OR '.join(parts)})", list[Value](named)

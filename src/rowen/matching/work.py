"""A work of a library's dump, whatever the dump calls its columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rowen.matching.titles import words_of
from rowen.matching.wanted import doi_of, first_page, number_of, plain_name, text_of, year_of

AUTHORS = 100
"""Limit: how many authors of a work are compared; some have thousands."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """A work, in the form in which it is compared with citations."""

    id: str
    """The work's own id in the dump, or its DOI."""
    doi: str
    title: str
    """As the dump has it."""
    plain: str
    """The title's words."""
    families: tuple[str, ...] = ()
    year: int | None = None
    container: tuple[str, ...] = ()
    volume: str = ""
    page: str = ""
    known: tuple[str, ...] = field(default=(), compare=False)
    """The authors as they may be shown."""


def title_of(row: Row) -> str:
    """A work's title and subtitle."""
    title = text_of(row.get("title")) or text_of(row.get("display_name"))
    subtitle = text_of(row.get("subtitle"))
    return f"{title}: {subtitle}" if title and subtitle else title


def place_of(row: Row) -> tuple[str, str]:
    """A work's volume and first page."""
    biblio = row.get("biblio")
    biblio = biblio if isinstance(biblio, Mapping) else {}
    return (
        number_of(row.get("volume") or biblio.get("volume")),
        first_page(row.get("page") or row.get("pages") or biblio.get("first_page")),
    )


def work_of(row: Row) -> Work:
    """A row of Crossref's, OpenAlex' or plain columns as a work."""
    title = title_of(row)
    names = list(_names(row))[:AUTHORS]
    doi = doi_of(row.get("doi"))
    volume, page = place_of(row)
    return Work(
        id=text_of(row.get("id")) or doi,
        doi=doi,
        title=title,
        plain=" ".join(words_of(title)),
        families=tuple(filter(None, (plain_name(family) for _, family in names))),
        year=_year(row),
        container=tuple(words_of(_container(row))),
        volume=volume,
        page=page,
        known=tuple(f"{given} {family}".strip() for given, family in names),
    )


def _names(row: Row) -> Iterator[tuple[str, str]]:
    """Given and family names, wherever a dump has them."""
    for column in ("author", "authorships", "authors"):
        people = row.get(column)
        if isinstance(people, str):
            people = people.split(";")
        for person in people if isinstance(people, list) else ():
            if isinstance(person, str):
                yield _parted(person)
            elif isinstance(person, Mapping):
                author = person.get("author")
                shown = author.get("display_name") if isinstance(author, Mapping) else None
                if family := text_of(person.get("family")):
                    yield text_of(person.get("given")), family
                elif name := text_of(shown or person.get("name") or person.get("display_name")):
                    yield _parted(name)


def _parted(name: str) -> tuple[str, str]:
    """`Lovelace, Ada` and `Ada Lovelace` as given and family name."""
    family, comma, given = name.strip().partition(",")
    if comma:
        return given.strip(), family.strip()
    given, _, family = name.strip().rpartition(" ")
    return given.strip(), family


def _year(row: Row) -> int | None:
    for column in ("publication_year", "year", "publication_date", "date"):
        if year := year_of(row.get(column)):
            return year
    for column in ("issued", "published", "published-print", "published-online", "created"):
        dated = row.get(column)
        parts = dated.get("date-parts") if isinstance(dated, Mapping) else dated
        while isinstance(parts, list) and parts:
            parts = parts[0]
        if year := year_of(parts):
            return year
    return None


def _container(row: Row) -> str:
    location = row.get("primary_location")
    source = location.get("source") if isinstance(location, Mapping) else None
    named = source.get("display_name") if isinstance(source, Mapping) else None
    for value in (row.get("container-title"), named, row.get("container"), row.get("journal")):
        if text := text_of(value):
            return text
    return ""

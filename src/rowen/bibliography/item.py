"""An item of a library as a citation, from the fields that its file has."""

import re
from collections.abc import Iterable, Mapping

from rowen.citations.citation import Citation, Name
from rowen.citations.names import parse_names

_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_DASHES = re.compile(r"\s*[-\u2010-\u2015]+\s*")


def citation_of(
    texts: Mapping[str, str], authors: Iterable[Name] = (), editors: Iterable[Name] = ()
) -> Citation:
    """A citation; `raw` is the item as a reference would print it."""
    fields = {name: " ".join(value.split()) for name, value in texts.items()}
    year = _YEAR.search(fields.get("year", ""))
    doi = _DOI.search(fields.get("doi", ""))
    pages = _DASHES.sub("-", fields.get("pages", "")).strip("-")
    own = tuple(authors)
    citation_year = year[0] if year else fields.get("year") or None
    return Citation(
        raw=_printed(fields, own, citation_year, pages),
        spans={},
        authors=own,
        editors=tuple(editors),
        year=citation_year,
        pages=pages or None,
        doi=doi[0] if doi else None,
        title=fields.get("title") or None,
        container=fields.get("container") or None,
        volume=fields.get("volume") or None,
        issue=fields.get("issue") or None,
        publisher=fields.get("publisher") or None,
        place=fields.get("place") or None,
        url=fields.get("url") or None,
        note=fields.get("note") or None,
    )


def name_of(text: str) -> Name | None:
    """A name as libraries write it: `Family, Given`, or as it is spoken."""
    text = " ".join(text.split())
    if not text:
        return None
    family, comma, given = text.partition(",")
    if comma and family.strip():
        return Name(given=" ".join(given.replace(",", " ").split()), family=family.strip())
    if " " not in text:
        return Name(given="", family=text)
    return next(iter(parse_names(text)), Name(given="", family=text))


def _printed(
    fields: Mapping[str, str], authors: Iterable[Name], year: str | None, pages: str
) -> str:
    people = ", ".join(map(str, authors))
    numbers = ", ".join(filter(None, (fields.get("volume"), fields.get("issue"), pages)))
    parts = (people, year, fields.get("title"), fields.get("container"), numbers)
    return ". ".join(part for part in parts if part)

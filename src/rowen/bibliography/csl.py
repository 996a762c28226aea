"""CSL JSON: a list of items, as Zotero's "CSL JSON" and citation processors have it."""

import json
from collections.abc import Iterator
from typing import Any

from rowen.bibliography.item import citation_of
from rowen.citations.citation import Citation, Name
from rowen.model.errors import InputError

_TEXTS = {
    "title": "title", "container-title": "container", "volume": "volume", "issue": "issue",
    "page": "pages", "publisher": "publisher", "publisher-place": "place", "DOI": "doi",
    "URL": "url", "note": "note",
}  # fmt: skip


def read_csl(text: str, name: str) -> Iterator[Citation]:
    """The items of a list, or the only one."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{name} is not CSL JSON: it can't be read as JSON") from None
    if isinstance(items, dict):
        items = items.get("items", [items])
    if not isinstance(items, list):
        raise InputError(f"{name} is not CSL JSON: a list of items is expected")
    for item in items:
        if isinstance(item, dict):
            texts = {
                ours: str(item[theirs])
                for theirs, ours in _TEXTS.items()
                if isinstance(item.get(theirs), str | int)
            }
            texts["year"] = _year(item.get("issued"))
            yield citation_of(texts, _people(item.get("author")), _people(item.get("editor")))


def _people(value: Any) -> Iterator[Name]:
    for person in value if isinstance(value, list) else ():
        if not isinstance(person, dict):
            continue
        family = person.get("family") or person.get("literal")
        particle, given = person.get("non-dropping-particle"), person.get("given")
        if isinstance(family, str):
            whole = f"{particle} {family}" if isinstance(particle, str) else family
            yield Name(given=given if isinstance(given, str) else "", family=whole)


def _year(issued: Any) -> str:
    if not isinstance(issued, dict):
        return ""
    parts = issued.get("date-parts")
    while isinstance(parts, list) and parts:
        parts = parts[0]
    found = parts if isinstance(parts, str | int) else issued.get("literal") or issued.get("raw")
    return str(found) if isinstance(found, str | int) else ""

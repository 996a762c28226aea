"""Corrections of references as annotated references, from which `rowen train citations` learns.

reference    Knuth, D. Literate programming. Comp. J. 27
extracted    author, title, volume; container wrong
corrected    container: "Comp. J."
annotated    {"raw": ..., "fields": {"author": .., "title": .., "container": .., "volume": ..}}
"""

from collections.abc import Iterator
from typing import Any

from rowen.library.fields import CITATION
from rowen.library.layers import FIELDS_OF_SPANS, Correction
from rowen.library.library import Library

_SPANS = {
    "authors": "author",
    "editors": "editor",
    "year": "date",
    "place": "location",
}


def annotated_references(library: Library) -> Iterator[dict[str, Any]]:
    """The corrected references whose values are in their text; others teach nothing."""
    for item, correction in library.all_corrections():
        if correction.field == CITATION and isinstance(correction.value, dict):
            fields = _fields(correction)
            if fields is not None:
                yield {"raw": correction.raw, "fields": fields, "doc": item.id}


def _fields(correction: Correction) -> dict[str, Any] | None:
    """The text of each field; None where a corrected value is not in the reference."""
    raw, value = correction.raw, correction.value
    spans = (correction.extracted or {}).get("spans") or {}
    fields: dict[str, Any] = {
        name: [raw[start:end] for start, end in places]
        for name, places in spans.items()
        if FIELDS_OF_SPANS.get(name, name) not in value
    }
    for name, content in value.items():
        texts = _texts(raw, content)
        if texts is None:
            return None
        if texts:
            fields[_SPANS.get(name, name)] = texts
    return {name: texts for name, texts in fields.items() if texts}


def _texts(raw: str, content: Any) -> list[str] | None:
    """A value as it is in a reference: a text, or the names of people from first to last."""
    if content is None:
        return []
    if isinstance(content, str):
        return [content] if content in raw else None
    names = [name for person in content for name in (person["family"], person["given"]) if name]
    places = [(raw.find(name), len(name)) for name in names]
    if not places:
        return []
    if any(start < 0 for start, _ in places):
        return None
    return [raw[min(places)[0] : max(start + size for start, size in places)]]

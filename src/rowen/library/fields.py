"""The fields that people may correct, and what a correction may say."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from rowen.library.keys import doi_key, proper
from rowen.model.errors import InputError

TEXT_CHARACTERS = 20_000
"""Limit: the length of a corrected text; the longest abstracts have a tenth."""

LISTED = 5_000
"""Limit: the authors or keywords of a correction; papers of particle physics have 5,000 authors."""

CITATION = "citation"
"""The field that is a reference; a correction of one names it by its text, `raw`."""

_YEAR = re.compile(r"\d{4}")
_AUTHOR = {"given": str, "family": str, "affiliations": list, "email": str}

Check: TypeAlias = Callable[[Any], Any]


def _text(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError("a text or null is expected")
    text = " ".join(proper(value).split())
    if len(text) > TEXT_CHARACTERS:
        raise InputError(f"the text has more than {TEXT_CHARACTERS:,} characters")
    return text or None


def _year(value: Any) -> str | None:
    text = _text(str(value) if type(value) is int else value)
    if text is not None and not _YEAR.fullmatch(text):
        raise InputError("a year has four digits")
    return text


def _doi(value: Any) -> str | None:
    text = _text(value)
    key = doi_key(text)
    if text is not None and key is None:
        raise InputError("a DOI begins with 10. and has a slash")
    return key


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError("a list is expected")
    if len(value) > LISTED:
        raise InputError(f"the list has more than {LISTED:,} entries")
    return value


def _texts(value: Any) -> list[str]:
    return [text for text in map(_text, _list(value)) if text is not None]


def _people(value: Any) -> list[dict[str, Any]]:
    return [_person(person) for person in _list(value)]


def _person(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not _AUTHOR.keys() >= value.keys():
        raise InputError(f"a person has {', '.join(_AUTHOR)}")
    person = {
        "given": _text(value.get("given")) or "",
        "family": _text(value.get("family")) or "",
        "affiliations": _texts(value.get("affiliations") or []),
        "email": _text(value.get("email")),
    }
    if not person["family"]:
        raise InputError("a person or organisation has a family name")
    return person


def _names(value: Any) -> list[dict[str, str]]:
    return [{name: person[name] for name in ("given", "family")} for person in _people(value)]


HEADER: Mapping[str, Check] = {
    "title": _text,
    "authors": _people,
    "abstract": _text,
    "keywords": _texts,
    "doi": _doi,
    "date": _text,
    "year": _year,
    "venue": _text,
    "language": _text,
}
"""The fields of a header that can be corrected, each with what makes its value proper."""

CITED: Mapping[str, Check] = {
    "authors": _names,
    "title": _text,
    "container": _text,
    "year": _text,
    "volume": _text,
    "issue": _text,
    "pages": _text,
    "publisher": _text,
    "place": _text,
    "editors": _names,
    "doi": _text,
    "url": _text,
    "note": _text,
}
"""The same for a reference."""


def checked(field: str, value: Any) -> Any:
    """A correction's value in its normal form; InputError where the field can't have it.

    A reference's value has the corrected fields only, or is null where it is no reference.
    """
    try:
        return HEADER[field](value) if field in HEADER else _reference(field, value)
    except InputError as error:
        raise InputError(f"{field}: {error}") from None


def _reference(field: str, value: Any) -> Any:
    if field != CITATION:
        raise InputError(f"there is no such field; use {', '.join((*HEADER, CITATION))}")
    if value is None:
        return None
    if not isinstance(value, Mapping) or not value or not CITED.keys() >= value.keys():
        raise InputError(f"a reference has some of {', '.join(CITED)}")
    return {name: CITED[name](content) for name, content in value.items()}

"""What is known about the page that a text is from: its language and its address."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from rowen.values.tables import read_table

_SETTINGS = 256
"""Limit: language tags and addresses that are remembered. Pages write them, so there may be any number."""  # noqa: E501  # the generated page takes the docstring as it is


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides between readings of a text.

    `language` is a BCP 47 tag, from the schema or the page's `<html lang>`. `base` is the URL that
    relative addresses are resolved against.
    """

    language: str | None = None
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Locale:
    """What a language tag says; None where it says nothing, or not enough."""

    language: str | None = None
    region: str | None = None
    decimal: str | None = None
    order: str | None = None
    country: str | None = None


@lru_cache(maxsize=_SETTINGS)
def locale_of(tag: str | None) -> Locale:
    """The habits of a language, from its tag; an unknown or broken tag says nothing.

    >>> locale_of("de-CH").decimal, locale_of("de").decimal, locale_of("es").decimal
    ('.', ',', None)
    >>> locale_of("en-GB").order, locale_of("en").order
    ('dmy', None)
    """
    if not tag:
        return Locale()
    language, *rest = tag.strip().replace("_", "-").split("-")
    language = language.lower()
    region = next((part.upper() for part in rest if _is_region(part)), None)
    table = _table()
    names = (f"{language}-{region}", language)

    def look_up(habit: str) -> str | None:
        values = (table[habit].get(name) for name in names)
        return next((value for value in values if value is not None), None) or None

    country = region if region and not region.isdigit() else table["country"].get(language)
    return Locale(language, region, look_up("decimal"), look_up("order"), country)


def _is_region(part: str) -> bool:
    return (len(part) == 2 and part.isalpha()) or (len(part) == 3 and part.isdigit())


@cache
def _table() -> dict[str, Any]:
    return read_table("locales.toml")

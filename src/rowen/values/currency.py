"""Currencies: the signs, codes and words in a text, and which currency they mean on this page."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Setting, locale_of
from rowen.values.tables import fold, read_table

_ADDRESSES = 256
"""Limit: page addresses whose country is remembered; crawls go from page to page of a site."""

_WORDS = 4_096
"""Limit: words of prices that are remembered with how they are looked up."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign, a code or a word for a currency, and its place in the text."""

    written: str
    start: int
    end: int


def find_marks(text: str) -> list[Mark]:
    """All marks of currencies in a text.

    >>> [mark.written for mark in find_marks("US$ 1,299 (CHF 1150)")]
    ['US$', 'CHF']
    """
    marks = []
    for match in _pattern().finditer(text):
        written = match["word"]
        if written is None:
            marks.append(Mark(match[0], match.start(), match.end()))
        elif _is_word(written) and _is_beside_digits(text, match):
            marks.append(Mark(written, match.start(), match.end()))
    if len(marks) < 2:
        return marks
    # "99p" and "50 ct": hundredths count only where nothing else is a mark.
    return [mark for mark in marks if _key(mark.written) not in _table()["minor"]] or marks


def _is_word(written: str) -> bool:
    """Whether a word is a code in capital letters or a name of a currency in any case."""
    table = _table()
    return written in table["codes"] or _key(written) in table["names"]


def _is_beside_digits(text: str, match: re.Match[str]) -> bool:
    """Whether a word stands next to a number: TRY and PEN are words of pages, too."""
    after = text[match.end() : match.end() + 4].lstrip(" .:(-")
    if after[:1].isdigit():
        return True
    before = text[max(0, match.start() - 4) : match.start()].rstrip(" (-.,:")
    last = before[-1:]
    return last.isdigit() or last in _table()["signs"] or last in _table()["shared"]


def resolve(marks: list[Mark], text: str, setting: Setting) -> str | None:
    """The code of the currency that the marks of a text mean; None where it stays unknown.

    Raises:
        NotConverted: they name several.
    """
    table = _table()
    codes = {code for mark in marks if (code := _code(mark.written))}
    shared = [
        table["shared"][key] for mark in marks if (key := _key(mark.written)) in table["shared"]
    ]
    if len(codes) > 1:
        raise NotConverted(f"{shown(text)} names several currencies: {', '.join(sorted(codes))}")
    if codes:
        code = codes.pop()
        if any(code not in countries.values() for countries in shared):
            raise NotConverted(f"{shown(text)} names several currencies")
        return code
    choices = {_choose(countries, setting) for countries in shared}
    return choices.pop() if len(choices) == 1 else None


def is_minor(mark: Mark) -> bool:
    """Whether a mark speaks of hundredths."""
    return _key(mark.written) in _table()["minor"]


def whole_sign(mark: Mark, text: str, setting: Setting) -> str | None:
    """The sign of the currency of whose hundredths a mark speaks; None where that is not sure."""
    minor = _table()["minor"][_key(mark.written)]
    languages = minor.get("languages")
    if languages:
        language = locale_of(setting.language).language
        is_attached = text[: mark.start][-1:].isdigit() and mark.written.islower()
        if not is_attached or (language and language not in languages):
            return None
    sign: str = minor["sign"]
    return sign


def has_three_decimals(code: str | None) -> bool:
    """Whether amounts of a currency have three decimals."""
    return code in _table()["three_decimals"]


def _choose(countries: dict[str, str], setting: Setting) -> str | None:
    """The currency of a mark that several countries use."""
    locale = locale_of(setting.language)
    named = {locale.region, _country_of(setting.base)}
    codes = {countries[country] for country in named if country in countries}
    if not codes and not any(named) and locale.country in countries:
        codes = {countries[locale.country]}
    if not codes and not (locale.language in _table()["doubtful"] and not locale.region):
        return countries.get("any")
    return codes.pop() if len(codes) == 1 else None


@lru_cache(maxsize=_ADDRESSES)
def _country_of(base: str | None) -> str | None:
    """The country of a page's address, where its top-level domain is used for one country."""
    if not base:
        return None
    try:
        host = urlsplit(base).hostname or ""
    except ValueError:
        return None
    country: str | None = _table()["addresses"].get(host.rpartition(".")[2])
    return country


@lru_cache(maxsize=_WORDS)
def _key(written: str) -> str:
    return fold(written).rstrip(".")


def _code(written: str) -> str | None:
    table = _table()
    if written in table["codes"]:
        return written
    code: str | None = table["signs"].get(written) or table["words"].get(_key(written))
    return code


@cache
def _table() -> dict[str, Any]:
    table = read_table("currencies.toml")
    table["codes"] = frozenset(table["codes"])
    for name in ("words", "shared", "minor"):
        table[name] = {_key(mark): value for mark, value in table[name].items()}
    table["names"] = frozenset({*table["words"], *table["shared"], *table["minor"]})
    return table


@cache
def _pattern() -> re.Pattern[str]:
    """Signs anywhere but inside a word, and all words; which words are marks, the table says."""
    table = _table()
    marks = {*table["signs"], *table["names"]}
    signs = [mark for mark in marks if not mark[-1].isalpha() or _is_sign(mark)]
    signs.sort(key=len, reverse=True)
    first = re.escape("".join({sign[0] for sign in signs}))
    counters = "".join(sign for sign in signs if sign[-1].isalpha())
    letter = rf"[^\W\d_{counters}]"
    return re.compile(
        rf"(?=[{first}])(?:{'|'.join(map(re.escape, signs))})"
        rf"|(?P<word>{letter}+(?:\.{letter}+)*)\.?"
    )


def _is_sign(mark: str) -> bool:
    """Whether a letter is used as a sign: Chinese, Japanese and Korean leave no space before it."""
    return mark in "円元원"

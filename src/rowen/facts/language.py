"""The language of a text: by its script, or by its most frequent short words."""

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

LANGUAGE_CHARACTERS = 20_000
"""Limit: characters of a text that its language is found by; a page is enough."""

_WORD = re.compile(r"[^\W\d_]+")
_LEAST = 0.06  # of the words are frequent ones of the language, at least
_SCRIPT = 0.15  # of the letters are of a script, at least
_FEW = 12  # words: a text with fewer has no language


def language_of(text: str) -> str | None:
    """The code of a text's language; None where it is too short or mixed.

    >>> language_of("We study the reading of papers and of the pages that they are made of. " * 3)
    'en'
    """
    shown = text[:LANGUAGE_CHARACTERS]
    letters = sum(map(str.isalpha, shown))
    counts = {code: len(form.findall(shown)) for code, form in _scripts().items()}
    # Japanese has Chinese characters, too, and Persian has Arabic ones.
    for code, least in (("ja", 0.5), ("ko", 1.0), ("zh", 1.0), ("fa", 0.15)):
        if letters and counts[code] > least * _SCRIPT * letters and _fits(code, counts, letters):
            return code
    for code in ("ar", "el", "he", "th", "hi"):
        if letters and counts[code] > 2 * _SCRIPT * letters:
            return code
    words = Counter(_WORD.findall(shown.lower()))
    total = words.total()
    if total < _FEW:
        return None
    scores = {
        code: sum(words[word] for word in frequent) / total for code, frequent in _words().items()
    }
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= _LEAST else None


def _fits(code: str, counts: dict[str, int], letters: int) -> bool:
    return code != "fa" or counts["ar"] > 2 * _SCRIPT * letters


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads(
        files(__package__).joinpath("language.toml").read_text("utf-8")
    )
    return table


@cache
def _words() -> dict[str, frozenset[str]]:
    return {code: frozenset(words.split()) for code, words in _table()["words"].items()}


@cache
def _scripts() -> dict[str, re.Pattern[str]]:
    return {code: re.compile(form) for code, form in _table()["scripts"].items()}

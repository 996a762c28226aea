"""Words of references that announce a field, such as `vol`, `eds` and `press`."""

import tomllib
from importlib.resources import files
from typing import Any


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


def _classes(table: dict[str, str]) -> dict[str, str]:
    return {word: name for name, words in reversed(table.items()) for word in words.split()}


KEYWORDS = _classes(_table("keywords.toml"))
"""The class of each word, for names of people and for references."""

_LANGUAGES = _table("languages.toml")

ANNOUNCING: dict[str, dict[str, list[str]]] = _LANGUAGES.pop("announcing")
"""Words that announce a field and are not part of it: `before` and `after` it."""

REFERENCE_WORDS: dict[str, str] = {}
"""The class of each word of references, in more languages; `KEYWORDS` first."""
for _words in _LANGUAGES.values():
    REFERENCE_WORDS = _classes(_words) | REFERENCE_WORDS
REFERENCE_WORDS |= KEYWORDS


def words_of_class(name: str) -> list[str]:
    """The words of a class, the longest first."""
    return sorted((word for word, kind in REFERENCE_WORDS.items() if kind == name), key=len)[::-1]

"""Kinds of words in papers' fronts, such as `organisation`, `degree` or `particle`."""

import re
import tomllib
from importlib.resources import files

from rowen.citations.keywords import KEYWORDS

_TABLES = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


def _classes() -> tuple[dict[str, str], re.Pattern[str]]:
    """The kinds of whole words, and a pattern for words with certain beginnings."""
    whole = {word: name for name, listed in _TABLES["whole"].items() for word in listed.split()}
    begun = "|".join(
        f"(?P<{name}>{'|'.join(map(re.escape, listed.split()))})"
        for name, listed in _TABLES["beginnings"].items()
    )
    return whole, re.compile(begun)


_WHOLE, _BEGUN = _classes()
_UNSPACED = "\u2e7f"  # characters above it are of scripts without spaces between words
_UNSPACED_ENDINGS = tuple(_TABLES["unspaced_organisations"].split())
REMARKS = frozenset(_TABLES["remarks"].split())
"""Words of sentences, in lower case."""


def kind_of(low: str) -> str:
    """The kind of a lower-case word; "" for most words."""
    if kind := _WHOLE.get(low):
        return kind
    if low[:1] > _UNSPACED:
        return "organisation" if low.endswith(_UNSPACED_ENDINGS) else KEYWORDS.get(low, "")
    begun = _BEGUN.match(low)
    return (begun.lastgroup or "") if begun else KEYWORDS.get(low, "")

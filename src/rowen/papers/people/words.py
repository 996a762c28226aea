"""Kinds of words in papers' fronts, such as `organisation`, `degree` or `particle`."""

import re
import tomllib
from importlib.resources import files

from rowen.citations.keywords import KEYWORDS


def _classes() -> tuple[dict[str, str], re.Pattern[str]]:
    """The kinds of whole words, and a pattern for words with certain beginnings."""
    words = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))
    whole = {word: name for name, listed in words["whole"].items() for word in listed.split()}
    begun = "|".join(
        f"(?P<{name}>{'|'.join(map(re.escape, listed.split()))})"
        for name, listed in words["beginnings"].items()
    )
    return whole, re.compile(begun)


_WHOLE, _BEGUN = _classes()


def kind_of(low: str) -> str:
    """The kind of a lower-case word; "" for most words."""
    if kind := _WHOLE.get(low):
        return kind
    begun = _BEGUN.match(low)
    return (begun.lastgroup or "") if begun else KEYWORDS.get(low, "")

"""The data beside the code: names, signs and habits as TOML, read when they are first needed."""

import tomllib
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def read_table(name: str) -> dict[str, Any]:
    """A file of this folder."""
    return tomllib.loads(_text(name))


def load_tables() -> None:
    """Read all files of this folder, for a process that can't open any later."""
    for file in _folder().iterdir():
        if file.name.endswith(".toml"):
            _text(file.name)


@cache
def _text(name: str) -> str:
    return _folder().joinpath(name).read_text("utf-8")


def _folder() -> "Traversable":
    # Imported here: most programs read no values that need a table.
    from importlib.resources import files

    return files(__package__)


def fold(word: str) -> str:
    """A word as it is looked up: without case and accents of Latin, Greek and Cyrillic letters.

    >>> fold("Août"), fold("MÄRZ"), fold("Mayıs")
    ('aout', 'marz', 'mayıs')
    """
    word = word.casefold()
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    # Marks of other scripts are vowels: without them words would fall together.
    return unicodedata.normalize("NFC", "".join(c for c in parts if not "\u0300" <= c <= "\u036f"))

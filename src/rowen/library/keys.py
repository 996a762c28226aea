"""Normal forms of texts: by these, titles and names are sorted, compared and searched."""

import re
import unicodedata
from functools import lru_cache

TITLE_KEY_CHARACTERS = 40
"""How much of a title is compared: subtitles are often left out where a paper is cited."""

SHORTEST_TITLE_KEY = 16
"""Shorter titles (`Introduction`, `Editorial`) belong to many papers."""

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
# Scripts without spaces: a run of their letters would be one word, and no part of it be found.
_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f])")


def searchable(text: str) -> str:
    """A text as it is indexed and searched: each letter of a script without spaces is a word."""
    return _UNSPACED.sub(r" \1 ", proper(text))


def proper(text: str) -> str:
    """A text that UTF-8 can have: JSON may bring halves of characters, and NUL ends strings."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def plain(text: str) -> str:
    """Letters and digits only, without accents and in lower case."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in folded if letter.isalnum())


@lru_cache(maxsize=4096)
def sort_key(text: str) -> str:
    """A text for sorting: without accents, and without what comes before the first letter."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return re.sub(r"^[^\w]+", "", kept)


def title_key(title: str | None) -> str | None:
    """What equal titles share; None for a title that says too little."""
    key = plain(title or "")[:TITLE_KEY_CHARACTERS]
    return key if len(key) >= SHORTEST_TITLE_KEY else None


def doi_key(doi: str | None) -> str | None:
    """A DOI in its normal form: DOIs are the same in upper and lower case."""
    found = re.search(r"10\.\d{4,9}/\S+", doi or "")
    return None if found is None else found[0].rstrip(".,;)").lower()


def year_in(text: str | None) -> str | None:
    """The year in a date."""
    match = _YEAR.search(text or "")
    return None if match is None else match[1]

"""Titles in the form in which they are compared: words without case, accents, marks and markup."""

import re
from collections import Counter
from html import unescape
from unicodedata import combining, normalize

TITLE_CHARACTERS = 1_000
"""Limit: how many characters of a title are compared; more are an abstract in the wrong column."""

SHINGLE = 3
"""How many words stand in a row in a shingle: rare enough to find a title by."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,100}>")
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a title or a reference, plain.

    >>> words_of("<i>Naïve</i> Bayes &amp; co.: a re-view")
    ['naive', 'bayes', 'co', 'a', 're', 'view']
    """
    text = text[:TITLE_CHARACTERS]
    if "<" in text or "&" in text:
        # Entities may hide tags: Crossref has both `<i>` and `&lt;i&gt;`.
        text = _TAG.sub("", unescape(_TAG.sub("", text)))
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    return _WORD.findall(text.casefold())


def shingles_of(words: list[str]) -> set[str]:
    """Each row of three words; a shorter title is one shingle.

    >>> sorted(shingles_of(["on", "the", "origin", "of"]))
    ['on the origin', 'the origin of']
    """
    if len(words) <= SHINGLE:
        return {" ".join(words)} if words else set()
    return {" ".join(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)}


def likeness(one: str, other: str) -> float:
    """How alike two plain titles are, from 0 to 1: Dice's measure over rows of three letters.

    >>> likeness("wrapper induction", "wrapper induction")
    1.0
    >>> 0.8 < likeness("wrapper induction", "wraper induction") < 1
    True
    """
    if one == other:
        return 1.0 if one else 0.0
    first, second = _trigrams(one), _trigrams(other)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def _trigrams(text: str) -> Counter[str]:
    padded = f"  {text} "
    return Counter(padded[at : at + 3] for at in range(len(padded) - 2))

"""Sentences: the spans of a text between full stops that end one.

    We follow Smith et al. (2004). See Fig. 2.     two sentences
                ^^^      ^^^^^^         ^^^^        no ends: an abbreviation, no space, a number

A stop ends a sentence if what follows can begin one: a capital letter, a number, a bracket or a
quotation mark after a space. Chinese and Japanese stops end one without a space.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

# Typographic quotation marks are as they are printed.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。\uff01\uff1f]++[」』”]*+")  # noqa: RUF001
_WORD = re.compile(r"[^\s(\[{\"'“‘«/–—-]*$")  # noqa: RUF001
_OPENING = "\"'“‘«([¿¡"  # noqa: RUF001
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LONGEST_WORD = 24
_NEAR = 12  # characters after a stop are looked at


def sentences_of(text: str, whole: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """The spans of the sentences of a text, without the blanks between them.

    No span of `whole` is divided, and one that follows a stop at once belongs to the sentence
    before it: a raised number that cites a work.

    >>> text = "It works [1]. See Fig. 2 of Smith et al. (2004)."
    >>> [text[start:end] for start, end in sentences_of(text)]
    ['It works [1].', 'See Fig. 2 of Smith et al. (2004).']
    """
    kept = sorted((start, end) for start, end in whole if 0 <= start < end <= len(text))
    sentences: list[tuple[int, int]] = []
    start, following = 0, 0
    for end in _ends(text, kept):
        while following < len(kept) and kept[following][1] <= end:
            following += 1
        inside = following < len(kept) and kept[following][0] < end
        if not inside and end > start:
            _add(sentences, text, start, end)
            start = end
    _add(sentences, text, start, len(text))
    return sentences


def _ends(text: str, kept: list[tuple[int, int]]) -> Iterable[int]:
    """The places at which a sentence ends, from left to right."""
    ends = {match.end() for match in _STOP.finditer(text) if _is_end(text, match)}
    for start, end in kept:
        # `as shown.12 Others`: the number is no word, and its stop has no blank after it.
        after_stop = start > 0 and text[start - 1] in ".!?" and text[end : end + 1].isspace()
        if after_stop and _can_begin(text, end) and not _is_short(text, start - 1):
            ends.add(end)
    return sorted(ends)


def _is_end(text: str, match: "re.Match[str]") -> bool:
    if match.group()[0] in "。\uff01\uff1f":
        return True
    short = match.group()[0] == "." and _is_short(text, match.start())
    return not short and _can_begin(text, match.end())


def _can_begin(text: str, at: int) -> bool:
    """Whether what follows may begin a sentence: in scripts with small letters, none of these."""
    after = text[at : at + _NEAR].lstrip().lstrip(_OPENING)
    return bool(after) and not after[0].islower() and after[0].isalnum()


def _is_short(text: str, stop: int) -> bool:
    """Whether the word before a full stop is an abbreviation or an initial."""
    word = _WORD.search(text[max(0, stop - _LONGEST_WORD) : stop])
    if word is None or not word.group():
        return False
    name = word.group().lower()
    # `A. Lovelace` and `U.S.`, but not `case a.` nor `as n.`
    initial = _INITIALS.fullmatch(word.group()) is not None and word.group().isupper()
    counts = text[stop + 1 : stop + _NEAR].lstrip()[:1].isdigit()
    if initial or name in _abbreviations("all"):
        return True
    return counts and name in _abbreviations("counted")


def _add(sentences: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    first = start + len(piece) - len(piece.lstrip())
    last = first + len(piece.strip())
    if first < last:
        sentences.append((first, last))


@cache
def _abbreviations(kind: str) -> frozenset[str]:
    table = tomllib.loads(files(__package__).joinpath("sentences.toml").read_text("utf-8"))
    return frozenset(table[kind])

"""Markers by name and year: (Smith and Jones, 2004a; Doe et al., 2010), Smith et al. (2004).

Each year is asked which references of that year have authors whose names stand right before it.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rowen.scholar.citations.citation import Citation
from rowen.scholar.markers.marker import Marker

_TOKEN = re.compile(r"\w(?:[\w'’‐‑-]*\w)?|[^\w\s]")
_YEAR = re.compile(r"((?:1[6-9]|20)\d\d)([a-z]?)$")
_YEARS = re.compile(r"\b((?:1[6-9]|20)\d\d)([a-z]?)\b")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][\w'’‐-]*[a-z][\w'’‐-]*")
_AND = frozenset({"and", "&", "und", "et", "y", "e", "en", ","})
_OTHERS = (("et", "al", "."), ("et", "al"), ("and", "others"), ("and", "colleagues"))
_MOST_NAMES = 8  # that a marker lists
_MOST_SIGNS = 4  # between names, and before a year
_REACH, _AFTER = 160, 16  # characters before a year in which its names stand, and its letters after


class _Work(NamedTuple):
    """A reference: its number, the letter after its year, and the words of its families' names."""

    place: int
    letter: str
    families: tuple[tuple[str, ...], ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class _Word:
    """A word or sign of the text, and what is compared of it."""

    start: int
    end: int
    plain: str
    capital: bool


def dated(texts: Sequence[str], citations: Sequence[Citation]) -> list[list[Marker]]:
    """The markers of each text."""
    works = _works(citations)
    return [_markers(text, works) for text in texts]


def _works(citations: Sequence[Citation]) -> dict[str, list[_Work]]:
    """The references by year."""
    found: defaultdict[str, list[_Work]] = defaultdict(list)
    for index, citation in enumerate(citations):
        names = citation.authors or citation.editors
        families = tuple(_plain_words(name.family) for name in names if name.family)
        head = _YEARS.split(citation.raw, maxsplit=1)[0]
        words = tuple((_plain(word),) for word in _CAPITALISED.findall(head)[:_MOST_NAMES])
        for year, letter in _years(citation):
            if families:
                found[year].append(_Work(index, letter, families, certain=True))
            if words and (not families or words[0] != families[0]):
                found[year].append(_Work(index, letter, words, certain=False))
    return found


def _years(citation: Citation) -> set[tuple[str, str]]:
    """When a work came out, with the letter that tells it from others of that year."""
    spans = citation.spans.get("date", ())
    dates = " ".join(citation.raw[start : end + 1] for start, end in spans)  # with the letter
    return set(_YEARS.findall(dates)) or set(_YEARS.findall(citation.raw))


def _markers(text: str, works: dict[str, list[_Work]]) -> list[Marker]:
    return [
        marker for start, end in _surroundings(text) for marker in _among(text, start, end, works)
    ]


def _surroundings(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text around years that hold the names before them."""
    run: tuple[int, int] | None = None
    for year in _YEARS.finditer(text):
        start = max(0, year.start() - _REACH)
        space = text.rfind(" ", max(0, start - _REACH), start)  # no name is cut
        start = space if space >= 0 else start
        if run and start <= run[1]:
            run = (run[0], year.end() + _AFTER)
            continue
        if run:
            yield run
        run = (start, year.end() + _AFTER)
    if run:
        yield run


def _among(text: str, start: int, end: int, works: dict[str, list[_Work]]) -> list[Marker]:
    """The markers of a stretch."""
    words = [
        _Word(found.start(), found.end(), _plain(found.group()), found.group()[0].isupper())
        for found in _TOKEN.finditer(text, start, end)
    ]
    markers: list[Marker] = []
    names: dict[int, tuple[int, bool]] = {}  # where they end before each year, and if more follow
    for i, word in enumerate(words):
        year = _YEAR.match(text[word.start : word.end])
        if not year:
            continue
        names[i] = end, others = _names_end(words, i, names)
        letters, last = _letters(words, i, year.group(2))
        own = _own_words(words, i, end, others=others)
        linked: dict[int, None] = {}
        start = i
        for letter in letters or [""]:
            first, index = _work(words, end, works.get(year.group(1), ()), letter, others=others)
            if index is not None:
                linked[index] = None
                start = min(start, first)
        if not linked:
            if own is None:
                continue
            start = own
        if markers and words[start].start < markers[-1].end:
            start = i  # another year of the names before
        markers.append(
            Marker(words[start].start, _closed(text, words, i, last), tuple(sorted(linked)))
        )
    return markers


def _names_end(
    words: Sequence[_Word], year: int, before: dict[int, tuple[int, bool]]
) -> tuple[int, bool]:
    """Where the names before a year end, and whether "et al." stands for more of them.

    A year after another has the same names.
    """
    at = year
    while at > max(0, year - _MOST_SIGNS) and words[at - 1].plain in {"(", "[", ",", "and", "&"}:
        at -= 1
    if at - 1 in before:
        return before[at - 1]
    for signs in _OTHERS:
        start = at - len(signs)
        if start > 0 and tuple(word.plain for word in words[start:at]) == signs:
            return start - (start > 1 and words[start - 1].plain == ","), True
    return at, False


def _letters(words: Sequence[_Word], year: int, first: str) -> tuple[list[str], int]:
    """The letters after a year, as in 2004a,b, and the last word of them."""
    letters = [first] if first else []
    at = year
    while letters and at + 2 < len(words) and words[at + 1].plain in {",", "&", "and"}:
        letter = words[at + 2].plain
        if len(letter) != 1 or letter != chr(ord(letters[-1]) + 1):
            break
        letters.append(letter)
        at += 2
    return letters, at


def _work(
    words: Sequence[_Word], end: int, works: Sequence[_Work], letter: str, *, others: bool
) -> tuple[int, int | None]:
    """The one reference that the names before `end` fit best, and where they begin."""
    lettered = letter and any(work.letter == letter for work in works)
    best: list[tuple[tuple[int, int], int, int]] = []
    for work in works:
        if lettered and work.letter != letter:
            continue
        for start, count in _fits(words, end, work.families):
            whole = count == len(work.families)
            exact = work.certain and (len(work.families) > count if others else whole)
            best.append(((int(exact), count), start, work.place))
            break
    if not best:
        return end, None
    top = max(score for score, _, _ in best)
    chosen = {(start, index) for score, start, index in best if score == top}
    return chosen.pop() if len(chosen) == 1 else (end, None)


def _fits(
    words: Sequence[_Word], end: int, families: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, int]]:
    """Where the first authors' names stand right before `end`, with most of them first."""
    for count in range(min(len(families), _MOST_NAMES), 0, -1):
        start = _named_before(words, end, families[:count])
        if start is not None:
            yield start, count


def _named_before(
    words: Sequence[_Word], end: int, families: Sequence[tuple[str, ...]]
) -> int | None:
    at = end
    for place, family in enumerate(reversed(families)):
        if place:
            start = at
            while start > max(0, at - _MOST_SIGNS) and words[start - 1].plain in _AND:
                start -= 1
            if start == at:
                return None
            at = start
        first = at - len(family)
        if first < 0 or not family or tuple(word.plain for word in words[first:at]) != family:
            return None
        at = first
    return at


def _own_words(words: Sequence[_Word], year: int, end: int, *, others: bool) -> int | None:
    """Where a marker begins that is one by its form, whatever the references are."""
    if others and words[end - 1].capital:
        return end - 1
    pair = words[max(0, end - 3) : end]
    if end < year and len(pair) == 3 and pair[1].plain in {"and", "&"}:
        return end - 3 if pair[0].capital and pair[2].capital else None
    return None


def _closed(text: str, words: Sequence[_Word], year: int, last: int) -> int:
    """The end of a marker: of its year, and of the bracket that only the year is in."""
    end = words[last].end
    opened = year > 0 and words[year - 1].plain in {"(", "["}
    return end + 1 if opened and text[end : end + 1] in {")", "]"} else end


def _plain_words(name: str) -> tuple[str, ...]:
    return tuple(_plain(word) for word in _TOKEN.findall(name) if word[0].isalnum())


@lru_cache(maxsize=8192)
def _plain(word: str) -> str:
    """A word without case, accents, hyphens, and the s of a genitive."""
    if word.isascii() and word.isalnum():
        return word.lower()
    spelled = unicodedata.normalize("NFKD", re.sub(r"['’]s$", "", word).casefold())
    plain = "".join(letter for letter in spelled if letter.isalnum())
    return plain or word

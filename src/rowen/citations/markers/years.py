"""Markers by name and year: (Smith and Jones, 2004a; Doe et al., 2010), Smith et al. (2004).

For each year in the text, the references of that year are compared with the names before it.

    "was shown by Smith and Jones (2004a) and (Doe et al., 2010)"
    2004a   names before it: Smith and Jones -> the reference of 2004 with letter a and these names
    2010    names before it: Doe, and others -> the reference of 2010 by Doe and at least one more
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rowen.citations.citation import Citation
from rowen.citations.markers.marker import Marker

_TOKEN = re.compile(r"\w(?:[\w'’‐‑-]*\w)?|[^\w\s]")
_YEAR = re.compile(r"((?:1[6-9]|20)\d\d)([a-z]?)$")
_YEARS = re.compile(r"\b((?:1[6-9]|20)\d\d)([a-z]?)\b")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][\w'’‐-]*[a-z][\w'’‐-]*")
_AND = frozenset({"and", "&", "und", "et", "y", "e", "en", ","})
_OTHERS = (("et", "al", "."), ("et", "al"), ("and", "others"), ("and", "colleagues"))
_MOST_NAMES = 8  # that a marker lists
_MOST_SIGNS = 4  # between names, and before a year
_MOST_WORKS = 500
"""Limit: references of one year with an author of one name. Beyond it none of them is linked, for
each marker would be compared with all. The longest real lists have about fifty."""
_TOLD_ALIKE = 2  # equal works that are kept
_REACH, _AFTER = 160, 16  # characters around a year: its names are before it, its letters after


class Work(NamedTuple):
    """A reference: its index, the letter after its year, the words of its authors' family names."""

    place: int
    letter: str
    families: tuple[tuple[str, ...], ...]
    certain: bool


class _WorksOfYear:
    """The references of one year, by the last word of each family name."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.letters = {work.letter for work in works}
        self._by_word: defaultdict[str, list[Work]] = defaultdict(list)
        alike: Counter[tuple[object, ...]] = Counter()
        for work in works:
            # No marker can distinguish equal works, so it leads to none of them: two are enough to
            # know that, and a hostile list of a thousand costs no more.
            alike[work[1:]] += 1
            if alike[work[1:]] <= _TOLD_ALIKE:
                for word in {family[-1] for family in work.families[:_MOST_NAMES] if family}:
                    self._by_word[word].append(work)

    def named(self, word: str) -> Sequence[Work]:
        """The references with a family name that ends with this word."""
        works = self._by_word.get(word, ())
        return works if len(works) <= _MOST_WORKS else ()


class _Word(NamedTuple):
    """A word or punctuation mark of the text, and its form for comparison."""

    start: int
    end: int
    plain: str
    capital: bool


Works: TypeAlias = Mapping[str, Sequence[Work]]
"""References by year."""

Dated: TypeAlias = Callable[[Sequence[str], Works], list[list[Marker]]]
"""Finds the markers of each text: `dated`, or a cache of it."""


def dated(texts: Sequence[str], works: Works) -> list[list[Marker]]:
    """The markers with years of each text; each text's depend on that text and the works only."""
    by_year = {year: _WorksOfYear(of_year) for year, of_year in works.items()}
    return [_markers(text, by_year) for text in texts]


def works_of(citations: Sequence[Citation]) -> Works:
    """The references by year."""
    works_by_year: defaultdict[str, list[Work]] = defaultdict(list)
    for index, citation in enumerate(citations):
        names = citation.authors or citation.editors
        families = tuple(_plain_words(name.family) for name in names if name.family)
        head = _YEARS.split(citation.raw, maxsplit=1)[0]
        words = tuple((_plain(word),) for word in _CAPITALISED.findall(head)[:_MOST_NAMES])
        for year, letter in sorted(_years(citation)):
            if families:
                works_by_year[year].append(Work(index, letter, families, certain=True))
            if words and (not families or words[0] != families[0]):
                works_by_year[year].append(Work(index, letter, words, certain=False))
    return works_by_year


def _years(citation: Citation) -> set[tuple[str, str]]:
    """The years of a work, each with the letter that distinguishes it within the year."""
    spans = citation.spans.get("date", ())
    # One character more than the date: the letter of 2004a.
    dates = " ".join(citation.raw[start : end + 1] for start, end in spans)
    return set(_YEARS.findall(dates)) or set(_YEARS.findall(citation.raw))


def _markers(text: str, works: Mapping[str, _WorksOfYear]) -> list[Marker]:
    return [
        marker for start, end in _surroundings(text) for marker in _among(text, start, end, works)
    ]


def _surroundings(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text around years, with the names before them."""
    run: tuple[int, int] | None = None
    for year in _YEARS.finditer(text):
        start = max(0, year.start() - _REACH)
        space = text.rfind(" ", max(0, start - _REACH), start)  # so that no name is cut
        start = space if space >= 0 else start
        if run and start <= run[1]:
            run = (run[0], year.end() + _AFTER)
            continue
        if run:
            yield run
        run = (start, year.end() + _AFTER)
    if run:
        yield run


def _among(text: str, start: int, end: int, works: Mapping[str, _WorksOfYear]) -> list[Marker]:
    """The markers of a stretch."""
    words = [
        _Word(match.start(), match.end(), _plain(match.group()), match.group()[0].isupper())
        for match in _TOKEN.finditer(text, start, end)
    ]
    markers: list[Marker] = []
    names: dict[int, tuple[int, bool]] = {}  # by year: end of its names, whether `et al.` follows
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
            first, index = _work(words, end, works.get(year.group(1)), letter, others=others)
            if index is not None:
                linked[index] = None
                start = min(start, first)
        if not linked:
            if own is None:
                continue
            start = own
        if markers and words[start].start < markers[-1].end:
            start = i  # another year of the same names
        markers.append(
            Marker(words[start].start, _closed(text, words, i, last), tuple(sorted(linked)))
        )
    return markers


def _names_end(
    words: Sequence[_Word], year: int, before: dict[int, tuple[int, bool]]
) -> tuple[int, bool]:
    """Where the names before a year end, and whether "et al." follows them.

    A year right after another year has the same names.
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
    """The letters after a year, as in 2004a,b, and the index of the last one."""
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
    words: Sequence[_Word], end: int, works: _WorksOfYear | None, letter: str, *, others: bool
) -> tuple[int, int | None]:
    """The start of the names before `end`, and the reference that fits best; None if several do."""
    if works is None or end == 0:
        return end, None
    lettered = bool(letter) and letter in works.letters
    best: list[tuple[tuple[int, int], int, int]] = []
    for work in works.named(words[end - 1].plain):
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
    """Where the first authors' names start that end at `end`; most authors first."""
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
    """Where a marker starts that is one by its form, even without a reference."""
    if others and words[end - 1].capital:
        return end - 1
    pair = words[max(0, end - 3) : end]
    if end < year and len(pair) == 3 and pair[1].plain in {"and", "&"}:
        return end - 3 if pair[0].capital and pair[2].capital else None
    return None


def _closed(text: str, words: Sequence[_Word], year: int, last: int) -> int:
    """The end of a marker: after its year, and after a bracket around the year alone."""
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

"""Citations indexed by what a work may be found by, so that works can stream past them.

    key                                  finds a citation by
    three words in a row of its title    title, also one that was cut or misread in part
    volume and first page                place, for references that print no title
    DOI                                  DOI

A row of three words that many titles share ("a systematic review") finds too much and is left out,
unless a title has no other.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rowen.matching.titles import shingles_of, words_of
from rowen.matching.wanted import Wanted, doi_of
from rowen.matching.work import place_of, title_of

COMMON = 20
"""Limit: a row of words that more titles than this have is no key: it finds too many of them."""

SHARED = 0.2
"""A candidate shares this much of the keys of a citation's title, or of the work's."""


class Index:
    """The citations of one pass."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        # Equal titles count once: a popular work must not make the words of its title common.
        titles: dict[str, list[int]] = defaultdict(list)
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._dois: dict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(wanted):
            titles[one.title or " ".join(one.words)].append(number)
            if one.volume and one.page:
                self._places[one.volume, one.page].append(number)
            if one.doi:
                self._dois[one.doi].append(number)
        self._titles = list(titles.values())
        self._groups: dict[str, list[int]] = defaultdict(list)
        self._sizes = []
        shingles = [wanted[numbers[0]].shingles for numbers in self._titles]
        frequency = Counter(shingle for own in shingles for shingle in own)
        for group, own in enumerate(shingles):
            rare = {one for one in own if frequency[one] <= COMMON} or own
            self._sizes.append(len(rare))
            for shingle in rare:
                self._groups[shingle].append(group)

    def find(self, row: Mapping[str, Any]) -> Iterator[int]:
        """The numbers of the citations that may name a work, by its keys."""
        found: set[int] = set()
        shingles = shingles_of(words_of(title_of(row)))
        shared = Counter(group for one in shingles for group in self._groups.get(one, ()))
        for group, count in shared.items():
            if count >= SHARED * min(self._sizes[group], len(shingles)):
                found.update(self._titles[group])
        volume, page = place_of(row)
        if volume and page:
            found.update(self._places.get((volume, page), ()))
        if self._dois:
            found.update(self._dois.get(doi_of(row.get("doi")), ()))
        yield from sorted(found)

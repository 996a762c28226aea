"""Dictionaries: find many known strings in one pass (Aho and Corasick, 1975).

    entries  York, New York     text  From New York to York
    all occurrences             New York [5, 13), York [9, 13), York [17, 21)
    maximal ones                New York [5, 13),               York [17, 21)

Why a window is sound: an occurrence counts unless a longer one contains it or one of its edges is
inside a word. A longer entry around it reaches less than the longest entry's length to each side,
and a word's edge needs one character more: both lie within a context of that length.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Self
from unicodedata import unidata_version

from ahocorasick_rs import AhoCorasick

from rowen.extractors.definition import DEFINITION_BYTES, Defined, Definition
from rowen.extractors.locality import MARKS, Locality, Segments, Window
from rowen.model import Page
from rowen.model.text import SURROGATE, replace_surrogates
from rowen.model.words import is_inside_word
from rowen.records import Records
from rowen.records.record import CHILDREN
from rowen.records.records import Row, Rows


class Dictionary(Defined):
    """Each occurrence of an entry is a record of one field, unless a longer one contains it.

    Occurrences that only overlap all count: both `New York` and `York City` are found in
    `New York City`. So a record depends only on its surroundings, and the locality is a window.
    With `words` an entry must not begin or end inside a word (see `rowen.model.words`); with
    `fold_case` upper and lower case are the same, as in `str.casefold`.

    >>> cities = Dictionary(["York", "New York"], field="city")
    >>> [record.values for record in cities.extract("From New York to York")]
    [{'city': 'New York'}, {'city': 'York'}]
    """

    kind = "dictionary"

    def __init__(
        self,
        entries: Iterable[str],
        *,
        field: str = "name",
        name: str = "dictionary",
        version: str | None = None,
        locality: Locality | None = None,
        words: bool = True,
        fold_case: bool = False,
        schema: object = None,
    ) -> None:
        super().__init__(name, version, locality, schema)
        if not isinstance(field, str) or not field or field == CHILDREN:
            raise self.error(f"a field can't be called {field!r}")
        self.field = field
        self.fields = (field,)
        self.words = words
        self.fold_case = fold_case
        self.entries = self._checked(entries)
        self._automaton = AhoCorasick(self._keys())
        self._longest = max(map(len, self._keys()))

    def _keys(self) -> list[str]:
        folded = map(str.casefold, self.entries) if self.fold_case else self.entries
        return list(dict.fromkeys(folded))

    def __getstate__(self) -> dict[str, Any]:
        """Without the automaton, which can't be pickled: each process builds its own."""
        return {name: value for name, value in vars(self).items() if name != "_automaton"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._automaton = AhoCorasick(self._keys())

    def extract(self, page: Page | str) -> Records:
        """One record per occurrence, in page order, longer ones first."""
        page = Page.of(page)
        occurrences = self._occurrences(page.text)
        if self.words:
            occurrences = _words(page.text, occurrences)
        rows: list[Row] = [(bounds,) for bounds in _maximal(occurrences)]
        return Records(Rows(page, self.fields, rows), schema=self.given_schema)

    def _occurrences(self, text: str) -> list[tuple[int, int]]:
        folded = text.casefold() if self.fold_case else text
        try:
            matches = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        except UnicodeEncodeError:  # a lone surrogate, which is in no entry
            folded = replace_surrogates(folded)
            matches = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        if len(folded) == len(text):  # folding never shortens, so each character kept its offset
            return [(start, end) for _, start, end in matches]
        ends = list(accumulate(len(character.casefold()) for character in text))
        place = {0: 0} | {end: index for index, end in enumerate(ends, 1)}
        return [
            (place[start], place[end])
            for _, start, end in matches
            if start in place and end in place  # not inside a character that folds to two (ß: ss)
        ]

    def settings(self) -> dict[str, Any]:
        """The entries, and what counts as an occurrence."""
        return {
            "field": self.field,
            "words": self.words,
            "fold_case": self.fold_case,
            "entries": list(self.entries),
        }

    def engine(self) -> str:
        """The version of Unicode, which defines letters and case."""
        return f"unicode {unidata_version}"

    @cached_property
    def grain(self) -> Locality:
        """Segments between the marks that are in no entry, if there are such marks, for reuse.

        No occurrence contains such a mark, so neither an occurrence nor a longer one around it
        leaves its segment. A mark is no word character, so for the edge of a word it is the same as
        the page's edge.
        """
        if self._given_locality is not None:
            return self._given_locality
        marks = set(MARKS).difference(*self._keys())
        return Segments(sorted(marks)) if marks else self.locality

    def derive_locality(self) -> Locality:
        """A longer entry around a record reaches less than its length; a word's edge, one more."""
        return Window(self._longest, self._longest)

    def _checked(self, entries: Iterable[str]) -> tuple[str, ...]:
        if isinstance(entries, str):
            raise self.error("entries must be a list of strings, not one string")
        listed = tuple(entries)
        if not listed:
            raise self.error("a dictionary needs at least one entry")
        for entry in listed:
            if not isinstance(entry, str) or not entry or SURROGATE.search(entry):
                raise self.error(f"{entry!r} is not an entry: entries must be non-empty strings")
        return tuple(dict.fromkeys(listed))

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """Read a saved dictionary, with its entries or the name of a file of them."""
        definition.expect("field", "words", "fold_case", "entries", "file")
        return cls(
            _entries(definition),
            field=definition.get("field", str, "name"),
            words=definition.get("words", bool, default=True),
            fold_case=definition.get("fold_case", bool, default=False),
            **definition.identity(),
        )

    def __repr__(self) -> str:
        return f"Dictionary({len(self.entries)} entries, field={self.field!r}, name={self.name!r})"


def _entries(definition: Definition) -> list[str]:
    file = definition.get("file", str)
    entries = definition.get("entries", list)
    if (file is None) == (entries is None):
        raise definition.error("a dictionary needs 'entries' or a 'file' with one entry per line")
    if entries is not None:
        return list(entries)
    path = (definition.folder or Path()) / file
    try:
        if path.stat().st_size > DEFINITION_BYTES:
            raise definition.error(f"{path} is larger than {DEFINITION_BYTES} bytes")
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise definition.error(f"can't read the entries in {path}: {error}") from None
    return [line.strip() for line in lines if line.strip()]


def _words(text: str, occurrences: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The occurrences that neither begin nor end inside a word."""
    return [
        (start, end)
        for start, end in occurrences
        if not is_inside_word(text, end) and not is_inside_word(text, start)
    ]


def _maximal(occurrences: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The occurrences that no other contains, in page order."""
    # Sorted by start, longest first: one is contained exactly if an earlier one ends as late.
    maximal: list[tuple[int, int]] = []
    reached = -1
    for start, end in sorted(set(occurrences), key=lambda span: (span[0], -span[1])):
        if end > reached:
            maximal.append((start, end))
            reached = end
    return maximal

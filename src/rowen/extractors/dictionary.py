"""Dictionaries: known strings, all found in one pass (Aho and Corasick, 1975)."""

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Self
from unicodedata import unidata_version

from ahocorasick_rs import AhoCorasick

from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import MARKS, Locality, Segments, Window
from rowen.limits import DEFINITION_BYTES
from rowen.model import Page, Records
from rowen.model.record import CHILDREN
from rowen.model.records import Rows
from rowen.model.text import SURROGATE, replace_surrogates
from rowen.model.words import is_inside_word


class Dictionary(Defined):
    """Each occurrence of an entry is a record of one field, unless a longer one contains it.

    Occurrences that merely overlap all count: `New York` and `York City` both stand in
    `New York City`. That keeps each record a matter of its surroundings alone, so that its locality
    is a window. With `words` an entry must not begin or end inside a word, as `rowen.model.words`
    says what that is; with `fold_case` upper and lower case are the same, as in `str.casefold`.
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
    ) -> None:
        super().__init__(name, version, locality)
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
        """The automaton can't travel to other processes; it is built there again."""
        return {name: value for name, value in vars(self).items() if name != "_automaton"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._automaton = AhoCorasick(self._keys())

    def extract(self, page: Page | str) -> Records:
        """A record an occurrence, in page order, the longer first."""
        page = Page.of(page)
        found = self._occurrences(page.text)
        if self.words:
            found = _words(page.text, found)
        return Records(Rows(page, self.fields, [(bounds,) for bounds in _maximal(found)]))

    def _occurrences(self, text: str) -> list[tuple[int, int]]:
        folded = text.casefold() if self.fold_case else text
        try:
            found = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        except UnicodeEncodeError:  # half a surrogate pair, which is in no entry
            folded = replace_surrogates(folded)
            found = self._automaton.find_matches_as_indexes(folded, overlapping=True)
        if len(folded) == len(text):  # folding never shortens, so each character kept its place
            return [(start, end) for _, start, end in found]
        ends = list(accumulate(len(character.casefold()) for character in text))
        place = {0: 0} | {end: index for index, end in enumerate(ends, 1)}
        return [
            (place[start], place[end])
            for _, start, end in found
            if start in place and end in place  # else it begins or ends inside a character: ß is ss
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
        """What a letter is, and its lower case, is Unicode's affair."""
        return f"unicode {unidata_version}"

    @cached_property
    def grain(self) -> Locality:
        """Segments between the marks that are in no entry, where there are such, for reuse.

        No occurrence holds such a mark, so that neither an occurrence nor a longer one around it
        leaves its segment; and to the edge of a word a mark is what the page's edge is.
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
            raise self.error("entries are a list of strings, not one string")
        given = tuple(entries)
        if not given:
            raise self.error("a dictionary needs at least one entry")
        for entry in given:
            if not isinstance(entry, str) or not entry or SURROGATE.search(entry):
                raise self.error(f"{entry!r} is not an entry")
        return tuple(dict.fromkeys(given))

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """The dictionary that was saved, with its entries or the name of a file of them."""
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
        raise definition.error("a dictionary has either 'entries' or a 'file' of them, a line each")
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


def _words(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The occurrences of which neither edge lies inside a word."""
    return [
        (start, end)
        for start, end in found
        if not is_inside_word(text, end) and not is_inside_word(text, start)
    ]


def _maximal(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The occurrences that no other contains, in page order."""
    kept: list[tuple[int, int]] = []
    reached = -1
    for start, end in sorted(set(found), key=lambda span: (span[0], -span[1])):
        if end > reached:
            kept.append((start, end))
            reached = end
    return kept

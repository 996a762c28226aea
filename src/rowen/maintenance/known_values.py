"""Known values of a site's fields as recognizers for its new pages (thesis, chapter 6).

A known value is recognized wherever it occurs, and a usual shape recognizes values that nobody
knew. How far to believe either shows on the new pages: a field of which all values are known and
occur nowhere else separates records, and corroboration finds the others beside it.

    known codes 242, 20       the page has each once, in its two records     perfect: an anchor
    known names Congo, Egypt  Congo is in the title, too                     unsound
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeAlias

from rowen.learning.recognizers.corroborate import CORROBORATED_FIELDS
from rowen.learning.recognizers.recognizer import (
    CONTEXT,
    MASK,
    Recognizer,
    Soundness,
    Where,
    visible,
)
from rowen.maintenance.occurrences import RecordOccurrences
from rowen.model.words import is_inside_word
from rowen.records.positions import Position, Positions
from rowen.text.html_tokens import LITERAL, Kind, tokenize
from rowen.wrappers.profile import FieldProfile, Profile, shape_of

_PagePositions: TypeAlias = tuple[str, set[Position]]
"""A page's text, and positions on it."""

WIDTHS = ((8, 4), (8, 1), (4, 4), (4, 1))
"""This many characters before and after a value are compared: as many as all pages share."""

MARGIN = 32
"""So much white space may be around values beside what is compared."""

HABIT = 2
"""A shape that fewer values have does not recognize others."""


def recognizers_of(occurrences: Sequence[RecordOccurrences], usual: Profile) -> list[Recognizer]:
    """Recognizers of the fields that have at most one value per record, the surest fields first."""
    pages = [_PageValues(page) for page in occurrences]
    names = dict.fromkeys(
        name for page in occurrences for record in page.records for name in record if record[name]
    )
    fields = [
        _KnownField(name, pages) for name in names if all(page.is_single(name) for page in pages)
    ]
    fields.sort(key=lambda field: (field.soundness is not Soundness.PERFECT, field.surplus))
    recognizers: list[Recognizer] = []
    some_unknown = not all(page.whole for page in occurrences)
    for field in fields[:CORROBORATED_FIELDS]:
        recognizers.append(Recognizer(field.name, field.find, field.soundness))
        profile = usual.fields.get(field.name)
        # New records have values that nobody knew; without a second recognizer they stay unknown.
        if some_unknown and field.soundness is Soundness.INCOMPLETE and profile is not None:
            recognizers.append(recognize_shape(field.name, profile))
    return recognizers


def recognize_shape(name: str, profile: FieldProfile) -> Recognizer:
    """The texts between two tags that have the shape of known values; others may have it, too."""
    habits = {shape for shape, number in profile.shapes.items() if number >= HABIT}

    def find(text: str) -> Iterator[Position]:
        return (position for position in _texts(text) if shape_of(text[slice(*position)]) in habits)

    return Recognizer(name, find, Soundness.UNSOUND)


class _PageValues:
    """A page with the values that are known to be on it."""

    def __init__(self, occurrences: RecordOccurrences) -> None:
        self.page = occurrences.page
        self.records = occurrences.records
        self.whole = occurrences.whole
        self._positions = Positions(occurrences.page)
        self._visible = visible(occurrences.page.text, Where.TEXT)

    def is_single(self, name: str) -> bool:
        return all(isinstance(record.get(name), str | None) for record in self.records)

    def values(self, name: str) -> list[str]:
        return [value for record in self.records if (value := record.get(name))]

    def positions(self, name: str) -> set[Position]:
        return {position for value in set(self.values(name)) for position in self._of(value)}

    def _of(self, value: str) -> list[Position]:
        """The positions of a value: as words of the text, or else in an attribute, or anywhere."""
        everywhere = self._positions.of(value)
        # "Congo" in "Congolese" or in a link's title is hardly the value that a reader saw.
        as_words = [at for at in everywhere if _is_word(self.page.text, at)]
        in_text = [at for at in as_words if MASK not in self._visible[slice(*at)]]
        return in_text or as_words or everywhere


class _KnownField:
    """One field on all pages, and what mistakes its known values make as a recognizer."""

    def __init__(self, name: str, pages: Sequence[_PageValues]) -> None:
        self.name = name
        occurring = [(page.page.text, page.positions(name)) for page in pages]
        values = [page.values(name) for page in pages]
        # A value in a menu or title, too, has more positions than it should: on all pages the
        # right ones have the same surroundings.
        if any(
            len(positions) > len(on_page)
            for (_, positions), on_page in zip(occurring, values, strict=True)
        ):
            occurring = _alike(occurring, values) or occurring
        self.surplus = sum(len(positions) for _, positions in occurring) - sum(map(len, values))
        """How many more positions than values there are."""
        self._positions = {text: sorted(positions) for text, positions in occurring}
        complete = all(page.whole and len(page.values(name)) == len(page.records) for page in pages)
        self.soundness = _SOUNDNESS[complete, self.surplus <= 0]

    def find(self, text: str) -> Iterable[Position]:
        return self._positions.get(text, ())


_SOUNDNESS: Mapping[tuple[bool, bool], Soundness] = {
    (True, True): Soundness.PERFECT,
    (True, False): Soundness.UNSOUND,
    (False, True): Soundness.INCOMPLETE,
    (False, False): Soundness.UNRELIABLE,
}
"""By whether all values are known, and whether they occur nowhere else."""


def _alike(
    occurring: Sequence[_PagePositions], values: Sequence[Sequence[str]]
) -> list[_PagePositions] | None:
    """The positions with the same text around them on all pages, if each value has exactly one.

    Of several such groups, the one between two tags, then the one with most text in common.
    """
    if sum(map(len, values)) < 2:
        return None  # any position is like itself
    fitting: list[list[_PagePositions]] = []
    for widths in WIDTHS:
        groups: dict[tuple[str, str], list[_PagePositions]] = {}
        for number, (text, positions) in enumerate(occurring):
            for position in sorted(positions):
                group = groups.setdefault(_around(text, position, widths), [])
                group += [(text, set()) for text, _ in occurring[len(group) : number + 1]]
                group[number][1].add(position)
        fitting += [group for group in groups.values() if _fits(group, values)]
    return max(fitting, key=_plainness, default=None)


def _fits(group: Sequence[_PagePositions], values: Sequence[Sequence[str]]) -> bool:
    """Whether there are as many positions as values on each page, and of the same values."""
    counts = [len(positions) for _, positions in group]
    needed = [len(on_page) for on_page in values]
    return counts + [0] * (len(needed) - len(counts)) == needed and all(
        len({text[slice(*position)] for position in positions}) == len(set(on_page))
        for (text, positions), on_page in zip(group, values, strict=False)
    )


def _plainness(group: Sequence[_PagePositions]) -> tuple[int, int]:
    """How many positions fill the text between two tags, and how much context all share."""
    contexts = [
        _around(text, position, (CONTEXT, CONTEXT))
        for text, positions in group
        for position in positions
    ]
    filling = sum(before.endswith(">") and after.startswith("<") for before, after in contexts)
    lefts, rights = [before[::-1] for before, _ in contexts], [after for _, after in contexts]
    return filling, _common(lefts) + _common(rights)


def _common(texts: Sequence[str]) -> int:
    """The length of the longest common prefix: the first and the last in order differ soonest."""
    pairs = zip(min(texts), max(texts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(text: str, position: Position, widths: tuple[int, int]) -> tuple[str, str]:
    """So many characters before and after a position; white space counts as one blank or none."""
    before, after = widths
    start, end = position
    left = " ".join(text[max(0, start - before - MARGIN) : start].split())
    right = " ".join(text[end : end + after + MARGIN].split())
    return left[-before:], right[:after]


def _texts(text: str) -> Iterator[Position]:
    """The texts between tags, without white space around; a page without tags is one text."""
    tokens = tokenize(text)
    bounds = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    for kind, flags, (start, end) in zip(
        tokens.kinds.tolist(), tokens.flags.tolist(), bounds, strict=True
    ):
        if kind == Kind.TEXT and not flags & LITERAL:
            inner = text[start:end]
            stripped = inner.strip()
            first = start + len(inner) - len(inner.lstrip())
            if stripped:
                yield first, first + len(stripped)


def _is_word(text: str, position: Position) -> bool:
    """Whether a position is not a part of a longer word."""
    return not any(is_inside_word(text, bound) for bound in position)

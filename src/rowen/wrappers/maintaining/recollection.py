"""Recollection: what is known of a site's fields, as recognizers for its new pages (chapter 6).

A known value names its places, and a usual shape those of values that nobody knew. How far either
is to be believed shows on the new pages: values that are all known and stand only where they are
wanted tell records apart, and corroboration places the others beside them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeAlias

from rowen.documents.html import LITERAL, Kind, tokenize
from rowen.limits import CONTEXT, CORROBORATED_FIELDS
from rowen.model.words import is_inside_word
from rowen.wrappers.maintaining.sightings import Sighting
from rowen.wrappers.placing.whereabouts import Occurrences, Place
from rowen.wrappers.profile import FieldProfile, Profile, shape_of
from rowen.wrappers.recognizing.recognizers import MASK, Recognizer, Soundness, Where, visible

_Found: TypeAlias = tuple[str, set[Place]]
"""A page's text, and places on it."""

WIDTHS = ((8, 4), (8, 1), (4, 4), (4, 1))
"""So many characters before and after a value are compared: as many as all pages share."""

MARGIN = 32
"""So much white space may stand around values beside what is compared."""

HABIT = 2
"""A shape that fewer values have is none to recognize others by."""


def recall(sightings: Sequence[Sighting], usual: Profile) -> list[Recognizer]:
    """Recognizers of the fields that have at most one value a record, the surest fields first."""
    pages = [_Remembered(one) for one in sightings]
    names = dict.fromkeys(
        name for one in sightings for record in one.records for name in record if record[name]
    )
    fields = [_Field(name, pages) for name in names if all(one.is_single(name) for one in pages)]
    fields.sort(key=lambda one: (one.soundness is not Soundness.PERFECT, one.open))
    found: list[Recognizer] = []
    others = not all(one.whole for one in sightings)  # values that nobody knew
    for field in fields[:CORROBORATED_FIELDS]:
        found.append(Recognizer(field.name, field.find, field.soundness))
        profile = usual.fields.get(field.name)
        if others and field.soundness is Soundness.INCOMPLETE and profile is not None:
            found.append(recognize_shape(field.name, profile))
    return found


def recognize_shape(name: str, profile: FieldProfile) -> Recognizer:
    """The texts between two tags that are formed as values used to be; others are, too."""
    habits = {shape for shape, number in profile.shapes.items() if number >= HABIT}

    def find(text: str) -> Iterator[Place]:
        return (place for place in _texts(text) if shape_of(text[slice(*place)]) in habits)

    return Recognizer(name, find, Soundness.UNSOUND)


class _Remembered:
    """A page with the values that are known to stand on it."""

    def __init__(self, sighting: Sighting) -> None:
        self.page = sighting.page
        self.records = sighting.records
        self.whole = sighting.whole
        self._occurrences = Occurrences(sighting.page)
        self._visible = visible(sighting.page.text, Where.TEXT)

    def is_single(self, name: str) -> bool:
        return all(isinstance(one.get(name), str | None) for one in self.records)

    def values(self, name: str) -> list[str]:
        return [value for one in self.records if (value := one.get(name))]

    def places(self, name: str) -> set[Place]:
        return {place for value in set(self.values(name)) for place in self._of(value)}

    def _of(self, value: str) -> list[Place]:
        """The places of a value: as words of the text, or else in an attribute, or anywhere."""
        everywhere = self._occurrences.of(value)
        apart = [place for place in everywhere if _is_apart(self.page.text, place)]
        shown = [place for place in apart if MASK not in self._visible[slice(*place)]]
        return shown or apart or everywhere


class _Field:
    """One field on all pages, and what mistakes its known values make as a recognizer."""

    def __init__(self, name: str, pages: Sequence[_Remembered]) -> None:
        self.name = name
        found = [(one.page.text, one.places(name)) for one in pages]
        wanted = [one.values(name) for one in pages]
        if any(
            len(places) > len(values) for (_, places), values in zip(found, wanted, strict=True)
        ):
            found = _alike(found, wanted) or found
        self.open = sum(len(places) for _, places in found) - sum(map(len, wanted))
        self._places = {text: sorted(places) for text, places in found}
        complete = all(one.whole and len(one.values(name)) == len(one.records) for one in pages)
        self.soundness = _SOUNDNESS[complete, self.open <= 0]

    def find(self, text: str) -> Iterable[Place]:
        return self._places.get(text, ())


_SOUNDNESS: Mapping[tuple[bool, bool], Soundness] = {
    (True, True): Soundness.PERFECT,
    (True, False): Soundness.UNSOUND,
    (False, True): Soundness.INCOMPLETE,
    (False, False): Soundness.UNRELIABLE,
}
"""By whether all values are known, and whether they stand nowhere else."""


def _alike(found: Sequence[_Found], wanted: Sequence[Sequence[str]]) -> list[_Found] | None:
    """The places that have the same text around on all pages and are each value's only ones.

    Where several texts do, that between two tags, then that of which most is shared.
    """
    if sum(map(len, wanted)) < 2:
        return None  # any place is like itself
    fitting: list[list[_Found]] = []
    for widths in WIDTHS:
        groups: dict[tuple[str, str], list[_Found]] = {}
        for number, (text, places) in enumerate(found):
            for place in sorted(places):
                group = groups.setdefault(_around(text, place, widths), [])
                group += [(text, set()) for text, _ in found[len(group) : number + 1]]
                group[number][1].add(place)
        fitting += [one for one in groups.values() if _fits(one, wanted)]
    return max(fitting, key=_plainness, default=None)


def _fits(group: Sequence[_Found], wanted: Sequence[Sequence[str]]) -> bool:
    """Whether there are as many places as values on each page, and of the same values."""
    counts = [len(places) for _, places in group]
    needed = [len(values) for values in wanted]
    return counts + [0] * (len(needed) - len(counts)) == needed and all(
        len({text[slice(*place)] for place in places}) == len(set(values))
        for (text, places), values in zip(group, wanted, strict=False)
    )


def _plainness(group: Sequence[_Found]) -> tuple[int, int]:
    """How many places fill the text between two tags, and how much around all is the same."""
    around = [_around(text, one, (CONTEXT, CONTEXT)) for text, places in group for one in places]
    filling = sum(before.endswith(">") and after.startswith("<") for before, after in around)
    lefts, rights = [before[::-1] for before, _ in around], [after for _, after in around]
    return filling, _common(lefts) + _common(rights)


def _common(texts: Sequence[str]) -> int:
    """The length of what all begin with: the first and the last in order differ soonest."""
    pairs = zip(min(texts), max(texts), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(text: str, place: Place, widths: tuple[int, int]) -> tuple[str, str]:
    """So many characters before and after a place; white space counts as one blank or none."""
    before, after = widths
    start, end = place
    left = " ".join(text[max(0, start - before - MARGIN) : start].split())
    right = " ".join(text[end : end + after + MARGIN].split())
    return left[-before:], right[:after]


def _texts(text: str) -> Iterator[Place]:
    """The texts between tags, without white space around; all of a page without tags is one."""
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


def _is_apart(text: str, place: Place) -> bool:
    """Whether a place is no part of a longer word."""
    return not any(is_inside_word(text, edge) for edge in place)

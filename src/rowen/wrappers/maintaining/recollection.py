"""Recollection: what is known of a site's fields, as recognizers for its new pages (chapter 6).

A known value names its places, and a usual shape those of values that nobody knew. How far either
is to be believed shows on the new pages: values that are all known and stand only where they are
wanted tell records apart, and corroboration places the others beside them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rowen.documents.html import LITERAL, Kind, tokenize
from rowen.limits import CORROBORATED_FIELDS
from rowen.wrappers.maintaining.sightings import Sighting
from rowen.wrappers.placing.whereabouts import Occurrences, Place
from rowen.wrappers.profile import FieldProfile, Profile, shape_of
from rowen.wrappers.recognizing.recognizers import MASK, Recognizer, Soundness, Where, visible

HABIT = 2
"""A shape that fewer values have is none to recognize others by."""


def recall(sightings: Sequence[Sighting], usual: Profile) -> list[Recognizer]:
    """Recognizers of the fields that have at most one value a record, the surest fields first."""
    pages = [_Remembered(one) for one in sightings]
    names = {name: None for one in sightings for record in one.records for name in record}
    fields = [_Field(name, pages) for name in names if all(one.is_single(name) for one in pages)]
    fields.sort(key=lambda one: (one.soundness is not Soundness.PERFECT, one.open))
    found: list[Recognizer] = []
    for field in fields[:CORROBORATED_FIELDS]:
        found.append(Recognizer(field.name, field.find, field.soundness))
        profile = usual.fields.get(field.name)
        if field.soundness is Soundness.INCOMPLETE and profile is not None:
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

    def __init__(self, name: str, pages: Iterable[_Remembered]) -> None:
        self.name = name
        self.open = 0
        self._places: dict[str, list[Place]] = {}
        complete = True
        for one in pages:
            places, values = one.places(name), one.values(name)
            self.open += max(0, len(places) - len(values))
            complete = complete and one.whole and len(values) == len(one.records)
            self._places[one.page.text] = sorted(places)
        self.soundness = _SOUNDNESS[complete, not self.open]

    def find(self, text: str) -> Iterable[Place]:
        return self._places.get(text, ())


_SOUNDNESS: Mapping[tuple[bool, bool], Soundness] = {
    (True, True): Soundness.PERFECT,
    (True, False): Soundness.UNSOUND,
    (False, True): Soundness.INCOMPLETE,
    (False, False): Soundness.UNRELIABLE,
}
"""By whether all values are known, and whether they stand nowhere else."""


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
    return not any(
        0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum() for edge in place
    )

"""Sightings: known records on pages that may have been redesigned since."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median_low
from typing import Any

from rowen.model import Example, LabelError, Page
from rowen.model.record import CHILDREN
from rowen.wrappers import budget
from rowen.wrappers.maintaining.earlier import Known
from rowen.wrappers.placing.placement import find_placement
from rowen.wrappers.placing.whereabouts import Occurrences, Place

ANCHORS = 50
"""A record of which every value stands in more places than this could be anywhere."""

NEAR = 6
"""So many characters on both sides of a record tell a list from a heading."""

TELLING = 4
"""Records with fewer characters in all may stand on a page by chance."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Known records that stand on a page, in its order."""

    page: Page
    records: tuple[dict[str, Any], ...]
    """Values by field; a field whose value is not to be found is left out."""
    marks: tuple[dict[str, Any], ...]
    """The same with offsets, where a value stands only once within its record."""
    whole: bool
    """Whether these are all that were known of this very page, each with every value."""


def sight(page: Page, known: Sequence[Known], *, same_page: bool) -> Sighting:
    """The known records of which the page has every value, or if none is, at least two."""
    occurrences = Occurrences(page)
    ways = [found for one in known if not budget.spent() and (found := _see(occurrences, one))]
    seen = _alike(page, ways)
    complete = [one for one in seen if one.complete]
    chosen = _apart(complete or seen)
    whole = same_page and len(chosen) == len(known) and all(one.complete for one in chosen)
    marks = tuple(_pinned(occurrences, one) for one in chosen)
    return Sighting(page, tuple(one.values for one in chosen), marks, whole=whole)


def mark(sightings: Sequence[Sighting], *, whole: bool) -> list[Example]:
    """The pages with these records marked, each value where its surroundings agree best.

    With `whole`, a page of which all records were seen has no others; else there may be more.
    """
    given = [(one.page, one.marks, not (whole and one.whole)) for one in sightings]
    try:
        return find_placement(given).examples
    except LabelError:
        return [example for one in given for example in _alone(*one)]


def pin(sighting: Sighting, example: Example) -> Sighting | None:
    """A sighting with the places of an example of the same page; None where it has other values."""
    if len(example.records) != len(sighting.records):
        return None
    marks = []
    for known, marked, record in zip(
        sighting.records, sighting.marks, example.records, strict=True
    ):
        places = {name: spans[0] for name, spans in record.items() if spans and known.get(name)}
        marks.append({**marked, **places})
    return replace(sighting, marks=tuple(marks))


def crop(example: Example) -> Example | None:
    """The longest run of records between which no other seems to stand, cut out of its page.

    Most classes want the marked records to follow each other. A gap that has room for a record that
    nobody knew ends a run; what is left of the page beside it are the usual gaps.
    """
    extents = [extent for record in example.records if (extent := record.extent) is not None]
    if len(extents) < 2 or len(extents) != len(example.records):
        return None
    gaps = [after.start - before.end for before, after in pairwise(extents)]
    usual = int(median_low(gaps))
    room = usual + 0.6 * median_low([extent.length for extent in extents])
    ends = [number for number, gap in enumerate(gaps, 1) if gap > room]
    runs = list(pairwise([0, *ends, len(extents)]))
    first, last = max(runs, key=lambda run: run[1] - run[0])
    start = max(0, extents[first].start - usual)
    page = Page(example.page.text[start : extents[last - 1].end + usual], example.page.id)
    records = [record.shift(-start, page) for record in example.records[first:last]]
    return Example(page, records, partial=True) if len(records) > 1 else None


def _alone(page: Page, records: Sequence[dict[str, Any]], partial: bool) -> Iterator[Example]:  # noqa: FBT001  # as examples have it
    """A page by itself; nothing where its records can't be told apart."""
    try:
        yield from find_placement([(page, records, partial)]).examples
    except LabelError:
        return


@dataclass(frozen=True, slots=True)
class _Seen:
    """A stretch of the page that has the values of a record."""

    start: int
    end: int
    values: dict[str, Any]
    complete: bool

    def surroundings(self, page: Page) -> tuple[str, str]:
        """What stands right before and after it."""
        before = page.text[max(0, self.start - NEAR) : self.start]
        return before, page.text[self.end : self.end + NEAR]


def _see(occurrences: Occurrences, known: Known) -> list[_Seen]:
    """The stretches in which a record may stand, the shortest first."""
    places: list[list[Place]] = []
    values: dict[str, Any] = {}
    complete = True
    for name, value in known.values.items():
        wanted = [value] if isinstance(value, str) else value or []
        found = [occurrences.of(one) for one in wanted if one]
        if all(found) and len(found) == len(wanted):
            values[name] = value
            places += found
        else:
            complete = False
    nested = [ways[0] for child in known.children if (ways := _see(occurrences, child))]
    complete = complete and len(nested) == len(known.children)
    if nested:
        values[CHILDREN] = [child.values for child in nested]
        places += [[(child.start, child.end)] for child in nested]
    if not places or not (complete or len(places) > 1) or not _tells(known, values):
        return []
    return [_Seen(*one, values, complete) for one in _stretches(places)]


def _tells(known: Known, values: dict[str, Any]) -> bool:
    texts = [one for name in values for one in _texts(known.values.get(name))]
    return bool(known.children) or sum(map(len, texts)) >= TELLING


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _stretches(places: list[list[Place]]) -> list[Place]:
    """Around each place of the rarest value, the shortest stretch that has one of each."""
    anchors = min(places, key=len)
    if len(anchors) > ANCHORS:
        return []
    return sorted({_around(one, places) for one in anchors}, key=lambda one: one[1] - one[0])


def _around(anchor: Place, places: list[list[Place]]) -> Place:
    start, end = anchor
    for several in places:
        near = min(several, key=lambda one: max(one[1], anchor[1]) - min(one[0], anchor[0]))
        start, end = min(start, near[0]), max(end, near[1])
    return start, end


def _alike(page: Page, ways: list[list[_Seen]]) -> list[_Seen]:
    """For each record the stretch whose surroundings most records share; then the shortest."""
    votes = Counter(
        around for several in ways for around in {one.surroundings(page) for one in several}
    )
    return [
        max(several, key=lambda one: (votes[one.surroundings(page)], one.start - one.end))
        for several in ways
    ]


def _pinned(occurrences: Occurrences, seen: _Seen) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    for name, value in seen.values.items():
        marks[name] = value
        if isinstance(value, str):
            inside = [
                place
                for place in occurrences.of(value)
                if seen.start <= place[0] and place[1] <= seen.end
            ]
            marks[name] = inside[0] if len(inside) == 1 else value
    return marks


def _apart(seen: list[_Seen]) -> list[_Seen]:
    """Those that don't overlap, the shortest first, in page order."""
    kept: list[_Seen] = []
    for one in sorted(seen, key=lambda one: one.end - one.start):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)

"""Occurrences of known records on pages that may have been redesigned since.

    known   Congo 242, Egypt 20, Peru 51
    page    <li>Congo (242) <li>Egypt (20)

Congo and Egypt occur on the page, each with every value.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median_low
from typing import Any

from rowen.induction import budget
from rowen.labels.locate import locate_all
from rowen.maintenance.known_records import KnownRecord
from rowen.model import LabelError, Page
from rowen.records import Example
from rowen.records.positions import Position, Positions
from rowen.records.record import CHILDREN
from rowen.text.character_references import decode

ANCHORS = 50
"""Limit: a record of which every value has more positions than this could be anywhere."""

NEAR = 6
"""This many characters on both sides of a record distinguish a list from a heading."""

TELLING = 4
"""Records with fewer characters in all may occur on a page by chance."""

ROOM = 0.6
"""A gap that is wider than usual by this share of a record's length has room for another record."""


_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class RecordOccurrences:
    """The known records that occur on a page, in its order."""

    page: Page
    records: tuple[dict[str, Any], ...]
    """Values by field; a field whose value was not found is left out."""
    marks: tuple[dict[str, Any], ...]
    """The same with offsets, where a value occurs only once within its record."""
    whole: bool
    """Whether these are all records that were known of this very page, each with every value."""


def find_occurrences(
    page: Page, known: Sequence[KnownRecord], *, same_page: bool
) -> RecordOccurrences:
    """The known records of which the page has every value, or if there are none, at least two."""
    positions = Positions(page)
    alternatives = [
        stretches
        for record in known
        if not budget.spent() and (stretches := _stretches_of(positions, record))
    ]
    likeliest = _with_common_surroundings(page, alternatives)
    # Records with all their values are surer; parts of records are used only where none is whole.
    complete = [stretch for stretch in likeliest if stretch.complete]
    chosen = _disjoint(complete or likeliest)
    whole = same_page and len(chosen) == len(known) and all(stretch.complete for stretch in chosen)
    marks = tuple(_pinned(positions, stretch) for stretch in chosen)
    records = tuple(stretch.values for stretch in chosen)
    return RecordOccurrences(page, records, marks, whole=whole)


def to_examples(occurrences: Sequence[RecordOccurrences], *, whole: bool) -> list[Example]:
    """The pages with these records marked, each value where its surroundings agree best.

    With `whole`, a page on which all known records occur has no others; otherwise there may be
    more.
    """
    labels = [(page.page, page.marks, not (whole and page.whole)) for page in occurrences]
    try:
        return locate_all(labels).examples
    except LabelError:
        return [example for label in labels for example in _alone(*label)]


def pin_positions(occurrences: RecordOccurrences, example: Example) -> RecordOccurrences | None:
    """Occurrences at the positions of an example of the page; None where it has other records."""
    if len(example.records) != len(occurrences.records):
        return None
    marks = []
    for values, marked, record in zip(
        occurrences.records, occurrences.marks, example.records, strict=True
    ):
        pinned = {name: spans[0] for name, spans in record.items() if spans and values.get(name)}
        marks.append({**marked, **pinned})
    return replace(occurrences, marks=tuple(marks))


def crop(example: Example) -> Example | None:
    """The longest run of records between which no other seems to be, cut out of its page.

    Most classes need all records between the first and the last. A gap that has room for a record
    that nobody knew ends a run. The usual gap of the page is left on both sides of the run.
    """
    extents = [extent for record in example.records if (extent := record.extent) is not None]
    if len(extents) < 2 or len(extents) != len(example.records):
        return None
    gaps = [after.start - before.end for before, after in pairwise(extents)]
    usual = int(median_low(gaps))
    room = usual + ROOM * median_low([extent.length for extent in extents])
    ends = [number for number, gap in enumerate(gaps, 1) if gap > room]
    runs = list(pairwise([0, *ends, len(extents)]))
    first, last = max(runs, key=lambda run: run[1] - run[0])
    start = max(0, extents[first].start - usual)
    page = Page(example.page.text[start : extents[last - 1].end + usual], example.page.id)
    records = [record.shift(-start, page) for record in example.records[first:last]]
    return Example(page, records, partial=True) if len(records) > 1 else None


def _alone(page: Page, records: Sequence[dict[str, Any]], partial: bool) -> Iterator[Example]:  # noqa: FBT001  # as examples have it
    """A page by itself; nothing where its records can't be located."""
    try:
        yield from locate_all([(page, records, partial)]).examples
    except LabelError:
        return


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch of the page that has the values of a record."""

    start: int
    end: int
    values: dict[str, Any]
    complete: bool

    def surroundings(self, page: Page) -> tuple[str, str]:
        """The text right before and after it."""
        before = page.text[max(0, self.start - NEAR) : self.start]
        return before, page.text[self.end : self.end + NEAR]


def _stretches_of(positions: Positions, known: KnownRecord) -> list[_Stretch]:
    """The stretches in which a record may be, the shortest first."""
    of_values: list[list[Position]] = []
    values: dict[str, Any] = {}
    complete = True
    for name, value in known.values.items():
        texts = [value] if isinstance(value, str) else value or []
        # The page's own text of before, or what a reader saw: tags inside it may have changed.
        forms = [text if positions.of(text) else _without_tags(text) for text in texts]
        of_texts = [positions.of(form) for form in forms if form]
        if all(of_texts) and len(of_texts) == len(texts):
            values[name] = forms[0] if isinstance(value, str) else value and forms
            of_values += of_texts
        else:
            complete = False
    nested = [
        stretches[0] for child in known.children if (stretches := _stretches_of(positions, child))
    ]
    complete = complete and len(nested) == len(known.children)
    if nested:
        values[CHILDREN] = [child.values for child in nested]
        of_values += [[(child.start, child.end)] for child in nested]
    if not of_values or not (complete or len(of_values) > 1) or not _is_telling(known, values):
        return []
    return [_Stretch(*bounds, values, complete) for bounds in _bounds(of_values)]


def _without_tags(text: str) -> str:
    return " ".join(decode(_TAG.sub("", text)).text.split())


def _is_telling(known: KnownRecord, values: dict[str, Any]) -> bool:
    """Whether the values found are long enough not to be there by chance."""
    texts = [text for name in values for text in _texts(known.values.get(name))]
    return bool(known.children) or sum(map(len, texts)) >= TELLING


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _bounds(of_values: list[list[Position]]) -> list[Position]:
    """Around each position of the rarest value, the shortest stretch that has one of each."""
    anchors = min(of_values, key=len)
    # Each anchor is compared with all positions of the other values.
    if len(anchors) > ANCHORS:
        return []
    stretches = {_around(anchor, of_values) for anchor in anchors}
    return sorted(stretches, key=lambda bounds: bounds[1] - bounds[0])


def _around(anchor: Position, of_values: list[list[Position]]) -> Position:
    start, end = anchor
    for positions in of_values:
        near = min(positions, key=lambda at: max(at[1], anchor[1]) - min(at[0], anchor[0]))
        start, end = min(start, near[0]), max(end, near[1])
    return start, end


def _with_common_surroundings(page: Page, alternatives: list[list[_Stretch]]) -> list[_Stretch]:
    """For each record the stretch whose surroundings most records share; then the shortest."""
    # One vote per record: a record with many positions must not outvote the others.
    votes = Counter(
        surroundings
        for stretches in alternatives
        for surroundings in {stretch.surroundings(page) for stretch in stretches}
    )
    return [
        max(
            stretches,
            key=lambda stretch: (votes[stretch.surroundings(page)], stretch.start - stretch.end),
        )
        for stretches in alternatives
    ]


def _pinned(positions: Positions, stretch: _Stretch) -> dict[str, Any]:
    """The values of a stretch, with offsets where a text occurs in it only once."""
    marks: dict[str, Any] = {}
    for name, value in stretch.values.items():
        marks[name] = value
        if isinstance(value, str):
            inside = [
                (start, end)
                for start, end in positions.of(value)
                if stretch.start <= start and end <= stretch.end
            ]
            marks[name] = inside[0] if len(inside) == 1 else value
    return marks


def _disjoint(stretches: list[_Stretch]) -> list[_Stretch]:
    """Those that don't overlap, chosen from the shortest on, in page order."""
    chosen: list[_Stretch] = []
    for stretch in sorted(stretches, key=lambda stretch: stretch.end - stretch.start):
        if all(stretch.end <= taken.start or taken.end <= stretch.start for taken in chosen):
            chosen.append(stretch)
    return sorted(chosen, key=lambda stretch: stretch.start)

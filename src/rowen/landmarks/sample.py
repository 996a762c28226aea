"""Samples: examples as outlines of HTML tokens, divided into the stretches of their records.

    <h1>Codes</h1> <tr>Congo 242 <tr>Egypt 20 <tr>Total 2     marked: Congo, Egypt
    boundary <tr>  [Congo 242] [Egypt 20] [Total 2]           three stretches, two with an owner

A field's rules must find its values in the stretches of their records and nothing in the others.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rowen.induction import budget
from rowen.landmarks.occurrence import Occurrence, locate
from rowen.model import NoConsistentWrapper
from rowen.records import Example, Record
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary

Kind = Literal["element", "container", "text", "run"]
"""A rule takes all of an element, the items of a container, the text at a landmark, or a part of
the children of an element."""


@dataclass(frozen=True, slots=True)
class MarkedRecord:
    """A record of an example with its occurrences; a field that is known to be missing has none."""

    page: int
    number: int
    record: Record
    occurrences: dict[str, list[Occurrence]]

    @property
    def all(self) -> list[Occurrence]:
        """All occurrences of the record."""
        return [occurrence for of_field in self.occurrences.values() for occurrence in of_field]

    @property
    def tags(self) -> tuple[int, int]:
        """The first and the last tag that it touches."""
        return min(occurrence.tag for occurrence in self.all), max(
            occurrence.last for occurrence in self.all
        )


@dataclass(slots=True)
class Sample:
    """The examples as outlines, with the stretches in which a field's rules have to be right."""

    examples: Sequence[Example]
    outlines: list[Outline]
    marked: list[MarkedRecord]
    stretches: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each page, the tags at which each stretch begins and has ended, in order."""
    owners: dict[tuple[int, int], MarkedRecord] = field(default_factory=dict)
    """The record of a stretch, by page and first tag; other stretches have none."""
    unmarked: list[list[tuple[int, int]]] = field(default_factory=list)
    """The stretches of partly marked pages in which there may be records."""
    doubted: set[tuple[int, str]] = field(default_factory=set)
    """Fields of records, by number, whose labels are not believed: they count as unknown."""
    loose: frozenset[str] = frozenset()
    """Fields whose rules may also find something outside of records."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Fields whose rule is to be of one kind, whatever it costs."""

    def check_time(self) -> None:
        """Raise `SearchCutShort` where the time is over."""
        budget.check()

    @property
    def listed(self) -> bool:
        """Whether pages have several records."""
        return any(len(of_page) != 1 or of_page[0][0] for of_page in self.stretches)

    @property
    def has_other_rows(self) -> bool:
        """Whether there are stretches without a record."""
        return len(self.owners) < sum(map(len, self.stretches))

    @property
    def fields(self) -> list[str]:
        """All fields, in their order on the first page that has them."""
        places: dict[str, int] = {}
        for record in self.marked:
            for name, of_field in record.occurrences.items():
                place = of_field[0].start if of_field else 1 << 60
                places[name] = (
                    min(places.get(name, 1 << 60), place)
                    if record.page == 0
                    else (places.get(name, place))
                )
        return sorted(places, key=places.__getitem__)

    @property
    def valued(self) -> set[tuple[int, int]]:
        """The slots in which something is marked, by page and tag: their texts are data."""
        return {
            (occurrence.page, tag)
            for record in self.marked
            for occurrence in record.all
            if occurrence.attribute is None
            for tag in range(occurrence.tag, occurrence.last + 1)
        }

    def believes(self, record: MarkedRecord, name: str) -> bool:
        """Whether a field of a record is known, and its label is not doubted."""
        return name in record.occurrences and (record.number, name) not in self.doubted

    def believed(self, name: str) -> list[list[Occurrence]]:
        """The values of a field, record by record."""
        return [
            record.occurrences.get(name, [])
            for record in self.marked
            if self.believes(record, name)
        ]

    def stretch_of(self, occurrence: Occurrence) -> int:
        """The first tag of the stretch that holds an occurrence."""
        stretches = self.stretches[occurrence.page]
        place = _stretch_at(stretches, occurrence.tag)
        return 0 if place is None else stretches[place][0]

    def known_stretches(self, page: int, name: str) -> list[tuple[int, int, bool]]:
        """The stretches of a page of which it is known whether they have a field."""
        stretches = []
        for first, last in self.stretches[page]:
            owner = self.owners.get((page, first))
            if name not in self.loose if owner is None else self.believes(owner, name):
                stretches.append((first, last, owner is not None))
        return stretches


def read_sample(examples: Sequence[Example], kinds: Mapping[str, Kind] | None = None) -> Sample:
    """Locate all that is marked; refuses labels that the token class can't express."""
    outlines = [Outline(example.page.text) for example in examples]
    marked: list[MarkedRecord] = []
    for page, (example, outline) in enumerate(zip(examples, outlines, strict=True)):
        for record in example.records:
            budget.check()
            if record.children:
                raise NoConsistentWrapper(
                    "the token class has no nested records; try n-lr", pages=(example.page.id,)
                )
            occurrences: dict[str, list[Occurrence]] = {}
            for name, spans in record.items():
                occurrences_or_none = [locate(outline, span, page, len(marked)) for span in spans]
                placed = [
                    occurrence
                    for occurrence in occurrences_or_none
                    if occurrence is not None and occurrence.end > occurrence.start
                ]
                if len(placed) < len(occurrences_or_none):
                    raise NoConsistentWrapper(
                        "a value is empty, or begins or ends inside a tag",
                        field=name,
                        pages=(example.page.id,),
                    )
                occurrences[name] = placed
            if any(occurrences.values()):
                marked.append(MarkedRecord(page, len(marked), record, occurrences))
    return Sample(examples, outlines, marked, kinds=kinds or {})


def divide(sample: Sample, boundary: Boundary | None, *, doubting: bool = False) -> bool:
    """Set the stretches; returns whether each has at most one record, and that one whole.

    When `doubting`, a record belongs to the stretch with most of its values, and its other values
    are doubted. So are all values of a record without a stretch of its own.
    """
    sample.stretches = []
    sample.unmarked = []
    sample.owners = {}
    sample.doubted = set()
    for page, outline in enumerate(sample.outlines):
        stretches = [(0, outline.size)] if boundary is None else boundary.stretches(outline)
        for record in (record for record in sample.marked if record.page == page):
            if doubting:
                _settle(sample, record, stretches)
                continue
            first, last = record.tags
            place = _stretch_at(stretches, first)
            if place is None or last >= stretches[place][1]:
                return False
            if (page, stretches[place][0]) in sample.owners:
                return False
            sample.owners[page, stretches[place][0]] = record
        # On a page marked in part, a stretch without a record may be one that nobody marked: it
        # must not count against a rule.
        owned = [s for s in stretches if (page, s[0]) in sample.owners]
        others = [s for s in stretches if (page, s[0]) not in sample.owners]
        partial = sample.examples[page].partial
        sample.unmarked.append(others if partial else [])
        sample.stretches.append(owned if partial else stretches)
    return True


def _settle(sample: Sample, record: MarkedRecord, stretches: list[tuple[int, int]]) -> None:
    """Give a record the stretch that holds most of its values, and doubt the others."""
    places = [
        (name, _stretch_at(stretches, occurrence.tag))
        for name, of_field in record.occurrences.items()
        for occurrence in of_field
    ]
    (home, count), *_ = Counter(place for _, place in places).most_common()
    key = None if home is None else (record.page, stretches[home][0])
    if key is None or 2 * count <= len(places) or key in sample.owners:
        sample.doubted |= {(record.number, name) for name in record.occurrences}
        return
    sample.owners[key] = record
    sample.doubted |= {(record.number, name) for name, place in places if place != home}


def _stretch_at(stretches: list[tuple[int, int]], tag: int) -> int | None:
    """Which stretch holds a tag."""
    place = bisect_right(stretches, (tag, 1 << 60)) - 1
    return place if place >= 0 and tag < stretches[place][1] else None

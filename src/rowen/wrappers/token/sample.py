"""Samples: examples as outlines, divided into the stretches of their records."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rowen.model import Example, NoConsistentWrapper, Record
from rowen.wrappers import budget
from rowen.wrappers.token.occurrence import Occurrence, locate
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary

Kind = Literal["element", "container", "text"]
"""A rule takes all of an element, the items of a container, or the text at a landmark."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A record of an example with its occurrences, and its fields that are known to be missing."""

    page: int
    number: int
    record: Record
    occurrences: dict[str, list[Occurrence]]

    @property
    def all(self) -> list[Occurrence]:
        """All occurrences of the record."""
        return [one for some in self.occurrences.values() for one in some]

    @property
    def tags(self) -> tuple[int, int]:
        """The first and the last tag that it touches."""
        return min(one.tag for one in self.all), max(one.last for one in self.all)


@dataclass(slots=True)
class Sample:
    """The examples as outlines, with the stretches in which a field's rules have to be right."""

    examples: Sequence[Example]
    outlines: list[Outline]
    marked: list[Marked]
    stretches: list[list[tuple[int, int]]] = field(default_factory=list)
    """For each page, the tags at which each stretch begins and has ended, in order."""
    owners: dict[tuple[int, int], Marked] = field(default_factory=dict)
    """The record of a stretch, by page and first tag; other stretches have none."""
    unmarked: list[list[tuple[int, int]]] = field(default_factory=list)
    """The stretches of partly marked pages in which there may be records."""
    doubted: set[tuple[int, str]] = field(default_factory=set)
    """Fields of records, by number, whose labels are not believed: they count as unknown."""
    loose: frozenset[str] = frozenset()
    """Fields whose rules may find what they like outside of records."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Fields whose rule is to be of one kind, whatever it costs."""

    def check_time(self) -> None:
        """Give up where the search has taken too long."""
        budget.check()

    @property
    def listed(self) -> bool:
        """Whether pages have several records."""
        return any(len(some) != 1 or some[0][0] for some in self.stretches)

    @property
    def has_other_rows(self) -> bool:
        """Whether there are stretches that are no records."""
        return len(self.owners) < sum(map(len, self.stretches))

    @property
    def fields(self) -> list[str]:
        """All fields, in the order in which they stand on the first page that has them."""
        places: dict[str, int] = {}
        for one in self.marked:
            for name, some in one.occurrences.items():
                place = some[0].start if some else 1 << 60
                places[name] = (
                    min(places.get(name, 1 << 60), place)
                    if one.page == 0
                    else (places.get(name, place))
                )
        return sorted(places, key=places.__getitem__)

    @property
    def valued(self) -> set[tuple[int, int]]:
        """The slots in which something is marked, by page and tag: what they say is data."""
        return {
            (one.page, tag)
            for record in self.marked
            for one in record.all
            if one.attribute is None
            for tag in range(one.tag, one.last + 1)
        }

    def believes(self, record: Marked, name: str) -> bool:
        """Whether a field of a record is known, and its label is not doubted."""
        return name in record.occurrences and (record.number, name) not in self.doubted

    def believed(self, name: str) -> list[list[Occurrence]]:
        """The values of a field, record by record."""
        return [one.occurrences.get(name, []) for one in self.marked if self.believes(one, name)]

    def stretch_of(self, one: Occurrence) -> int:
        """The first tag of the stretch in which an occurrence stands."""
        stretches = self.stretches[one.page]
        place = _stretch_at(stretches, one.tag)
        return 0 if place is None else stretches[place][0]

    def known_stretches(self, page: int, name: str) -> list[tuple[int, int, bool]]:
        """The stretches of a page in which it is known whether a field is there."""
        known = []
        for first, last in self.stretches[page]:
            owner = self.owners.get((page, first))
            if name not in self.loose if owner is None else self.believes(owner, name):
                known.append((first, last, owner is not None))
        return known


def read_sample(examples: Sequence[Example], kinds: Mapping[str, Kind] | None = None) -> Sample:
    """Locate all that is marked; refuses what the token class can't hold."""
    outlines = [Outline(example.page.text) for example in examples]
    marked: list[Marked] = []
    for page, (example, outline) in enumerate(zip(examples, outlines, strict=True)):
        for record in example.records:
            budget.check()
            if record.children:
                raise NoConsistentWrapper(
                    "the token class has no nested records; try n-lr", pages=(example.page.id,)
                )
            occurrences: dict[str, list[Occurrence]] = {}
            for name, spans in record.items():
                found = [locate(outline, span, page, len(marked)) for span in spans]
                placed = [one for one in found if one is not None and one.end > one.start]
                if len(placed) < len(found):
                    raise NoConsistentWrapper(
                        "a value is empty, or begins or ends inside a tag",
                        field=name,
                        pages=(example.page.id,),
                    )
                occurrences[name] = placed
            if any(occurrences.values()):
                marked.append(Marked(page, len(marked), record, occurrences))
    return Sample(examples, outlines, marked, kinds=kinds or {})


def divide(sample: Sample, boundary: Boundary | None, *, doubting: bool = False) -> bool:
    """Set the stretches; tells whether each has at most one record, and that one whole.

    When `doubting`, a record is where most of its values are, and the others are doubted; so are
    all of a record that is nowhere, or where another one is.
    """
    sample.stretches = []
    sample.unmarked = []
    sample.owners = {}
    sample.doubted = set()
    for page, outline in enumerate(sample.outlines):
        stretches = [(0, outline.size)] if boundary is None else boundary.stretches(outline)
        for one in (one for one in sample.marked if one.page == page):
            if doubting:
                _settle(sample, one, stretches)
                continue
            first, last = one.tags
            place = _stretch_at(stretches, first)
            if place is None or last >= stretches[place][1]:
                return False
            if (page, stretches[place][0]) in sample.owners:
                return False
            sample.owners[page, stretches[place][0]] = one
        owned = [s for s in stretches if (page, s[0]) in sample.owners]
        others = [s for s in stretches if (page, s[0]) not in sample.owners]
        partial = sample.examples[page].partial
        sample.unmarked.append(others if partial else [])
        sample.stretches.append(owned if partial else stretches)
    return True


def _settle(sample: Sample, record: Marked, stretches: list[tuple[int, int]]) -> None:
    """Give a record the stretch that holds most of its values, and doubt the others."""
    places = [
        (name, _stretch_at(stretches, one.tag))
        for name, some in record.occurrences.items()
        for one in some
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

"""Votes: unlabelled pages decide among the rules that reproduce the marks.

A rule that holds for the whole site finds, on each page, a place that looks like the marked one:
the same tag with the same names, in the same elements, after the same label, with a value of the
same kind. What is a label and what is data shows in how many pages have a text.

    marked    <div class=buy><span>$5</span><button>Add</button></div>
    voter     <div class=buy><span class=was>$9</span><span>$7</span><button>Add</button></div>

    after <div> <span>       $9: the tag has a name that the marked one has not          0.8
    before <button> Add      $7: all is alike                                            1.0
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log2
from typing import NamedTuple

import numpy as np

from rowen.landmarks import context
from rowen.landmarks.occurrence import Occurrence, locate
from rowen.model import Page
from rowen.wrappers.profile import TRAITS
from rowen.wrappers.token.outline import Outline, Pair

VOTERS = 20
"""Limit: at most this many unlabelled pages vote; more say the same."""

CHARACTERS = 4_000_000
"""Limit: voters have at most this many characters together, so that large pages cost no more."""

TEMPLATE = 0.5
"""A text that is on this share of the pages belongs to the template."""

AROUND = 4
"""So many elements around a value are compared."""

NEAR = 8
"""Limit: the label of a value is at most this many tags away."""

TRAITS_COMPARED = ("digits", "letters", "several words", "punctuation", "a digit first")

WEIGHTS = {"tag": 2.0, "around": 2.0, "before": 2.0, "after": 1.5, "beside": 1.0, "value": 3.0}
"""How much each part of a likeness counts."""

DATA_AND_LABEL = 0.3
"""How much the texts before two values are alike where one is a label and the other is data."""

Look = tuple[int, frozenset[Pair]]


class Place(NamedTuple):
    """What is compared of a value and its surroundings."""

    tag: Look
    block: Look
    """The outermost element that holds the value and nothing else; the tag where there is none."""
    around: tuple[Look, ...]
    before: int
    """The digest of the nearest text before it; 0 for none."""
    after: int
    beside: tuple[str, str]
    """The signs next to it in its own text."""
    traits: tuple[bool, ...]
    length: float
    text: str


class Votes:
    """The unlabelled pages of a site, and what its pages have in common."""

    def __init__(self, marked: Sequence[Outline], pages: Sequence[Page]) -> None:
        asked = list(_chosen(pages))
        self.names = [page.id for page in asked]
        self.voters = [Outline(page.text) for page in asked]
        self._marked = list(marked)
        self._outlines = [*marked, *self.voters]
        self._known_slots: dict[int, frozenset[int]] = {}
        self._places: dict[tuple[int, int, int], Place | None] = {}

    def likeness(
        self, voter: Outline, values: Sequence[tuple[int, int]], marked: Sequence[Place]
    ) -> float:
        """How much values on a page look like marked ones, from 0 to 1.

        Of several, the surroundings of the first one count: others have it before them.
        """
        first, *others = values
        place = self.place(voter, first)
        if place is None:
            return 0.0
        alike = max(
            (
                0.0 if self._is_of_another(voter, place, label) else self._alike(place, label)
                for label in marked
            ),
            default=0.0,
        )
        return min([alike, *(self.kinship(voter, other, marked) for other in others)])

    def kinship(self, voter: Outline, value: tuple[int, int], marked: Sequence[Place]) -> float:
        """How much a value itself looks like a marked one, wherever it is, from 0 to 1."""
        place = self.place(voter, value)
        return (
            0.0
            if place is None
            else max((_same_kind(place, label) for label in marked), default=0.0)
        )

    def marked(self, occurrences: Sequence[Occurrence]) -> list[Place]:
        """Marked values as places."""
        places = (
            self.place(occurrence.outline, (occurrence.start, occurrence.end))
            for occurrence in occurrences
        )
        return [place for place in places if place is not None]

    def place(self, outline: Outline, value: tuple[int, int]) -> Place | None:
        """A value as a place; None where it is a part of a tag."""
        key = (id(outline), *value)
        if key not in self._places:
            occurrence = locate(outline, value, 0, 0)
            self._places[key] = None if occurrence is None else self._place(occurrence)
        return self._places[key]

    def _place(self, occurrence: Occurrence) -> Place:
        outline, tag = occurrence.outline, occurrence.tag
        text = outline.text[occurrence.start : occurrence.end]
        low, high = occurrence.around
        beside = (
            outline.text[max(low, occurrence.start - 9) : occurrence.start].strip()[-1:],
            outline.text[
                occurrence.end : min(max(high, occurrence.end), occurrence.end + 9)
            ].strip()[:1],
        )
        block = _block(occurrence)
        ancestors = outline.ancestors(block)
        inner = ancestors[1:] if ancestors[:1] == [block] else ancestors
        return Place(
            self._look(outline, tag),
            self._look(outline, block),
            tuple(self._look(outline, each) for each in inner[:AROUND]),
            _nearest(outline, range(tag - 1, max(tag - 1 - NEAR, -1), -1)),
            _nearest(
                outline, range(occurrence.last + 1, min(occurrence.last + 1 + NEAR, outline.size))
            ),
            beside,
            tuple(TRAITS[name].match(text[:200]) is not None for name in TRAITS_COMPARED),
            log2(1 + len(text)),
            text,
        )

    def _look(self, outline: Outline, tag: int) -> Look:
        """A tag by its name and those of its names that other pages have as well."""
        names = (pair for pair in outline.pairs(tag) if context.is_name(pair))
        return int(outline.names[tag]), frozenset(
            pair for pair in names if self._names[pair] > 1 or len(self._outlines) < 3
        )

    def _alike(self, place: Place, label: Place) -> float:
        around = [own == other for own, other in zip(place.around, label.around, strict=False)]
        parts = {
            "tag": ((place.tag == label.tag) + (place.block == label.block)) / 2,
            "around": sum(around) / max(len(label.around), 1) if label.around else 1.0,
            "before": self._same_text(place.before, label.before),
            "after": self._same_text(place.after, label.after),
            "beside": sum(map(str.__eq__, place.beside, label.beside)) / 2,
            "value": _same_kind(place, label),
        }
        return sum(WEIGHTS[name] * part for name, part in parts.items()) / sum(WEIGHTS.values())

    def _is_of_another(self, voter: Outline, place: Place, label: Place) -> bool:
        """Whether the text before a value names something else on a marked page.

        marked      Town Leeds Firm Ash Ltd      Firm is before the marked value
        voter       Town Derby                   it has no firm, and Derby is none
        """
        own, named = place.before, label.before
        if own == named or not (self.is_template(own) and self.is_template(named)):
            return False
        # Both may be before the marked value: a badge that other pages do not have.
        return named not in self._slots(voter) and any(
            self._after(outline, own) not in {None, named} for outline in self._marked
        )

    def _slots(self, outline: Outline) -> frozenset[int]:
        """The texts of a page."""
        if id(outline) not in self._known_slots:
            self._known_slots[id(outline)] = frozenset(np.unique(outline.slots).tolist())
        return self._known_slots[id(outline)]

    def _after(self, outline: Outline, text: int) -> int | None:
        """The text after the first place of a text; None where a page does not have it."""
        if text not in self._slots(outline):
            return None
        first = int(np.flatnonzero(outline.slots == np.uint64(text))[0])
        return _nearest(outline, range(first + 1, outline.size))

    def _same_text(self, own: int, marked: int) -> float:
        if own == marked:
            return 1.0
        if self.is_template(marked):
            return 0.0
        return DATA_AND_LABEL if self.is_template(own) else 1.0

    def is_template(self, slot: int) -> bool:
        """Whether a text is on most pages."""
        return self._texts[slot] >= max(TEMPLATE * len(self._outlines), 2)

    @cached_property
    def _texts(self) -> Counter[int]:
        """On how many pages each text is."""
        return Counter(
            slot for outline in self._outlines for slot in np.unique(outline.slots).tolist()
        )

    @cached_property
    def _names(self) -> Counter[Pair]:
        """On how many pages each attribute is."""
        return Counter(pair for outline in self._outlines for pair in _pairs(outline))


def _chosen(pages: Sequence[Page]) -> Iterator[Page]:
    total = 0
    for page in pages[:VOTERS]:
        total += len(page.text)
        if total > CHARACTERS:
            break
        yield page


def _pairs(outline: Outline) -> set[Pair]:
    names, values = outline.attribute_names.tolist(), outline.attribute_values.tolist()
    return set(map(Pair, names, values))


def _same_kind(place: Place, label: Place) -> float:
    traits = [own == other for own, other in zip(place.traits, label.traits, strict=True)]
    length = max(1 - abs(place.length - label.length) / 4, 0.0)
    return (sum(traits) + length) / (len(traits) + 1)


def _block(occurrence: Occurrence) -> int:
    outline, tag = occurrence.outline, occurrence.tag
    if occurrence.attribute is not None or not outline.is_start(tag):
        return tag
    content = outline.content(tag)
    around = int(outline.parents[tag])
    while around and outline.content(around) == content:
        tag, around = around, int(outline.parents[around])
    return tag


def _nearest(outline: Outline, tags: range) -> int:
    """The first text on the way."""
    return next((int(outline.slots[tag]) for tag in tags if outline.slots[tag]), 0)

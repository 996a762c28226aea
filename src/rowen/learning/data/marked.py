"""What was marked on a page, and where the page's data says it.

A value that was given as offsets must be a leaf with exactly that span. A value that was given as a
text may be any leaf that says it: nobody said where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rowen.induction import budget
from rowen.model import NoConsistentWrapper, Page, Span
from rowen.records import Example, Record
from rowen.records.record import CHILDREN
from rowen.text.data import ORIGINS, Origin, PageData, Root
from rowen.text.html_tokens import LITERAL, Kind, tokenize
from rowen.values.clean import tidy

PLACES = 100
"""Limit: at most this many leaves that say one value are considered."""

PAGES = 8
"""Limit: the data of this many pages is kept while a wrapper is learned: examples are few."""

Want: TypeAlias = str | Span
"""A value as it was marked: a text without superfluous white space, or a span."""

Wants: TypeAlias = tuple[Want, ...]


class Place(NamedTuple):
    """A leaf of a page's data."""

    root: Root
    leaf: int

    @property
    def span(self) -> Span:
        """Where it is on the page."""
        return self.root.tree.span(self.leaf)


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """The wants of each record by field, and the leaves that say each of them."""

    example: Example
    data: PageData
    records: list[dict[str, Wants]]
    places: dict[Want, list[Place]]


@lru_cache(maxsize=PAGES)
def data_of(page: Page) -> PageData:
    """The data of a page, which is read once."""
    return PageData(page)


def read_marked(example: Example) -> MarkedPage:
    """What was marked on a page, with the leaves that say it."""
    given: Sequence[Mapping[str, object] | Record] = example.given or example.records
    records = [_wants_of(record) for record in given]
    wanted = {want for record in records for wants in record.values() for want in wants}
    data = data_of(example.page)
    return MarkedPage(example, data, records, _find(data, wanted))


def says(place: Place, want: Want) -> bool:
    """Whether a leaf is what was marked."""
    if isinstance(want, Span):
        return place.span == want
    return tidy(place.root.tree.says(place.leaf)) == want


def _wants_of(record: Mapping[str, object] | Record) -> dict[str, Wants]:
    fields = {**record.spans, CHILDREN: record.children} if isinstance(record, Record) else record
    if fields.get(CHILDREN):
        raise NoConsistentWrapper("records inside records are not read from data")
    return {name: _listed(value) for name, value in fields.items() if name != CHILDREN}


def _listed(value: object) -> Wants:
    if value is None:
        return ()
    if isinstance(value, str):
        return (tidy(value),)
    assert isinstance(value, list | tuple)
    if len(value) == 2 and all(type(bound) is int for bound in value):
        return (Span(*value),)
    if any(isinstance(item, Mapping | Record) for item in value):
        raise NoConsistentWrapper("nested fields are not read from data")
    return tuple(want for item in value for want in _listed(item))


def _find(data: PageData, wanted: set[Want]) -> dict[Want, list[Place]]:
    texts = {want for want in wanted if isinstance(want, str)}
    spans = {want for want in wanted if isinstance(want, Span)}
    longest = max(map(len, texts), default=0)
    places: dict[Want, list[Place]] = {want: [] for want in wanted}
    for root in data.all(ORIGINS if texts else _origins(data.page, spans)):
        budget.check()
        tree = root.tree
        for leaf in tree.leaves(root.node):
            if spans and (span := tree.span(leaf)) in spans:
                places[span].append(Place(root, leaf))
            if texts:
                text = tree.says(leaf)
                # Most leaves are far from what was marked: white space is not worth a look.
                if text not in texts and len(text) <= 4 * longest:
                    text = tidy(text)
                if text in texts and len(places[text]) < PLACES:
                    places[text].append(Place(root, leaf))
    return places


def _origins(page: Page, spans: set[Span]) -> list[Origin]:
    """Where spans may be data: in scripts, in tags, or in the text of an element."""
    tokens = tokenize(page.text)
    places = tokens.starts.searchsorted([span.start for span in spans], "right") - 1
    in_scripts = bool((tokens.flags[places] & LITERAL).any())
    in_tags = bool((tokens.kinds[places] == Kind.START_TAG).any())
    if in_scripts:
        return list(ORIGINS)
    in_markup: list[Origin] = ["microdata", "rdfa"]
    return [*in_markup, "meta"] if in_tags else in_markup

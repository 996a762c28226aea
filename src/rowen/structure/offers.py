"""Offers: what may be a table, of whatever kind, and which of them comes first.

What mostly repeats the text of a better table comes later.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from rowen.records import Record
from rowen.structure.ranking import Novelty, plain_score, worth_of
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.tree import View

OFFERS = 40
"""Limit: at most this many offers are ranked."""


class Offer(Protocol):
    """What may be a table."""

    @property
    def score(self) -> float:
        """How much it looks like the table that somebody wants."""

    @property
    def order(self) -> str:
        """Which of two with the same score comes first."""

    def novelty(self, known: Novelty) -> float:
        """A factor for how much of its text is in no better table."""

    def choose(self, known: Novelty) -> None:
        """Count its text as known."""


AnyOffer = TypeVar("AnyOffer", bound=Offer)


def ranked(offers: Iterable[AnyOffer], known: Novelty) -> Iterator[AnyOffer]:
    """The best first; what mostly has text of those before it comes later."""
    left = sorted(offers, key=lambda offer: (-offer.score, offer.order))
    for _ in range(min(OFFERS, len(left))):
        best = max(left, key=lambda offer: offer.score * offer.novelty(known))
        left.remove(best)
        best.choose(known)
        yield best


@dataclass(frozen=True, eq=False)
class Made:
    """A table that is no group of regions: the wrapper that finds it, and its records.

    `views` are the parts of the pages that it is in; of what is in no text of the pages, such as
    data in scripts, there is a `length` instead, and the share of its values that is `known` from
    the pages' text.
    """

    wrapper: Wrapper
    records: Sequence[Record]
    views: Sequence[View] = ()
    length: int = 0
    known: float = 0.0

    @cached_property
    def columns(self) -> dict[str, list[list[str]]]:
        """For each field the values of each record."""
        columns: dict[str, list[list[str]]] = {name: [] for name in self.wrapper.fields}
        for record in self.records:
            for name, spans in record.items():
                columns[name].append([record.page.text[slice(*span)] for span in spans])
        return columns

    @cached_property
    def filled(self) -> dict[str, float]:
        """The share of records in which each column has a value."""
        count = max(len(self.records), 1)
        return {name: sum(map(bool, own)) / count for name, own in self.columns.items()}

    @cached_property
    def places(self) -> frozenset[tuple[str, int, int]]:
        """The page, start and end of all values."""
        return frozenset(
            (record.page.text, *span)
            for record in self.records
            for _, spans in record.items()
            for span in spans
        )

    @cached_property
    def score(self) -> float:
        """By the number of records and columns, and how much values vary."""
        worth = 0.0
        for name, own in self.columns.items():
            texts = [" ".join(values) for values in own if values]
            varied = (len(set(texts)) - 1) / max(len(texts) - 1, 1)
            worth += worth_of(self.filled[name], max(varied, 0.0))
        return plain_score(len(self.records), worth, list(self.filled.values()))

    @property
    def order(self) -> str:
        """Its definition, as there is nothing else to tell equals apart."""
        return str(self.wrapper.settings())

    def novelty(self, known: Novelty) -> float:
        """A factor for how much of its text is in no better table."""
        return known.of(self.views) if self.views else known.of_hidden(self.length, self.known)

    def choose(self, known: Novelty) -> None:
        """Count its text as known."""
        if self.views:
            known.choose(self.views)

"""What every sink can do: say which snapshot it holds, and take over the changes since then."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

from rowen.model import Page
from rowen.records.records import Records
from rowen.records.schema import Schema
from rowen.recycling.pairing import Written

PageRecords: TypeAlias = tuple[list[Written], list[Written]]
"""The records that a page had, and those that it has."""


@dataclass(frozen=True, slots=True)
class Held:
    """The snapshot of which a sink holds an extractor's records."""

    snapshot: int
    identity: str
    """A digest of the snapshot's manifest: another store has other ones."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One extractor's records on their way into a sink."""

    extractor: str
    snapshot: int
    created: str
    identity: str
    schema: Schema
    fields: tuple[str, ...]
    pages: Iterator[PageRecords]
    """For sinks that take what differs: pages that may have other records than before."""
    records: Callable[[], Iterator[tuple[Page, Records]]]
    """For sinks that take everything: all pages of the snapshot."""
    whole: bool
    """Whether `pages` are all pages of the snapshot; then what else the sink holds is old."""
    rebuild: bool
    """Whether tables that can't be kept may be dropped."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a delivery did."""

    written: int = 0
    """Rows of records that are new or have other values."""
    deleted: int = 0


class Sink(Protocol):
    """A database or a folder. It is used as a context, which closes it."""

    target: str
    """Its address for messages, without a password."""

    def held(self, extractor: str) -> Held | None:
        """Which snapshot of an extractor it holds, if any."""
        ...

    def take(self, delivery: Delivery) -> Counts:
        """Take over a delivery, all of it or nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

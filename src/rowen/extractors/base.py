"""The protocol of extractors: everything that turns a page into records."""

from typing import Protocol, runtime_checkable

from rowen.extractors.locality import Either, Grain, Locality, Scan
from rowen.model import Page
from rowen.records import Records
from rowen.records.schema import Schema


@runtime_checkable
class Extractor(Protocol):
    r"""Turns a page into records; results are stored by name and version, and reused by locality.

    The records may depend only on the page's text. `fields` lists the possible fields in the order
    of table columns, unless the extractor has `columns` of its own; it is empty if the extractor
    does not know them in advance.

    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> isinstance(rooms, Extractor), rooms.name, rooms.fields
    (True, 'rooms', ('room',))
    """

    @property
    def name(self) -> str:
        """The extractor's name in stores, files and reports."""

    @property
    def version(self) -> str:
        """Must change whenever the records may change."""

    @property
    def locality(self) -> Locality:
        """How far the extractor looks."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The possible fields."""

    def extract(self, page: Page | str, /) -> Records:
        """The records of a page."""


def schema_of(extractor: Extractor) -> Schema:
    """What each field of an extractor holds; fields that are not in it are texts."""
    return Schema.of(getattr(extractor, "schema", None))


def columns_of(extractor: Extractor) -> tuple[str, ...]:
    """The fields in the order of table columns."""
    columns: tuple[str, ...] = getattr(extractor, "columns", extractor.fields)
    return columns


def grain_of(extractor: Extractor) -> Grain:
    """The locality for reuse: the declared one, or a finer one that the extractor can prove."""
    grain: Grain = getattr(extractor, "grain", extractor.locality)
    return grain


def localities_of(extractor: Extractor) -> tuple[Locality, ...]:
    """All localities that hold, the declared one first."""
    grain = grain_of(extractor)
    options = grain.options if isinstance(grain, Either) else (grain,)
    # A scan is no locality that an author can declare: others can't build on it.
    return (extractor.locality, *(option for option in options if not isinstance(option, Scan)))

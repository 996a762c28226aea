"""The protocol that everything satisfies which turns a page into records."""

from typing import Protocol, runtime_checkable

from rowen.extractors.locality import Either, Grain, Locality
from rowen.model import Page, Records


@runtime_checkable
class Extractor(Protocol):
    """A page in, records out; results are kept under name and version, and reused by locality.

    The records may depend on the page's text alone. `fields` lists the fields that can come, in the
    order in which tables show them; it is empty where the extractor can't know.
    """

    @property
    def name(self) -> str:
        """What the extractor is called in stores, files and reports."""

    @property
    def version(self) -> str:
        """Changes whenever the records may."""

    @property
    def locality(self) -> Locality:
        """How far the extractor looks."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that can come."""

    def extract(self, page: Page | str, /) -> Records:
        """The records of a page."""


def grain_of(extractor: Extractor) -> Grain:
    """What reuse goes by: the locality, or a finer one where the extractor knows that of itself."""
    found: Grain = getattr(extractor, "grain", extractor.locality)
    return found


def localities_of(extractor: Extractor) -> tuple[Locality, ...]:
    """All localities that are known to hold, the declared one first."""
    grain = grain_of(extractor)
    return (extractor.locality, *(grain.options if isinstance(grain, Either) else (grain,)))

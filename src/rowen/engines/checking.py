"""What it means when extraction gives other records than were copied."""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why copied records are not those of the page."""

    LOCALITY = "locality"
    """The extractor looks further than it declares."""
    CHANGED = "changed"
    """It gives other records than it gave before for the same text."""
    RANDOM = "random"
    """It gives other records at each call."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A page on which copied records are not those of extraction."""

    extractor: str
    version: str
    page: str
    cause: Cause
    copied: int
    """How many records there were by copying, ..."""
    extracted: int
    """... and by extraction."""
    failed: str = ""
    """Why extraction failed, where it did."""

    @property
    def message(self) -> str:
        """What was found, what was done about it, and what to do."""
        by_extraction = (
            f"extraction {self.failed}" if self.failed else f"extraction {self.extracted}"
        )
        what = {
            Cause.LOCALITY: "it looks further than its locality says",
            Cause.CHANGED: "it, or something that it uses, has changed since, and its version "
            f"({self.version}) has not",
            Cause.RANDOM: "it gives other records at each call",
        }[self.cause]
        advice = {
            Cause.LOCALITY: "declare a wider locality, or rowen.WholePage(), and test it with "
            "rowen.testing.check_locality; until then its changed pages are extracted as a whole",
            Cause.CHANGED: "give it another version whenever its records may change; without "
            "version= its code counts, and depends=[...] adds packages that it uses",
            Cause.RANDOM: "its records may depend on the text alone: not on chance, time, or the "
            "order of a set",
        }[self.cause]
        return (
            f"extractor {self.extractor!r} was extracted anew on all pages: on {self.page} copying "
            f"gave {self.copied} records and {by_extraction}, not the same ones, for {what}. "
            f"To do: {advice}"
        )

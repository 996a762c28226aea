"""What it means if copied records differ from those of extraction, and what to do about it."""

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
    """How many records copying gave, ..."""
    extracted: int
    """... and how many extraction gave."""
    failed: str = ""
    """Why extraction failed, if it did."""

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
            Cause.RANDOM: "it gives different records at each call",
        }[self.cause]
        advice = {
            Cause.LOCALITY: "declare a wider locality, or rowen.WholePage(), and test it with "
            "rowen.testing.check_locality; until then its changed pages are extracted as a whole",
            Cause.CHANGED: "give it another version whenever its records may change; without "
            "version= its code counts, and depends=[...] adds packages that it uses",
            Cause.RANDOM: "its records must depend on the text alone, not on chance, time, or the "
            "order of a set",
        }[self.cause]
        return (
            f"extractor {self.extractor!r} was run again on all pages, because copied records were "
            f"wrong: on {self.page} copying gave {self.copied} records and {by_extraction}, not "
            f"the same ones. The reason: {what}. What to do: {advice}"
        )

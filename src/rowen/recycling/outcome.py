"""What the work on a partition reports: counts and seconds by extractor."""

from dataclasses import dataclass, field

from rowen.recycling.verification.difference import Difference


@dataclass(slots=True)
class Tally:
    """The work of one extractor, in one partition or in a whole run."""

    copied: int = 0
    """Records copied with whole pages."""
    records: int = 0
    known_pages: int = 0
    """New and changed pages whose text was known, so that their records were copied."""
    kept_characters: int = 0
    """Characters of changed pages that were not extracted."""
    extracted_characters: int = 0
    recycled_pages: int = 0
    whole_characters: int = 0
    """Characters of pages that were extracted from scratch, ..."""
    whole_seconds: float = 0.0
    """... the time that took by the clock, ..."""
    whole_cost: float = 0.0
    """... and in processor time, unless the extractor waits for something."""
    reuse_seconds: float = 0.0
    extract_seconds: float = 0.0
    failed: int = 0
    """Pages on which the extractor raised or ran out of time."""
    incomplete: int = 0
    """Pages on which it stopped early and gave the records up to there."""
    checked: int = 0
    """Pages with copied records that were extracted again as a whole, and compared, ..."""
    checked_in_part: int = 0
    """... and those of which only a stretch was."""
    check_characters: int = 0
    check_seconds: float = 0.0
    """The cost of extracting whole pages for that, ..."""
    part_characters: int = 0
    part_seconds: float = 0.0
    """... of extracting stretches, ..."""
    compare_seconds: float = 0.0
    """... and of all other work on checks."""

    def add(self, tally: "Tally") -> None:
        """Add another partition's numbers to these."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(tally, name))

    @property
    def checking_seconds(self) -> float:
        """What all checks took."""
        return self.check_seconds + self.part_seconds + self.compare_seconds


@dataclass(slots=True)
class Outcome:
    """The result of the work on one partition; the records are in the store."""

    partition: int
    pages: int
    tallies: dict[str, Tally]
    failures: list[tuple[str, str, str]]
    """Extractor, page and reason of the first failures. The store has all of them."""
    seconds: dict[str, float]
    """By step."""
    matched_characters: int = 0
    differences: list[Difference] = field(default_factory=list)
    """For each extractor the first page on which copied records were wrong."""
    unchecked: list[tuple[str, str, str]] = field(default_factory=list)
    """Extractor, page and reason of checks that ran out of time."""

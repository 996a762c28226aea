"""A task: all that is needed to make the results of one partition. It travels to any worker."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor
from rowen.extractors.chain import parts_of, steps_of
from rowen.extractors.own_modules import Surroundings
from rowen.recycling.known_texts import Known
from rowen.recycling.page_changes import Fate
from rowen.recycling.regions import REMOVED_CHARACTERS
from rowen.recycling.verification.sample import Sample

PARTITION_BYTES = 32 * 1024 * 1024
"""Limit: bytes of text that one partition of a snapshot should hold. A worker has a partition in
memory, a few times over."""


class Pulse:
    """Called as the work on a partition proceeds. An engine that watches its workers has its own.

    This one ignores all calls.
    """

    def begins(self, row: int, job: int) -> None:
        """An extractor, by its number, starts on a page, by its row."""

    def ends(self) -> None:
        """The extractor has returned."""

    def done(self, pages: int) -> None:
        """This many of the pages that need work are finished."""


@dataclass(frozen=True, slots=True)
class Job:
    """An extractor in a run: how its changed pages are matched, and whether it has old results."""

    extractor: Extractor
    matcher: str = "none"
    from_size: int = 0
    """Pages with fewer characters are extracted as a whole, which is faster."""
    has_old: bool = False
    scratch_rate: float = 0.0
    """Seconds per character of extraction from scratch. With it, the work on a partition goes back
    to extraction from scratch where recycling turns out slower. 0 where the user chose the matcher.
    """
    sparing: int = REMOVED_CHARACTERS
    """How many characters must be saved to be worth one more call of the extractor."""
    version: str = ""
    code: "tuple[str, Surroundings] | None" = None
    """The identity of a function. A worker elsewhere may have other code under the same name."""

    step: int | None = None
    """Of a chain: one of the steps before the last, whose records the store keeps as well."""

    @property
    def name(self) -> str:
        """The extractor's name; that of a step has its number, too."""
        name = self.extractor.name
        return name if self.step is None else f"{name} > {self.step}"

    @property
    def runs_other_code(self) -> bool:
        """Whether the extractor, or a step of it, is not Rowen's own, and may end its process."""
        kinds = map(type, parts_of(self.extractor))
        return any(
            getattr(kind, "runs_other_code", False) or not kind.__module__.startswith("rowen.")
            for kind in kinds
        )

    @property
    def steps(self) -> "tuple[Job, ...]":
        """Of a chain: the steps before the last."""
        count = len(steps_of(self.extractor)) - 1
        return tuple(replace(self, step=number) for number in range(count))


@dataclass(frozen=True, slots=True)
class Task:
    """The work on one partition. The arrays have one row per page of the partition."""

    uri: str
    snapshot: str
    previous: str | None
    base: int | None
    """The snapshot from whose files those of this one are differences."""
    partition: int
    fates: NDArray[np.int8]
    old_partitions: NDArray[np.int32]
    old_rows: NDArray[np.int32]
    jobs: tuple[Job, ...]
    page_seconds: float
    strict: bool = False
    checks: Mapping[str, Sample] = field(default_factory=dict)
    """By extractor, the pages whose copied records are checked."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """By extractor, pages whose text is known, and where their records are."""
    share_copies: bool = False
    """Whether pages of this partition with equal texts are extracted only once."""
    poison: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """Pages, by row and extractor, on which workers died, with the reason. They are skipped."""
    fresh: Mapping[int, str] = field(default_factory=dict)
    """Texts in memory, by row, that need not be read. Only processes that share memory have them.
    """

    earlier: Mapping[int, bytes] = field(default_factory=dict)
    """Old texts in memory, by row, as they are stored; for processes that share memory, too."""

    @property
    def to_do(self) -> int:
        """How many pages need work. Pages that failed in the last run are not counted."""
        if not all(job.has_old for job in self.jobs):
            return len(self.fates)
        return int(np.sum(~np.isin(self.fates, (Fate.UNCHANGED, Fate.RENAMED))))

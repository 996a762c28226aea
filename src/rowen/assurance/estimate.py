"""How far a wrapper can be trusted: a cross-validated estimate, saved with it, and both in words.

`rowen.learning.estimate` makes it: each example is left out in step, and a wrapper learned from the
others is tried on it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

from rowen.assurance.pac import Learned, confidence, more_pages
from rowen.model import ExtractorError

NORMAL = 1.959964
"""How many standard deviations on either side hold 95% of a normal distribution."""

EPSILON = 0.1
"""The share of pages on which the wrapper may err, for the guarantee."""

NEEDS_MORE = "No estimate: it needs at least two marked pages, or two records on the only one."
NOT_ASKED = "No estimate: learn with --estimate to leave out one marked page at a time."

UNITS = ("pages", "records")

METHOD = "leave-one-out"
"""How an estimate was made, as it is saved. Estimates without it are of version 0.1, in which the
left-out examples took part, and were too good."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many of the left-out pages (or records) came out right in every value.

    >>> from rowen.types import Estimate
    >>> estimate = Estimate(right=9, tried=10, unit="pages")
    >>> estimate.share
    0.9
    >>> [round(bound, 2) for bound in estimate.interval]
    [0.6, 0.98]
    """

    right: int
    tried: int
    unit: str
    """`pages`, or `records` where there is only one page."""

    @property
    def share(self) -> float:
        """The share that came out right."""
        return self.right / self.tried

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval: where the share of all pages lies with a probability of 95%, if the
        examples were drawn from them by chance.
        """
        # Wilson's and not the normal interval: with few examples, all of them right, that one has
        # no width.
        squared = NORMAL * NORMAL / self.tried
        middle = self.share + squared / 2
        spread = NORMAL * math.sqrt((self.share * (1 - self.share) + squared / 4) / self.tried)
        low, high = (middle - spread) / (1 + squared), (middle + spread) / (1 + squared)
        # Rounding must not leave the share outside of its own interval.
        return max(0.0, min(low, self.share)), min(1.0, max(high, self.share))

    def to_dict(self) -> dict[str, Any]:
        """The estimate as it is saved with a wrapper."""
        return {"right": self.right, "tried": self.tried, "unit": self.unit, "method": METHOD}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self | None:
        """A saved estimate; raises `ExtractorError` where it is malformed.

        None where it was made by a method in which the left-out examples took part (0.1).
        """
        counts = (saved.get("right"), saved.get("tried"))
        right, tried = (count if type(count) is int else -1 for count in counts)
        keys = saved.keys() - {"method"}
        if keys != {"right", "tried", "unit"} or saved["unit"] not in UNITS:
            raise ExtractorError(
                "'estimate' must have 'right', 'tried' and a 'unit', pages or records"
            )
        if not 0 <= right <= tried or not tried:
            raise ExtractorError(f"'estimate' must not be {counts[0]!r} of {counts[1]!r}")
        return cls(right, tried, saved["unit"]) if saved.get("method") == METHOD else None

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.right} of {self.tried} {self.unit} that were left out came out right "
            f"({self.share:.0%}; 95% interval {low:.0%} to {high:.0%})"
        )


class Estimated(Learned, Protocol):
    """A wrapper with its estimate, where there is one."""

    @property
    def estimate(self) -> Estimate | None:
        """How many examples came out right when they were left out."""


def assurance(wrapper: Estimated) -> Iterator[str]:
    """One line about the cross-validated estimate, and one about the guarantee of the PAC model."""
    if wrapper.estimate is not None:
        yield f"Estimated: {wrapper.estimate}."
    elif wrapper.evidence is not None:
        # With a single page its records are left out in turn, which takes two.
        few = wrapper.evidence.pages == 1 and wrapper.evidence.records < 2
        yield NEEDS_MORE if few else NOT_ASKED
    if wrapper.evidence is not None:
        yield (
            f"PAC guarantee: it errs on less than {EPSILON:.0%} of pages with a probability of "
            f"{confidence(wrapper, EPSILON):.0%}; {more_pages(wrapper, EPSILON):,} more marked "
            "pages would raise that to 90% (a worst case: most sites need few)."
        )

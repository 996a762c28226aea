"""How far a wrapper can be trusted, in words: an estimate, and beside it a guarantee."""

from collections.abc import Iterator
from typing import Protocol

from rowen.wrappers.estimate import Estimate
from rowen.wrappers.pac import Learned, confidence, more_pages

EPSILON = 0.1
"""The share of pages on which the wrapper may err, for the guarantee."""

NEEDS_MORE = "No estimate: it needs at least two marked pages, or two records on the only one."
NOT_ASKED = "No estimate: learn with --estimate to leave out one marked page at a time."


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

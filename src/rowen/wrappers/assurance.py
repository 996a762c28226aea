"""How far a wrapper can be trusted, in words: an estimate, and beside it a guarantee."""

from collections.abc import Iterator

from rowen.wrappers.base import Wrapper
from rowen.wrappers.pac import confidence, more_pages

EPSILON = 0.1
"""The share of pages on which the wrapper may err, for the guarantee."""


NEEDS_MORE = "No estimate: it needs at least two marked pages, or two records on the only one."
NOT_ASKED = "No estimate: learn with --estimate to leave out one marked page at a time."


def assurance(wrapper: Wrapper) -> Iterator[str]:
    """A line for what left-out examples say, where they were asked, and one for the PAC model."""
    if wrapper.estimate is not None:
        yield f"Estimated: {wrapper.estimate}."
    elif wrapper.evidence is not None:
        few = wrapper.evidence.pages == 1 and wrapper.evidence.records < 2
        yield NEEDS_MORE if few else NOT_ASKED
    if wrapper.evidence is not None:
        yield (
            f"Guaranteed to err on less than {EPSILON:.0%} of pages with a probability of "
            f"{confidence(wrapper, EPSILON):.0%}; {more_pages(wrapper, EPSILON):,} more pages "
            "would make it 90% (a worst case: few are enough on most sites)."
        )

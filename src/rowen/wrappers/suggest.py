"""Suggestions: the rest of a label, and the page that is most worth labelling next (7.8).

Aggressive learning asks a person only for what the wrapper of the moment is least sure of: one that
was learned from a few records proposes the others, and they need a nod instead of a mark.
"""

from collections.abc import Iterable, Sequence

from rowen.model import Example, InputError, Page, Record, Records, Span
from rowen.wrappers.base import Wrapper
from rowen.wrappers.maintaining.drift import compare
from rowen.wrappers.profile import Profile

STOPPED = 4.0
"""What a failure adds to a page's doubt: there is certainly something to learn there."""

NOTHING = 2.0
"""What a page without records adds."""


def suggest(wrapper: Wrapper, page: Page | str | Example) -> Records:
    """The records that the wrapper finds and that are not marked yet.

    What overlaps a marked record is left out: the person is right. A `failure` tells where the
    wrapper had to stop.
    """
    marked = page.records if isinstance(page, Example) else ()
    found = wrapper.extract(page.page if isinstance(page, Example) else page)
    taken = [extent for record in marked if (extent := record.extent) is not None]
    return Records((one for one in found if _is_free(one, taken)), failure=found.failure)


def next_page(
    wrapper: Wrapper,
    pages: Iterable[Page],
    *,
    others: Sequence[Wrapper] = (),
    profile: Profile | None = None,
) -> Page:
    """The page of which the wrapper is least sure; the first of several that are equal.

    It counts where the wrapper stops or finds nothing, what of the records is unlike the profile,
    and on how many of the records `others` disagree: wrappers that fit the same examples.
    """
    best: tuple[float, Page] | None = None
    for page in pages:
        doubt = doubt_of(wrapper, page, others=others, profile=profile)
        if best is None or doubt > best[0]:
            best = doubt, page
    if best is None:
        raise InputError("no pages to choose from")
    return best[1]


def doubt_of(
    wrapper: Wrapper,
    page: Page,
    *,
    others: Sequence[Wrapper] = (),
    profile: Profile | None = None,
) -> float:
    """How unsure a wrapper is of a page; 0 where nothing speaks against its records."""
    found = wrapper.extract(page)
    doubt = STOPPED * (found.failure is not None) + NOTHING * (not found)
    if profile is not None:
        doubt += sum(finding.field is not None for finding in compare(profile, [found]))
    if others:
        doubt += sum(_disagreement(found, one.extract(page)) for one in others) / len(others)
    return doubt


def _disagreement(one: Records, other: Records) -> float:
    """Which share of the records that either finds the other doesn't."""
    records, rivals = set(one), set(other)
    either = records | rivals
    return len(records ^ rivals) / len(either) if either else 0.0


def _is_free(record: Record, taken: Iterable[Span]) -> bool:
    extent = record.extent
    return extent is None or all(
        extent.end <= other.start or other.end <= extent.start for other in taken
    )

"""The PAC model: how sure one can be of a wrapper, and how many pages it takes (4.6 and 6.5.2).

The model is Kushmerick's for HLRT. It assumes the worst of all distributions of pages, so that it
asks for ten to a hundred times the pages that real sites need (7.4): a guarantee, not an estimate.
"""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from rowen.limits import PAC_PAGES
from rowen.model import UsageError
from rowen.wrappers.base import Evidence

NO_RECORDS = 1.0
"""Without a single record the average is unknown; one a page is the least that an example has."""


class Learned(Protocol):
    """What the model wants to know of a wrapper."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a record."""

    @property
    def evidence(self) -> Evidence | None:
        """What the wrapper was learned from."""


def confidence(wrapper: Learned, epsilon: float = 0.1, *, mistaken: float = 0.0) -> float:
    """The probability that the wrapper errs on less than `epsilon` of all pages.

    At least so much: the bound of equation 4.5, or where values, heads or tails are unknown that of
    6.5. With recognizers `mistaken` is the chance that a wrapper fits although labels are wrong
    (equation 6.7); the thesis found none in 20,000 trials. Without evidence nothing is promised.
    """
    evidence = wrapper.evidence
    if evidence is None:
        _check(epsilon=epsilon)
        return 0.0
    bound = noisy_error_bound(
        epsilon,
        counts=_counts(wrapper.fields, evidence),
        pages=_framed(evidence),
        shortest=evidence.shortest,
        mistaken=mistaken,
    )
    return 1.0 - min(1.0, bound)


def pages_needed(
    wrapper: Learned, epsilon: float = 0.1, delta: float = 0.1, *, mistaken: float = 0.0
) -> int:
    """How many example pages it takes in all, if further ones are like those that it has seen."""
    evidence = wrapper.evidence
    if evidence is None or not evidence.records:
        counts, framed = [NO_RECORDS] * len(wrapper.fields), 1.0
    else:
        # What no page has yet, one of them is taken to have: else no number would be enough.
        counts = [max(one, 1) / evidence.pages for one in _counts(wrapper.fields, evidence)]
        framed = max(_framed(evidence), 1) / evidence.pages
    return noisy_pages_for(
        epsilon,
        delta,
        counts_a_page=counts,
        framed=framed,
        shortest=0 if evidence is None else evidence.shortest,
        mistaken=mistaken,
    )


def more_pages(
    wrapper: Learned, epsilon: float = 0.1, delta: float = 0.1, *, mistaken: float = 0.0
) -> int:
    """How many further pages it takes."""
    have = 0 if wrapper.evidence is None else wrapper.evidence.pages
    return max(0, pages_needed(wrapper, epsilon, delta, mistaken=mistaken) - have)


def _counts(fields: Sequence[str], evidence: Evidence) -> list[int]:
    return [evidence.known.get(name, evidence.records) for name in fields]


def _framed(evidence: Evidence) -> int:
    return evidence.pages if evidence.framed is None else evidence.framed


def error_bound(
    epsilon: float, *, pages: float, records: float, fields: int, shortest: int
) -> float:
    """The left side of equation 4.5: a bound on the chance that the error is `epsilon` or more.

    For few examples it exceeds 1, and says nothing.
    """
    return noisy_error_bound(epsilon, counts=[records] * fields, pages=pages, shortest=shortest)


def noisy_error_bound(
    epsilon: float,
    *,
    counts: Sequence[float],
    pages: float,
    shortest: int,
    mistaken: float = 0.0,
) -> float:
    """The left side of equation 6.5, and with `mistaken` (the thesis' μ) that of 6.7.

    `counts` has for each field how many values are known; `pages` are those of which both head and
    tail are known (N*); `mistaken` is the chance that a wrapper fits labels that are wrong.
    """
    _check(epsilon=epsilon)
    if not counts:
        raise UsageError("the PAC model needs at least one field")
    delimiters = _delimiters(len(counts))
    miss = 1.0 - epsilon / delimiters
    first, *rest = (math.pow(miss, count) for count in counts)
    inside = 2.0 * (first + 2.0 * sum(rest))
    return inside + _fragments(shortest) * math.pow(1.0 - epsilon / 2.0, pages) + mistaken


def pages_for(
    epsilon: float,
    delta: float,
    *,
    records_a_page: float,
    fields: int,
    shortest: int,
    mistaken: float = 0.0,
) -> int:
    """The fewest pages with which equation 4.5 (6.7 with `mistaken`) holds for the two parameters.

    A `UsageError` where no number of pages will do.
    """
    return noisy_pages_for(
        epsilon,
        delta,
        counts_a_page=[records_a_page] * fields,
        framed=1.0,
        shortest=shortest,
        mistaken=mistaken,
    )


def noisy_pages_for(
    epsilon: float,
    delta: float,
    *,
    counts_a_page: Sequence[float],
    framed: float,
    shortest: int,
    mistaken: float = 0.0,
) -> int:
    """The same for equations 6.5 and 6.7.

    `counts_a_page` has for each field how many values a page makes known, `framed` is the share of
    pages of which head and tail are known. A `UsageError` where no number of pages will do.
    """
    _check(epsilon=epsilon, delta=delta)
    if min(counts_a_page, default=1.0) <= 0 or framed <= 0:
        raise UsageError("pages without records teach nothing about fields")

    def enough(pages: int) -> bool:
        bound = noisy_error_bound(
            epsilon,
            counts=[count * pages for count in counts_a_page],
            pages=framed * pages,
            shortest=shortest,
            mistaken=mistaken,
        )
        return bound < delta

    return _least(enough)


def simple_pages_for(epsilon: float, delta: float, *, shortest: int) -> int:
    """Equation 4.11: the pages needed where each has many records, whatever their fields."""
    _check(epsilon=epsilon, delta=delta)
    fragments = _fragments(shortest)
    return math.ceil(max(0.0, 2.0 / epsilon * math.log(fragments / delta))) if fragments else 0


def _delimiters(fields: int) -> int:
    """Ψ(K), equation 4.6: a record's delimiters but the first, twice each."""
    return 4 * fields - 2


def _fragments(shortest: int) -> float:
    """Φ(R): the heads, tails and first delimiters to choose from, if each stems from ∛R characters.

    Only the leading term of equation 4.7 is kept, which is more than the whole: the thesis' 295 and
    3476 pages come out with it, while 4.7 as printed gives 293 and 3452.
    """
    return math.pow(shortest, 5 / 3) / 4


def _least(enough: Callable[[int], bool]) -> int:
    """The smallest number that is enough, where every larger one is too."""
    high = 1
    while not enough(high):
        high *= 2
        if high > PAC_PAGES:
            raise UsageError(f"more than {PAC_PAGES} pages would be needed")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(**parameters: float) -> None:
    for name, value in parameters.items():
        if not 0.0 < value < 1.0:
            raise UsageError(f"{name} is a probability between 0 and 1, not {value!r}")
